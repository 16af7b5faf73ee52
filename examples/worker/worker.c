/* A worker until Ctrl-C or SIGTERM: it closes orders when they are due. Usage: worker [URL] */
#define _POSIX_C_SOURCE 200809L

#include <delayq.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A signal handler may do hardly anything, so it only wakes main() through this pipe. */
static int wake[2];

static void on_signal(int number)
{
    const int before = errno;
    (void)number;
    if (write(wake[1], "", 1) == -1) _exit(1);
    errno = before;
}

/* Runs on threads of the library, several at once. Done is what returns without saying otherwise. */
static void close_order(delayq_delivery *delivery, void *user)
{
    const delayq_job *job = delayq_delivery_job(delivery);
    (void)user;
    printf("closing %s: %.*s\n", delayq_job_id(job), (int)delayq_job_payload_len(job),
           (const char *)delayq_job_payload(job));
    /* Here: delayq_delivery_fail(delivery, "the shop does not answer", DELAYQ_DEFAULT) to be called again. */
}

static void report(const delayq_event *event, void *user)
{
    (void)user;
    if (delayq_event_text(event) == NULL) return;
    fprintf(stderr, "%s %s %s: %s\n", delayq_event_kind_str(delayq_event_get_kind(event)),
            delayq_event_topic(event), delayq_event_id(event) != NULL ? delayq_event_id(event) : "-",
            delayq_event_text(event));
}

/* Three orders, due soon. */
static delayq_status schedule(const delayq_queue *queue, delayq_error **error)
{
    static const char *const ids[] = {"order:1:close", "order:2:close", "order:3:close"};
    delayq_new_job *job = delayq_new_job_new("not paid in time", strlen("not paid in time"));
    delayq_status status = DELAYQ_OK;
    int i;
    for (i = 0; status == DELAYQ_OK && i < 3; i++) {
        delayq_new_job_set_id(job, ids[i]);
        delayq_new_job_set_delay_ms(job, 100 * (i + 1));
        status = delayq_queue_enqueue(queue, job, NULL, error);
    }
    delayq_new_job_free(job);
    return status;
}

int main(int argc, char **argv)
{
    delayq_client *client = NULL;
    delayq_queue *queue = NULL;
    delayq_worker_options *options = delayq_worker_options_new();
    delayq_worker *worker;
    delayq_error *error = NULL;
    delayq_status status;
    struct sigaction action;
    char byte;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND; /* a second signal ends the process at once */
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (pipe(wake) != 0 || sigaction(SIGTERM, &action, NULL) != 0 || sigaction(SIGINT, &action, NULL) != 0) {
        perror("signals");
        return 1;
    }

    delayq_worker_options_set_concurrency(options, 4);
    delayq_worker_options_set_event_callback(options, report, NULL);
    worker = delayq_worker_new(options);
    delayq_worker_options_free(options);

    status = delayq_client_open(argc > 1 ? argv[1] : "embedded:./data", NULL, &client, &error);
    if (status == DELAYQ_OK) status = delayq_client_queue(client, "order_close", NULL, &queue, &error);
    if (status == DELAYQ_OK) status = schedule(queue, &error);
    if (status == DELAYQ_OK) status = delayq_worker_handle(worker, queue, close_order, NULL, &error);
    if (status == DELAYQ_OK) status = delayq_worker_start(worker, &error);
    if (status == DELAYQ_OK) {
        while (read(wake[0], &byte, 1) == -1 && errno == EINTR) {
        }
        status = delayq_worker_stop(worker, 10 * 1000, &error);
        if (status == DELAYQ_OK) puts("stopped");
    }
    if (status != DELAYQ_OK) fprintf(stderr, "%s\n", delayq_error_message(error));

    delayq_error_free(error);
    delayq_worker_free(worker);
    delayq_queue_free(queue);
    delayq_client_free(client);
    return status != DELAYQ_OK;
}
