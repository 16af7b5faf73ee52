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
    CHECK(delayq_job_info_list_len(NULL) == 0);
    CHECK(delayq_job_info_list_get(NULL, 0) == NULL);
    CHECK(delayq_job_info_topic(NULL) == NULL);
    CHECK(delayq_job_info_id(NULL) == NULL);
    CHECK(delayq_job_info_state(NULL) == DELAYQ_STATE_NONE);
    CHECK(delayq_job_info_payload(NULL) == NULL);
    CHECK(delayq_job_info_payload_len(NULL) == 0);
    CHECK(delayq_job_info_due_at_ms(NULL) == -1);
    CHECK(delayq_job_info_created_at_ms(NULL) == -1);
    CHECK(delayq_job_info_picked_at_ms(NULL) == -1);
    CHECK(delayq_job_info_lease_until_ms(NULL) == -1);
    CHECK(delayq_job_info_died_at_ms(NULL) == -1);
    CHECK(delayq_job_info_orphaned_at_ms(NULL) == -1);
    CHECK(delayq_job_info_retry_count(NULL) == 0);
    CHECK(delayq_job_info_deliveries(NULL) == 0);
    CHECK(delayq_job_info_last_error(NULL) == NULL);
}

static void getters_of_numbers(void) {
    CHECK(delayq_stats_topic(NULL) == NULL);
    CHECK(delayq_stats_backlog(NULL) == 0);
    CHECK(delayq_stats_due(NULL) == 0);
    CHECK(delayq_stats_overdue(NULL) == 0);
    CHECK(delayq_stats_oldest_due_ms(NULL) == 0);
    CHECK(delayq_stats_processing(NULL) == 0);
    CHECK(delayq_stats_expired(NULL) == 0);
    CHECK(delayq_stats_dead(NULL) == 0);
    CHECK(delayq_stats_orphans(NULL) == 0);
    CHECK(!delayq_stats_paused(NULL));
    CHECK(!(delayq_stats_rate(NULL) > 0.0));
    CHECK(delayq_stats_burst(NULL) == 0);
    CHECK(delayq_stats_counter(NULL, NULL) == 0);
    CHECK(delayq_stats_counter_at(NULL, 0) == 0);
    CHECK(delayq_stats_lateness(NULL) == NULL);
    CHECK(delayq_stats_processing_time(NULL) == NULL);
    CHECK(delayq_histogram_count(NULL) == 0);
    CHECK(delayq_histogram_quantile_ms(NULL, 0.5) == -1);
    CHECK(delayq_histogram_p50_ms(NULL) == -1);
    CHECK(delayq_histogram_p95_ms(NULL) == -1);
    CHECK(delayq_histogram_p99_ms(NULL) == -1);
    CHECK(delayq_histogram_buckets_len(NULL) == 0);
    CHECK(delayq_histogram_bucket_upper_ms(NULL, 0) == -1);
    CHECK(delayq_histogram_bucket_count(NULL, 0) == 0);
}

static void lists(void) {
    CHECK(delayq_error_kind_at((size_t)-1) == DELAYQ_OK);
    CHECK(delayq_error_kind_slug(DELAYQ_OK) == NULL);
    CHECK(delayq_verb_at((size_t)-1) == NULL);
    CHECK(delayq_counter_at((size_t)-1) == NULL);
    CHECK(delayq_state_str(DELAYQ_STATE_NONE) == NULL);
    CHECK(delayq_retry_outcome_str(DELAYQ_RETRY_NONE) == NULL);
    CHECK(delayq_release_outcome_str(DELAYQ_RELEASE_NONE) == NULL);
    CHECK(delayq_extend_outcome_str(DELAYQ_EXTEND_NONE) == NULL);
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
    delayq_client_options_set_server_fallback(NULL, "x");
    delayq_client_options_set_connect_timeout_ms(NULL, 1);
    delayq_client_options_set_timeout_ms(NULL, 1);
    delayq_client_options_set_retry_for_ms(NULL, 1);
    delayq_queue_options_set_lease_ms(NULL, 1);
    delayq_queue_options_set_done_ttl_ms(NULL, 1);
    delayq_queue_options_set_job_ttl_ms(NULL, 1);
    delayq_queue_options_set_max_payload(NULL, 1);
    delayq_queue_options_set_max_deliveries(NULL, 1);
    delayq_queue_options_set_retry_policy(NULL, NULL);
    delayq_retry_policy_set_cap_ms(NULL, 1);
    delayq_retry_policy_set_jitter(NULL, 0.5);
    delayq_retry_policy_set_max_retries(NULL, 1);
    delayq_new_job_set_retry_policy(NULL, NULL);
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
    delayq_retry_policy_free(NULL);
    delayq_job_info_free(NULL);
    delayq_job_info_list_free(NULL);
    delayq_stats_free(NULL);
    delayq_retry_policy_free(delayq_retry_policy_new_exponential(0, 0.0));
    delayq_retry_policy_free(delayq_retry_policy_new_linear(-1));
    delayq_retry_policy_free(delayq_retry_policy_new_fixed(-1));
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
    delayq_client_options_set_server_fallback(options, NULL);
    OK(delayq_client_open(url, options, &client, &err));
    delayq_client_options_free(options);
    delayq_client_free(client);
    delayq_queue_options_free(delayq_queue_options_new());
}

