/* Closes orders that are due, until SIGTERM. Usage: consumer URL
 * Writes a line per order: `closed ID LATENESS_MS OUTCOME`. */

#define _POSIX_C_SOURCE 200809L

#include <delayq.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEASE_MS = 10000, WAIT_MS = 250, BATCH = 10 };

static volatile sig_atomic_t stopped;

static void on_sigterm(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

/* Ends the program with the library's own sentence. */
static void check(delayq_status status, delayq_error *error)
{
    if (status != DELAYQ_OK) {
        fprintf(stderr, "consumer.c: %s\n", delayq_error_message(error));
        delayq_error_free(error);
        exit(1);
    }
}

static void close_order(delayq_queue *queue, const delayq_job *job)
{
    delayq_error *error = NULL;
    delayq_ack_outcome outcome = DELAYQ_ACK_ACKED;
    char order[32] = "?";
    int64_t taken_at = delayq_job_lease_until_ms(job) - LEASE_MS; /* by the server's clock, like the due time */

    sscanf(delayq_job_id(job), "order:%31[^:]:close", order);
    check(delayq_queue_ack(queue, job, &outcome, &error), error);
    printf("closed %s %" PRId64 " %s\n", order, taken_at - delayq_job_due_at_ms(job),
           delayq_ack_outcome_str(outcome));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct sigaction action = {0};
    delayq_queue_options *options = delayq_queue_options_new();
    delayq_pop_options *wait = delayq_pop_options_new();
    delayq_client *client = NULL;
    delayq_queue *queue = NULL;
    delayq_error *error = NULL;

    if (argc != 2) {
        fprintf(stderr, "usage: consumer URL\n");
        return 2;
    }
    action.sa_handler = on_sigterm;
    sigaction(SIGTERM, &action, NULL);

    delayq_queue_options_set_lease_ms(options, LEASE_MS);
    check(delayq_client_open(argv[1], NULL, &client, &error), error);
    check(delayq_client_queue(client, "order_close", options, &queue, &error), error);
    delayq_queue_options_free(options);
    delayq_pop_options_set_wait_ms(wait, WAIT_MS);

    while (!stopped) {
        delayq_jobs *jobs = NULL;
        size_t i;

        check(delayq_queue_requeue(queue, DELAYQ_DEFAULT_SLICE, NULL, NULL, NULL, &error), error); /* left by a crash */
        check(delayq_queue_pop(queue, BATCH, wait, &jobs, &error), error);
        for (i = 0; i < delayq_jobs_len(jobs); i++)
            close_order(queue, delayq_jobs_get(jobs, i));
        delayq_jobs_free(jobs);
    }

    delayq_pop_options_free(wait);
    delayq_queue_free(queue);
    delayq_client_free(client);
    return 0;
}
