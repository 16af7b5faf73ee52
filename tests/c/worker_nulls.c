/* Every function of the worker with NULL where it takes a pointer, as nulls.c does for the others. */
#include "check.h"

#define REFUSED(call) CHECK((call) == DELAYQ_ERR_INVALID_ARGUMENT)
#define SAYS(call, part) FAILS(call, DELAYQ_ERR_INVALID_ARGUMENT, part)

static void without_a_handle(void) {
    CHECK(delayq_event_kind_str(DELAYQ_EVENT_NONE) == NULL);
    CHECK(delayq_event_get_kind(NULL) == DELAYQ_EVENT_NONE);
    CHECK(delayq_event_topic(NULL) == NULL);
    CHECK(delayq_event_id(NULL) == NULL);
    CHECK(delayq_event_text(NULL) == NULL);
    CHECK(delayq_event_took_ms(NULL) == -1);
    CHECK(delayq_event_deliveries(NULL) == 0);
    CHECK(delayq_event_outcome(NULL) == DELAYQ_RETRY_NONE);
    CHECK(!delayq_health_connected(NULL));
    CHECK(delayq_health_last_pop_ms(NULL) == -1);
    CHECK(delayq_health_running(NULL) == 0);
    CHECK(delayq_health_oldest_running_ms(NULL) == -1);
    CHECK(delayq_health_waiting(NULL) == 0);
    CHECK(!delayq_health_stopping(NULL));
    CHECK(delayq_delivery_job(NULL) == NULL);
    CHECK(!delayq_delivery_is_revoked(NULL) && !delayq_delivery_is_stopping(NULL));
    CHECK(!delayq_delivery_wait_revoked(NULL, INT64_MAX));
    delayq_delivery_fail(NULL, NULL, 0);
    delayq_delivery_release(NULL, 0);
    delayq_delivery_dead(NULL, NULL);
    delayq_delivery_leave(NULL);
    delayq_worker_options_set_concurrency(NULL, 1);
    delayq_worker_options_set_fetch_ahead(NULL, 1);
    delayq_worker_options_set_sweep_every_ms(NULL, 1);
    delayq_worker_options_set_event_callback(NULL, NULL, NULL);
    delayq_worker_options_free(NULL);
    delayq_worker_free(NULL);
    delayq_health_free(NULL);
}

/* Nothing is enqueued. */
static void never_called(delayq_delivery *delivery, void *user) {
    CHECK(delivery == NULL && user != NULL);
}

static void calls(const char *url) {
    delayq_error *err;
    delayq_client *client;
    delayq_queue *queue;
    delayq_health *health = NULL;
    bool mine = true;
    OK(delayq_client_open(url, NULL, &client, &err));
    OK(delayq_client_queue(client, "nulls", NULL, &queue, &err));
    delayq_worker_options *options = delayq_worker_options_new();
    delayq_worker_options_set_event_callback(options, NULL, &mine); /* nobody is told */
    delayq_worker *worker = delayq_worker_new(options);
    delayq_worker_options_free(options);
    delayq_worker_free(delayq_worker_new(NULL));

    SAYS(delayq_delivery_is_mine(NULL, &mine, &err), "delivery is NULL");
    CHECK(!mine);
    REFUSED(delayq_delivery_is_mine(NULL, NULL, NULL));
    SAYS(delayq_worker_handle(NULL, queue, never_called, NULL, &err), "worker is NULL");
    SAYS(delayq_worker_handle(worker, NULL, never_called, NULL, &err), "queue is NULL");
    SAYS(delayq_worker_handle(worker, queue, NULL, NULL, &err), "handler is NULL");
    REFUSED(delayq_worker_handle(NULL, NULL, NULL, NULL, NULL));
    SAYS(delayq_worker_start(NULL, &err), "worker is NULL");
    REFUSED(delayq_worker_start(NULL, NULL));
    SAYS(delayq_worker_stop(NULL, 0, &err), "worker is NULL");
    REFUSED(delayq_worker_stop(NULL, 0, NULL));
    SAYS(delayq_worker_health(NULL, &health, &err), "worker is NULL");
    SAYS(delayq_worker_health(worker, NULL, &err), "health is NULL");
    REFUSED(delayq_worker_health(NULL, NULL, NULL));
    CHECK(health == NULL);

    /* What was refused is not there; what had a meaning is. */
    SAYS(delayq_worker_start(worker, &err), "no handler");
    CHECK(delayq_worker_handle(worker, queue, never_called, NULL, NULL) == DELAYQ_OK);
    CHECK(delayq_worker_start(worker, NULL) == DELAYQ_OK);
    CHECK(delayq_worker_stop(worker, 0, NULL) == DELAYQ_OK);
    delayq_worker_free(worker);
    delayq_queue_free(queue);
    delayq_client_free(client);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    without_a_handle();
    calls(argv[1]);
    await_the_end_of_threads();
    return 0;
}