/* With the NULLs that have a meaning the job goes all the way: nothing that was refused has touched it. */
static void calls_on_leases(delayq_queue *queue, const delayq_job *job) {
    delayq_error *err;
    const delayq_job *pair[2];
    pair[0] = job;
    pair[1] = NULL;
    const size_t too_many = (size_t)-1;

    SAYS(delayq_queue_retry(NULL, job, NULL, 0, NULL, NULL, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_retry(queue, NULL, NULL, 0, NULL, NULL, NULL, &err), "job is NULL");
    REFUSED(delayq_queue_retry(NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    SAYS(delayq_queue_release(NULL, job, 0, NULL, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_release(queue, NULL, 0, NULL, NULL, &err), "job is NULL");
    REFUSED(delayq_queue_release(NULL, NULL, 0, NULL, NULL, NULL));
    SAYS(delayq_queue_extend(NULL, job, 1, NULL, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_extend(queue, NULL, 1, NULL, NULL, &err), "job is NULL");
    REFUSED(delayq_queue_extend(NULL, NULL, 1, NULL, NULL, NULL));

    SAYS(delayq_queue_ack_many(NULL, pair, 1, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_ack_many(queue, NULL, 1, NULL, &err), "jobs is NULL");
    SAYS(delayq_queue_ack_many(queue, pair, 2, NULL, &err), "jobs[1] is NULL");
    SAYS(delayq_queue_ack_many(queue, pair, too_many, NULL, &err), "impossible length");
    REFUSED(delayq_queue_ack_many(NULL, NULL, 1, NULL, NULL));
    SAYS(delayq_queue_retry_many(NULL, pair, 1, NULL, NULL, NULL, NULL, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_retry_many(queue, NULL, 1, NULL, NULL, NULL, NULL, NULL, &err), "jobs is NULL");
    SAYS(delayq_queue_retry_many(queue, pair, 2, NULL, NULL, NULL, NULL, NULL, &err), "jobs[1] is NULL");
    REFUSED(delayq_queue_retry_many(NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL));
    SAYS(delayq_queue_release_many(NULL, pair, 1, 0, NULL, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_release_many(queue, NULL, 1, 0, NULL, NULL, &err), "jobs is NULL");
    SAYS(delayq_queue_release_many(queue, pair, 2, 0, NULL, NULL, &err), "jobs[1] is NULL");
    REFUSED(delayq_queue_release_many(NULL, NULL, 1, 0, NULL, NULL, NULL));
    SAYS(delayq_queue_extend_many(NULL, pair, 1, 1, NULL, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_extend_many(queue, NULL, 1, 1, NULL, NULL, &err), "jobs is NULL");
    SAYS(delayq_queue_extend_many(queue, pair, 2, 1, NULL, NULL, &err), "jobs[1] is NULL");
    REFUSED(delayq_queue_extend_many(NULL, NULL, 1, 1, NULL, NULL, NULL));

    /* A length that no array has: no answer is written. */
    delayq_ack_outcome outcome = DELAYQ_ACK_ACKED;
    SAYS(delayq_queue_ack_many(queue, pair, too_many, &outcome, &err), "impossible length");
    CHECK(outcome == DELAYQ_ACK_ACKED);

    OK(delayq_queue_ack_many(queue, NULL, 0, NULL, &err));
    OK(delayq_queue_retry_many(queue, NULL, 0, NULL, NULL, NULL, NULL, NULL, &err));
    OK(delayq_queue_release_many(queue, NULL, 0, 0, NULL, NULL, &err));
    OK(delayq_queue_extend_many(queue, NULL, 0, 1, NULL, NULL, &err));
    OK(delayq_queue_extend(queue, job, DELAYQ_DEFAULT, NULL, NULL, &err));
    OK(delayq_queue_extend_many(queue, pair, 1, DELAYQ_DEFAULT, NULL, NULL, &err));
    OK(delayq_queue_retry_many(queue, pair, 1, NULL, NULL, NULL, NULL, NULL, &err));
    OK(delayq_queue_release_many(queue, pair, 1, 0, NULL, NULL, &err)); /* lost, and nobody asks */
    OK(delayq_queue_ack_many(queue, pair, 1, NULL, &err));
}

static void calls_on_topics(delayq_queue *queue) {
    delayq_error *err;
    delayq_job_info *info = NULL;
    delayq_job_info_list *list = NULL;
    delayq_stats *stats = NULL;
    const char *const ids[] = {"x", NULL};

    SAYS(delayq_queue_get(NULL, "x", &info, &err), "queue is NULL");
    SAYS(delayq_queue_get(queue, NULL, &info, &err), "id is NULL");
    SAYS(delayq_queue_get(queue, "x", NULL, &err), "info is NULL");
    REFUSED(delayq_queue_get(NULL, NULL, NULL, NULL));
    SAYS(delayq_queue_list(NULL, DELAYQ_STATE_DEAD, 0, 1, &list, &err), "queue is NULL");
    SAYS(delayq_queue_list(queue, DELAYQ_STATE_DEAD, 0, 1, NULL, &err), "list is NULL");
    REFUSED(delayq_queue_list(NULL, DELAYQ_STATE_DEAD, 0, 1, NULL, NULL));
    SAYS(delayq_queue_redrive(NULL, 1, 0, NULL, NULL, &err), "queue is NULL");
    REFUSED(delayq_queue_redrive(NULL, 1, 0, NULL, NULL, NULL));
    OK(delayq_queue_redrive(queue, 1, 0, NULL, NULL, &err));
    SAYS(delayq_queue_redrive_ids(NULL, ids, 1, 0, NULL, NULL, NULL, &err), "queue is NULL");
    SAYS(delayq_queue_redrive_ids(queue, NULL, 1, 0, NULL, NULL, NULL, &err), "ids is NULL");
    SAYS(delayq_queue_redrive_ids(queue, ids, 2, 0, NULL, NULL, NULL, &err), "ids[1] is NULL");
    REFUSED(delayq_queue_redrive_ids(NULL, NULL, 1, 0, NULL, NULL, NULL, NULL));
    OK(delayq_queue_redrive_ids(queue, NULL, 0, 0, NULL, NULL, NULL, &err));
    OK(delayq_queue_redrive_ids(queue, ids, 1, 0, NULL, NULL, NULL, &err));
    SAYS(delayq_queue_purge(NULL, DELAYQ_STATE_DEAD, 1, NULL, NULL, &err), "queue is NULL");
    REFUSED(delayq_queue_purge(NULL, DELAYQ_STATE_DEAD, 1, NULL, NULL, NULL));
    OK(delayq_queue_purge(queue, DELAYQ_STATE_DEAD, 1, NULL, NULL, &err));
    SAYS(delayq_queue_repair(NULL, 1, NULL, NULL, NULL, NULL, &err), "queue is NULL");
    REFUSED(delayq_queue_repair(NULL, 1, NULL, NULL, NULL, NULL, NULL));
    OK(delayq_queue_repair(queue, 1, NULL, NULL, NULL, NULL, &err));
    SAYS(delayq_queue_stats(NULL, 0, &stats, &err), "queue is NULL");
    SAYS(delayq_queue_stats(queue, 0, NULL, &err), "stats is NULL");
    REFUSED(delayq_queue_stats(NULL, 0, NULL, NULL));
    OK(delayq_queue_stats(queue, 0, &stats, &err));
    CHECK(delayq_stats_counter(stats, NULL) == 0);
    CHECK(delayq_stats_counter_at(stats, (size_t)-1) == 0);
    delayq_stats_free(stats);
    SAYS(delayq_queue_pause(NULL, &err), "queue is NULL");
    REFUSED(delayq_queue_pause(NULL, NULL));
    SAYS(delayq_queue_limit(NULL, 1.0, 1, &err), "queue is NULL");
    REFUSED(delayq_queue_limit(NULL, 1.0, 1, NULL));
    SAYS(delayq_queue_unlimit(NULL, &err), "queue is NULL");
    REFUSED(delayq_queue_unlimit(NULL, NULL));
    SAYS(delayq_queue_resume(NULL, &err), "queue is NULL");
    REFUSED(delayq_queue_resume(NULL, NULL));
    CHECK(info == NULL && list == NULL);
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
    delayq_new_job_set_payload(job, "x", (size_t)-1);
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
    calls_on_leases(queue, delayq_jobs_get(jobs, 0));

    SAYS(delayq_queue_requeue(NULL, 1, NULL, NULL, NULL, &err), "queue is NULL");
    REFUSED(delayq_queue_requeue(NULL, 1, NULL, NULL, NULL, NULL));
    OK(delayq_queue_requeue(queue, 1, NULL, NULL, NULL, &err));

    SAYS(delayq_queue_cancel(NULL, "x", NULL, &err), "queue is NULL");
    SAYS(delayq_queue_cancel(queue, NULL, NULL, &err), "id is NULL");
    REFUSED(delayq_queue_cancel(NULL, NULL, NULL, NULL));
    OK(delayq_queue_cancel(queue, "x", NULL, &err));
    calls_on_topics(queue);

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
    getters_of_numbers();
    lists();
    setters();
    frees();
    defaults(argv[1]);
    calls(argv[1]);
    tokens();
    return 0;
}
