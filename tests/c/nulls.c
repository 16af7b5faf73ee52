/* Every function with NULL where it takes a pointer: refused, or answered with nothing, never a crash. A test
 * proves that no function of the header is missing here. */
#include "check.h"

#define REFUSED(call) CHECK((call) == DELAYQ_ERR_INVALID_ARGUMENT)
#define SAYS(call, part) FAILS(call, DELAYQ_ERR_INVALID_ARGUMENT, part)

static void getters(void) {
    CHECK(delayq_error_kind(NULL) == DELAYQ_OK);
    CHECK(delayq_error_slug(NULL) == NULL);
    CHECK(delayq_error_message(NULL) == NULL);
    CHECK(delayq_error_text(NULL) == NULL);
    CHECK(delayq_error_verb(NULL) == NULL);
    CHECK(delayq_error_topic(NULL) == NULL);
    CHECK(delayq_error_id(NULL) == NULL);
    CHECK(!delayq_error_retryable(NULL));
    CHECK(delayq_queue_topic(NULL) == NULL);
    CHECK(delayq_jobs_len(NULL) == 0);
    CHECK(delayq_jobs_get(NULL, 0) == NULL);
    CHECK(delayq_job_topic(NULL) == NULL);
    CHECK(delayq_job_id(NULL) == NULL);
    CHECK(delayq_job_payload(NULL) == NULL);
    CHECK(delayq_job_payload_len(NULL) == 0);
    CHECK(delayq_job_retry_count(NULL) == 0);
    CHECK(delayq_job_deliveries(NULL) == 0);
    CHECK(delayq_job_created_at_ms(NULL) == -1);
    CHECK(delayq_job_due_at_ms(NULL) == -1);
    CHECK(delayq_job_lease_until_ms(NULL) == -1);
    CHECK(delayq_job_receipt(NULL) == NULL);
    CHECK(delayq_enqueued_id(NULL) == NULL);
    CHECK(delayq_enqueued_due_at_ms(NULL) == -1);
    CHECK(delayq_enqueued_outcome(NULL) == DELAYQ_ENQUEUE_NONE);
    CHECK(delayq_enqueued_list_len(NULL) == 0);
    CHECK(delayq_enqueued_list_get(NULL, 0) == NULL);
    CHECK(!delayq_cancel_token_is_cancelled(NULL));
    CHECK(delayq_error_kind_at((size_t)-1) == DELAYQ_OK);
    CHECK(delayq_error_kind_slug(DELAYQ_OK) == NULL);
    CHECK(delayq_verb_at((size_t)-1) == NULL);
    CHECK(delayq_mode_str((delayq_mode)99) == NULL);
    CHECK(delayq_enqueue_outcome_str(DELAYQ_ENQUEUE_NONE) == NULL);
    CHECK(delayq_ack_outcome_str(DELAYQ_ACK_NONE) == NULL);
    CHECK(delayq_cancel_outcome_str(DELAYQ_CANCEL_NONE) == NULL);
    CHECK(delayq_version() != NULL);
}

static void setters(void) {
    delayq_client_options_set_prefix(NULL, "x");
    delayq_client_options_set_username(NULL, "x");
    delayq_client_options_set_password(NULL, "x");
    delayq_client_options_set_client_name(NULL, "x");
    delayq_client_options_set_server_binary(NULL, "x");
    delayq_client_options_set_connect_timeout_ms(NULL, 1);
    delayq_client_options_set_timeout_ms(NULL, 1);
    delayq_client_options_set_retry_for_ms(NULL, 1);
    delayq_queue_options_set_lease_ms(NULL, 1);
    delayq_queue_options_set_done_ttl_ms(NULL, 1);
    delayq_queue_options_set_job_ttl_ms(NULL, 1);
    delayq_queue_options_set_max_payload(NULL, 1);
    delayq_queue_options_set_max_deliveries(NULL, 1);
    delayq_new_job_set_payload(NULL, NULL, 0);
    delayq_new_job_set_id(NULL, "x");
    delayq_new_job_set_delay_ms(NULL, 1);
    delayq_new_job_set_at_ms(NULL, 1);
    delayq_new_job_set_mode(NULL, DELAYQ_MODE_KEEP);
    delayq_new_job_set_ignore_done(NULL, true);
    delayq_pop_options_set_lease_ms(NULL, 1);
    delayq_pop_options_set_wait_ms(NULL, 1);
    delayq_pop_options_set_cancel_token(NULL, NULL);
    delayq_cancel_token_cancel(NULL);
    delayq_client_close(NULL);
}

static void frees(void) {
    delayq_error_free(NULL);
    delayq_client_options_free(NULL);
    delayq_client_free(NULL);
    delayq_queue_options_free(NULL);
    delayq_queue_free(NULL);
    delayq_new_job_free(NULL);
    delayq_jobs_free(NULL);
    delayq_cancel_token_free(NULL);
    delayq_enqueued_free(NULL);
    delayq_enqueued_list_free(NULL);
    delayq_pop_options_free(NULL);
}

/* A NULL text or option means "the default" to an options setter. */
static void defaults(const char *url) {
    delayq_error *err;
    delayq_client *client;
    delayq_client_options *options = delayq_client_options_new();
    delayq_client_options_set_prefix(options, "a{");
    delayq_client_options_set_prefix(options, NULL);
    delayq_client_options_set_username(options, NULL);
    delayq_client_options_set_password(options, NULL);
    delayq_client_options_set_client_name(options, NULL);
    delayq_client_options_set_server_binary(options, NULL);
    OK(delayq_client_open(url, options, &client, &err));
    delayq_client_options_free(options);
    delayq_client_free(client);
    delayq_queue_options_free(delayq_queue_options_new());
}

