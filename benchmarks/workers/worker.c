/* A worker for the benchmarks; default options. Its handler does nothing, unless the payload begins with `s` (takes
 * 30 ms), `f` (fails twice) or `d` (is dead). Usage: worker URL TOPIC [LEASE_MS]; ends with its input. */

#include <delayq.h>

#include <stdio.h>
#include <stdlib.h>

static void handler(delayq_delivery *delivery, void *user)
{
    const delayq_job *job = delayq_delivery_job(delivery);
    char kind = (char)*delayq_job_payload(job);

    (void)user;
    if (kind == 's') {
        delayq_delivery_wait_revoked(delivery, 30);
    }
    if (kind == 'f' && delayq_job_retry_count(job) < 2) {
        delayq_delivery_fail(delivery, "not yet", 100);
    }
    if (kind == 'd') {
        delayq_delivery_dead(delivery, "hopeless");
    }
}

static void check(delayq_status status, delayq_error *error)
{
    if (status != DELAYQ_OK) {
        fprintf(stderr, "worker.c: %s\n", delayq_error_text(error));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    delayq_error *error = NULL;
    delayq_client *client = NULL;
    delayq_queue *queue = NULL;
    delayq_queue_options *lease = delayq_queue_options_new();
    delayq_worker *worker;

    if (argc < 3) {
        fprintf(stderr, "usage: worker URL TOPIC [LEASE_MS]\n");
        return 2;
    }
    delayq_queue_options_set_lease_ms(lease, argc > 3 ? strtol(argv[3], NULL, 10) : 30000);
    check(delayq_client_open(argv[1], NULL, &client, &error), error);
    check(delayq_client_queue(client, argv[2], lease, &queue, &error), error);
    worker = delayq_worker_new(NULL);
    check(delayq_worker_handle(worker, queue, handler, NULL, &error), error);
    check(delayq_worker_start(worker, &error), error);
    while (getchar() != EOF) {
    }
    check(delayq_worker_stop(worker, 10000, &error), error);
    delayq_worker_free(worker);
    delayq_queue_options_free(lease);
    delayq_queue_free(queue);
    delayq_client_free(client);
    return 0;
}
