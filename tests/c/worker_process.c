/* A worker to be killed: `worker_process URL [ID]` enqueues a job if it is given an id and runs what is there. Its
 * handler says which delivery it runs, hangs in the first one, and the process ends when a job is done. */
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include "topic.h"

static int finished[2];

static void hang_the_first_time(delayq_delivery *delivery, void *user) {
    const delayq_job *job = delayq_delivery_job(delivery);
    CHECK(user == NULL);
    printf("run %s %u\n", delayq_job_id(job), (unsigned)delayq_job_deliveries(job));
    fflush(stdout);
    if (delayq_job_deliveries(job) == 1) delayq_delivery_wait_revoked(delivery, 3600 * 1000);
}

static void listen(const delayq_event *event, void *user) {
    CHECK(user == NULL);
    if (delayq_event_get_kind(event) == DELAYQ_EVENT_DONE) CHECK(write(finished[1], "", 1) == 1);
}

int main(int argc, char **argv) {
    CHECK(argc == 2 || argc == 3);
    CHECK(pipe(finished) == 0);
    delayq_client *client;
    OK(delayq_client_open(argv[1], NULL, &client, &err));
    delayq_queue_options *brief = delayq_queue_options_new();
    delayq_queue_options_set_lease_ms(brief, 500);
    OK(delayq_client_queue(client, "killed", brief, &queue, &err));
    delayq_queue_options_free(brief);
    if (argc == 3) enqueue(argv[2], NULL);

    delayq_worker_options *options = delayq_worker_options_new();
    delayq_worker_options_set_sweep_every_ms(options, 100);
    delayq_worker_options_set_event_callback(options, listen, NULL);
    delayq_worker *worker = delayq_worker_new(options);
    delayq_worker_options_free(options);
    OK(delayq_worker_handle(worker, queue, hang_the_first_time, NULL, &err));
    OK(delayq_worker_start(worker, &err));
    char byte;
    CHECK(read(finished[0], &byte, 1) == 1);
    OK(delayq_worker_stop(worker, 60 * 1000, &err));
    delayq_worker_free(worker);
    delayq_queue_free(queue);
    delayq_client_free(client);
    return 0;
}