static void calls(const char *url) {
    delayq_error *err;
    delayq_client *client = NULL;
    delayq_queue *queue = NULL;
    delayq_jobs *jobs = NULL;
    delayq_new_job *job = delayq_new_job_new(NULL, 0);
    const delayq_new_job *pair[2];
    pair[0] = job;
    pair[1] = NULL;

    REFUSED(delayq_client_open(NULL, NULL, NULL, NULL));
    SAYS(delayq_client_open(NULL, NULL, &client, &err), "url is NULL");
    SAYS(delayq_client_open(url, NULL, NULL, &err), "client is NULL");
    OK(delayq_client_open(url, NULL, &client, &err));
    SAYS(delayq_client_ping(NULL, &err), "client is NULL");
    REFUSED(delayq_client_ping(NULL, NULL));

    SAYS(delayq_client_queue(NULL, "t", NULL, &queue, &err), "client is NULL");
    SAYS(delayq_client_queue(client, NULL, NULL, &queue, &err), "topic is NULL");
    SAYS(delayq_client_queue(client, "t", NULL, NULL, &err), "queue is NULL");
    REFUSED(delayq_client_queue(NULL, NULL, NULL, NULL, NULL));
    CHECK(queue == NULL);
    OK(delayq_client_queue(client, "t", NULL, &queue, &err));

    SAYS(delayq_queue_enqueue(NULL, job, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_enqueue(queue, NULL, NULL, &err), "job is NULL");
    REFUSED(delayq_queue_enqueue(NULL, NULL, NULL, NULL));
    SAYS(delayq_queue_enqueue_many(NULL, pair, 1, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_enqueue_many(queue, NULL, 1, NULL, &err), "jobs is NULL");
    SAYS(delayq_queue_enqueue_many(queue, pair, 2, NULL, &err), "jobs[1] is NULL");
    SAYS(delayq_queue_enqueue_many(queue, pair, (size_t)-1, NULL, &err), "impossible length");
    REFUSED(delayq_queue_enqueue_many(NULL, NULL, 0, NULL, NULL));
    OK(delayq_queue_enqueue_many(queue, NULL, 0, NULL, &err));

    delayq_new_job_set_payload(job, NULL, 3);
    SAYS(delayq_queue_enqueue(queue, job, NULL, &err), "payload is NULL");
    delayq_new_job_set_payload(job, (const uint8_t *)"x", (size_t)-1);
    SAYS(delayq_queue_enqueue(queue, job, NULL, &err), "impossible length");
    delayq_new_job_set_payload(job, NULL, 0);
    delayq_new_job_set_id(job, NULL);
    OK(delayq_queue_enqueue(queue, job, NULL, &err));

    SAYS(delayq_queue_pop(NULL, 1, NULL, &jobs, &err), "queue is NULL");
    SAYS(delayq_queue_pop(queue, 1, NULL, NULL, &err), "jobs is NULL");
    REFUSED(delayq_queue_pop(NULL, 1, NULL, NULL, NULL));
    OK(delayq_queue_pop(queue, 1, NULL, &jobs, &err)); /* the refused pop took nothing */
    CHECK(delayq_jobs_len(jobs) == 1);
    CHECK(delayq_jobs_get(jobs, 1) == NULL);
    CHECK(delayq_job_payload(delayq_jobs_get(jobs, 0)) != NULL);
    CHECK(delayq_job_payload_len(delayq_jobs_get(jobs, 0)) == 0);

    SAYS(delayq_queue_ack(NULL, delayq_jobs_get(jobs, 0), NULL, &err), "queue is NULL");
    SAYS(delayq_queue_ack(queue, NULL, NULL, &err), "job is NULL");
    REFUSED(delayq_queue_ack(NULL, NULL, NULL, NULL));
    OK(delayq_queue_ack(queue, delayq_jobs_get(jobs, 0), NULL, &err));

    SAYS(delayq_queue_requeue(NULL, 1, NULL, NULL, NULL, &err), "queue is NULL");
    REFUSED(delayq_queue_requeue(NULL, 1, NULL, NULL, NULL, NULL));
    OK(delayq_queue_requeue(queue, 1, NULL, NULL, NULL, &err));

    SAYS(delayq_queue_cancel(NULL, "x", NULL, &err), "queue is NULL");
    SAYS(delayq_queue_cancel(queue, NULL, NULL, &err), "id is NULL");
    REFUSED(delayq_queue_cancel(NULL, NULL, NULL, NULL));
    OK(delayq_queue_cancel(queue, "x", NULL, &err));

    delayq_jobs_free(jobs);
    delayq_new_job_free(job);
    delayq_queue_free(queue);
    delayq_client_free(client);
}

/* A token may be taken away from pop options, and freed before them. */
static void tokens(void) {
    delayq_pop_options *options = delayq_pop_options_new();
    delayq_cancel_token *token = delayq_cancel_token_new();
    delayq_pop_options_set_cancel_token(options, token);
    delayq_cancel_token_free(token);
    delayq_pop_options_set_cancel_token(options, NULL);
    delayq_pop_options_free(options);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    getters();
    setters();
    frees();
    defaults(argv[1]);
    calls(argv[1]);
    tokens();
    return 0;
}
