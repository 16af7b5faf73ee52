/* A user's way through the library, with what must come back at each step: from enqueue to ack, options, refusals,
 * the end of a client. The other verbs are in leases.c and topics.c. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

/* Exported for tests only. */
delayq_status delayq_panic_on_purpose(delayq_error **err);

static delayq_error *err;
static delayq_queue *queue;

static void enqueue(const char *id, int64_t delay_ms, delayq_mode mode, delayq_enqueue_outcome wanted) {
    static const uint8_t payload[] = {'a', 0, 0xff, '\n'};
    delayq_enqueued *enqueued;
    delayq_new_job *job = delayq_new_job_new(payload, sizeof payload);
    delayq_new_job_set_id(job, id);
    delayq_new_job_set_delay_ms(job, delay_ms);
    delayq_new_job_set_mode(job, mode);
    OK(delayq_queue_enqueue(queue, job, &enqueued, &err));
    delayq_new_job_free(job);
    CHECK(strcmp(delayq_enqueued_id(enqueued), id) == 0);
    CHECK(delayq_enqueued_outcome(enqueued) == wanted);
    CHECK((delayq_enqueued_due_at_ms(enqueued) == -1) ==
          (wanted == DELAYQ_ENQUEUE_DONE || wanted == DELAYQ_ENQUEUE_MISSING));
    delayq_enqueued_free(enqueued);
}

static delayq_jobs *pop_one(const delayq_pop_options *options) {
    delayq_jobs *jobs;
    OK(delayq_queue_pop(queue, 20, options, &jobs, &err));
    CHECK(delayq_jobs_len(jobs) == 1);
    return jobs;
}

static void cancel(const char *id, delayq_cancel_outcome wanted) {
    delayq_cancel_outcome outcome;
    OK(delayq_queue_cancel(queue, id, &outcome, &err));
    CHECK(outcome == wanted);
}

/* Sweeps until the lease of 1 ms has ended by the server's clock. */
static void sweep(uint64_t *requeued, uint64_t *dead) {
    uint64_t orphaned;
    do {
        OK(delayq_queue_requeue(queue, DELAYQ_DEFAULT_SLICE, requeued, dead, &orphaned, &err));
        CHECK(orphaned == 0);
    } while (*requeued + *dead == 0);
}

static void life_of_a_job(void) {
    enqueue("a", 60000, DELAYQ_MODE_REPLACE, DELAYQ_ENQUEUE_CREATED);
    enqueue("a", 60000, DELAYQ_MODE_KEEP, DELAYQ_ENQUEUE_KEPT);
    enqueue("a", 50000, DELAYQ_MODE_REPLACE, DELAYQ_ENQUEUE_REPLACED);
    enqueue("a", 0, DELAYQ_MODE_RESCHEDULE, DELAYQ_ENQUEUE_MOVED);
    enqueue("b", 0, DELAYQ_MODE_RESCHEDULE, DELAYQ_ENQUEUE_MISSING);

    delayq_jobs *jobs = pop_one(NULL);
    const delayq_job *job = delayq_jobs_get(jobs, 0);
    CHECK(strcmp(delayq_job_id(job), "a") == 0);
    CHECK(strcmp(delayq_job_topic(job), "smoke") == 0);
    CHECK(delayq_job_payload_len(job) == 4);
    CHECK(memcmp(delayq_job_payload(job), "a\0\xff\n", 4) == 0);
    CHECK(delayq_job_deliveries(job) == 1);
    CHECK(delayq_job_retry_count(job) == 0);
    CHECK(delayq_job_created_at_ms(job) > 1500000000000);
    CHECK(delayq_job_due_at_ms(job) >= delayq_job_created_at_ms(job));
    CHECK(delayq_job_lease_until_ms(job) >= delayq_job_due_at_ms(job) + 30000);
    CHECK(strchr(delayq_job_receipt(job), '-') != NULL);

    delayq_ack_outcome outcome;
    OK(delayq_queue_ack(queue, job, &outcome, &err));
    CHECK(outcome == DELAYQ_ACK_ACKED);
    OK(delayq_queue_ack(queue, job, &outcome, &err));
    CHECK(outcome == DELAYQ_ACK_ALREADY);
    delayq_jobs_free(jobs);
    enqueue("a", 0, DELAYQ_MODE_REPLACE, DELAYQ_ENQUEUE_DONE);
    cancel("a", DELAYQ_CANCEL_DONE);

    delayq_new_job *again = delayq_new_job_new(NULL, 0);
    delayq_new_job_set_id(again, "a");
    delayq_new_job_set_at_ms(again, 253402300799999);
    delayq_new_job_set_ignore_done(again, true);
    delayq_enqueued *enqueued;
    OK(delayq_queue_enqueue(queue, again, &enqueued, &err));
    CHECK(delayq_enqueued_due_at_ms(enqueued) == 253402300799999);
    delayq_enqueued_free(enqueued);
    delayq_new_job_free(again);
    cancel("a", DELAYQ_CANCEL_SCHEDULED);
    cancel("a", DELAYQ_CANCEL_MISSING);
}

static void a_lost_lease(void) {
    uint64_t requeued, dead;
    delayq_pop_options *options = delayq_pop_options_new();
    delayq_pop_options_set_lease_ms(options, 1);
    enqueue("l", 0, DELAYQ_MODE_REPLACE, DELAYQ_ENQUEUE_CREATED);
    delayq_jobs *first = pop_one(options);
    sweep(&requeued, &dead);
    CHECK(requeued == 1 && dead == 0);

    delayq_jobs *second = pop_one(NULL);
    CHECK(delayq_job_deliveries(delayq_jobs_get(second, 0)) == 2);
    delayq_ack_outcome outcome = DELAYQ_ACK_ACKED;
    CHECK(delayq_queue_ack(queue, delayq_jobs_get(first, 0), &outcome, &err) == DELAYQ_ERR_LEASE_LOST);
    CHECK(outcome == DELAYQ_ACK_NONE);
    CHECK(strcmp(delayq_error_slug(err), "lease_lost") == 0);
    CHECK(strcmp(delayq_error_verb(err), "ack") == 0);
    CHECK(strcmp(delayq_error_topic(err), "smoke") == 0);
    CHECK(strcmp(delayq_error_id(err), "l") == 0);
    CHECK(strstr(delayq_error_text(err), delayq_error_message(err)) != NULL);
    CHECK(!delayq_error_retryable(err));
    delayq_error_free(err);
    cancel("l", DELAYQ_CANCEL_PROCESSING);
    delayq_jobs_free(first);
    delayq_jobs_free(second);
    delayq_pop_options_free(options);
}

static void too_many_deliveries(const delayq_client *client) {
    delayq_queue *kept = queue;
    uint64_t requeued, dead;
    delayq_queue_options *strict = delayq_queue_options_new();
    delayq_queue_options_set_max_deliveries(strict, 1);
    delayq_queue_options_set_lease_ms(strict, 1);
    delayq_queue_options_set_done_ttl_ms(strict, 0);
    delayq_queue_options_set_job_ttl_ms(strict, 0);
    OK(delayq_client_queue(client, "strict", strict, &queue, &err));
    delayq_queue_options_free(strict);
    CHECK(strcmp(delayq_queue_topic(queue), "strict") == 0);
    enqueue("d", 0, DELAYQ_MODE_REPLACE, DELAYQ_ENQUEUE_CREATED);
    delayq_jobs_free(pop_one(NULL));
    sweep(&requeued, &dead);
    CHECK(requeued == 0 && dead == 1);
    cancel("d", DELAYQ_CANCEL_DEAD);
    delayq_queue_free(queue);
    queue = kept;
}

static void many(void) {
    enum { COUNT = 1200 };
    delayq_new_job *jobs[COUNT];
    char id[16];
    for (int i = 0; i < COUNT; i++) {
        snprintf(id, sizeof id, "m%04d", i);
        jobs[i] = delayq_new_job_new(id, strlen(id));
        delayq_new_job_set_id(jobs[i], id);
        delayq_new_job_set_at_ms(jobs[i], 0);
    }
    delayq_enqueued_list *list;
    OK(delayq_queue_enqueue_many(queue, (const delayq_new_job *const *)jobs, COUNT, &list, &err));
    CHECK(delayq_enqueued_list_len(list) == COUNT);
    CHECK(delayq_enqueued_list_get(list, COUNT) == NULL);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(id, sizeof id, "m%04d", (int)i);
        CHECK(strcmp(delayq_enqueued_id(delayq_enqueued_list_get(list, i)), id) == 0);
        CHECK(delayq_enqueued_outcome(delayq_enqueued_list_get(list, i)) == DELAYQ_ENQUEUE_CREATED);
        delayq_new_job_free(jobs[i]);
    }
    delayq_enqueued_list_free(list);
    for (int taken = 0; taken < COUNT;) {
        delayq_jobs *popped;
        OK(delayq_queue_pop(queue, DELAYQ_MAX_POP, NULL, &popped, &err));
        CHECK(delayq_jobs_len(popped) > 0);
        for (size_t i = 0; i < delayq_jobs_len(popped); i++, taken++) {
            const delayq_job *job = delayq_jobs_get(popped, i);
            snprintf(id, sizeof id, "m%04d", taken);
            CHECK(strcmp(delayq_job_id(job), id) == 0);
            OK(delayq_queue_ack(queue, job, NULL, &err));
        }
        delayq_jobs_free(popped);
    }
}

static void refusals(const char *url, const delayq_client *client) {
    delayq_new_job *job = delayq_new_job_new("x", 1);
    delayq_enqueued *enqueued;
    const delayq_status invalid = DELAYQ_ERR_INVALID_ARGUMENT;
    delayq_new_job_set_id(job, "\xff\xfe");
    FAILS(delayq_queue_enqueue(queue, job, &enqueued, &err), invalid, "UTF-8");
    CHECK(enqueued == NULL);
    delayq_new_job_set_id(job, "");
    FAILS(delayq_queue_enqueue(queue, job, NULL, &err), invalid, "empty");
    delayq_new_job_set_id(job, "r");
    delayq_new_job_set_delay_ms(job, -1);
    FAILS(delayq_queue_enqueue(queue, job, NULL, &err), invalid, "negative");
    delayq_new_job_set_at_ms(job, INT64_MAX);
    FAILS(delayq_queue_enqueue(queue, job, NULL, &err), invalid, "9999");
    delayq_new_job_set_at_ms(job, INT64_MIN); /* the past: now */
    delayq_new_job_set_mode(job, (delayq_mode)42);
    CHECK(delayq_queue_enqueue(queue, job, NULL, &err) == invalid);
    CHECK(strcmp(delayq_error_verb(err), "enqueue") == 0 && strcmp(delayq_error_topic(err), "smoke") == 0 &&
          strcmp(delayq_error_id(err), "r") == 0);
    delayq_error_free(err);
    delayq_new_job_set_mode(job, DELAYQ_MODE_REPLACE);
    OK(delayq_queue_enqueue(queue, job, NULL, &err)); /* every bad value was set again */
    static const char large[300000];
    delayq_new_job_set_payload(job, large, sizeof large);
    FAILS(delayq_queue_enqueue(queue, job, NULL, &err), invalid, "300000 bytes");
    delayq_new_job_set_payload(job, "y", 1);
    cancel("r", DELAYQ_CANCEL_SCHEDULED);
    FAILS(delayq_queue_cancel(queue, "\xc3(", NULL, &err), invalid, "UTF-8");

    delayq_jobs *jobs;
    delayq_pop_options *pop = delayq_pop_options_new();
    FAILS(delayq_queue_pop(queue, 0, NULL, &jobs, &err), invalid, "max is 0");
    FAILS(delayq_queue_pop(queue, (size_t)-1, NULL, &jobs, &err), invalid, "max is");
    delayq_pop_options_set_lease_ms(pop, 0);
    FAILS(delayq_queue_pop(queue, 1, pop, &jobs, &err), invalid, "lease is zero");
    delayq_pop_options_set_lease_ms(pop, 1000);
    delayq_pop_options_set_wait_ms(pop, -5);
    FAILS(delayq_queue_pop(queue, 1, pop, &jobs, &err), invalid, "wait_ms is negative");
    delayq_pop_options_free(pop);
    FAILS(delayq_queue_requeue(queue, 0, NULL, NULL, NULL, &err), invalid, "limit is 0");

    delayq_queue *other;
    delayq_queue_options *options = delayq_queue_options_new();
    FAILS(delayq_client_queue(client, "a{b}", options, &other, &err), invalid, "brace");
    FAILS(delayq_client_queue(client, "\xff", options, &other, &err), invalid, "UTF-8");
    delayq_queue_options_set_max_deliveries(options, -1);
    FAILS(delayq_client_queue(client, "t", options, &other, &err), invalid, "max_deliveries is -1");
    delayq_queue_options_set_max_deliveries(options, 20);
    delayq_queue_options_set_max_payload(options, (size_t)-1);
    FAILS(delayq_client_queue(client, "t", options, &other, &err), invalid, "max_payload");
    delayq_queue_options_set_max_payload(options, 0);
    OK(delayq_client_queue(client, "t", options, &other, &err));
    FAILS(delayq_queue_enqueue(other, job, NULL, &err), invalid, "max_payload");
    delayq_queue_free(other);
    delayq_queue_options_free(options);
    delayq_new_job_free(job);

    delayq_client *unopened;
    delayq_client_options *bad = delayq_client_options_new();
    delayq_client_options_set_timeout_ms(bad, -1);
    FAILS(delayq_client_open(url, bad, &unopened, &err), invalid, "timeout_ms is negative");
    CHECK(unopened == NULL);
    delayq_client_options_free(bad);
    FAILS(delayq_client_open("nonsense", NULL, &unopened, &err), invalid, "");
}

static void options_reach_redis(void) {
    delayq_client *nobody;
    delayq_client_options *options = delayq_client_options_new();
    delayq_client_options_set_prefix(options, "p");
    delayq_client_options_set_username(options, "u");
    delayq_client_options_set_password(options, "top secret");
    delayq_client_options_set_client_name(options, "smoke");
    delayq_client_options_set_connect_timeout_ms(options, 200);
    delayq_client_options_set_timeout_ms(options, 200);
    delayq_client_options_set_retry_for_ms(options, 0);
    OK(delayq_client_open("redis://127.0.0.1:1", options, &nobody, &err));
    delayq_client_options_free(options);
    CHECK(delayq_client_ping(nobody, &err) == DELAYQ_ERR_UNAVAILABLE);
    CHECK(delayq_error_retryable(err));
    CHECK(strstr(delayq_error_text(err), "secret") == NULL);
    delayq_error_free(err);
    CHECK(delayq_client_ping(nobody, NULL) == DELAYQ_ERR_UNAVAILABLE);
    delayq_client_free(nobody);
}

/* The fallback is for machines without a server; this one has one, unless it is hidden. Must run before any thread. */
static void the_servers_fallback(const char *url) {
    char other[200], path[4096], named[4096] = "";
    snprintf(other, sizeof other, "%s/other", url);
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    if (getenv("DELAYQ_SERVER") != NULL) snprintf(named, sizeof named, "%s", getenv("DELAYQ_SERVER"));
    setenv("PATH", "/nowhere", 1);
    unsetenv("DELAYQ_SERVER");
    delayq_client *none;
    delayq_client_options *options = delayq_client_options_new();
    delayq_client_options_set_server_fallback(options, "/bin/false");
    FAILS(delayq_client_open(other, options, &none, &err), DELAYQ_ERR_UNAVAILABLE, "/bin/false could not");
    CHECK(none == NULL);
    delayq_client_options_free(options);
    setenv("PATH", path, 1);
    if (named[0] != '\0') setenv("DELAYQ_SERVER", named, 1);
}

static void a_cancelled_wait(void) {
    delayq_jobs *jobs;
    delayq_cancel_token *token = delayq_cancel_token_new();
    delayq_pop_options *options = delayq_pop_options_new();
    delayq_pop_options_set_wait_ms(options, 3600 * 1000); /* the test ends, or it has failed */
    delayq_pop_options_set_cancel_token(options, token);
    CHECK(!delayq_cancel_token_is_cancelled(token));
    delayq_cancel_token_cancel(token);
    CHECK(delayq_cancel_token_is_cancelled(token));
    delayq_cancel_token_free(token);
    OK(delayq_queue_pop(queue, 1, options, &jobs, &err));
    CHECK(jobs != NULL && delayq_jobs_len(jobs) == 0);
    delayq_jobs_free(jobs);
    delayq_pop_options_free(options);
}

static void the_end(delayq_client *client) {
    FAILS(delayq_panic_on_purpose(&err), DELAYQ_ERR_INTERNAL, "on purpose");
    CHECK(delayq_panic_on_purpose(NULL) == DELAYQ_ERR_INTERNAL);
    delayq_queue *survivor;
    OK(delayq_client_queue(client, "survivor", NULL, &survivor, &err));
    delayq_client_close(client);
    delayq_client_close(client);
    delayq_jobs *jobs;
    FAILS(delayq_queue_pop(survivor, 1, NULL, &jobs, &err), DELAYQ_ERR_CLOSED, "closed");
    CHECK(jobs == NULL);
    FAILS(delayq_client_ping(client, &err), DELAYQ_ERR_CLOSED, "closed");
    delayq_client_free(client);
    FAILS(delayq_queue_cancel(survivor, "x", NULL, &err), DELAYQ_ERR_CLOSED, "closed");
    delayq_queue_free(survivor);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    delayq_client *client, *second;
    the_servers_fallback(argv[1]);
    OK(delayq_client_open(argv[1], NULL, &client, &err));
    OK(delayq_client_ping(client, &err));
    OK(delayq_client_queue(client, "smoke", NULL, &queue, &err));
    life_of_a_job();
    a_lost_lease();
    too_many_deliveries(client);
    many();
    refusals(argv[1], client);
    options_reach_redis();
    a_cancelled_wait();

    /* A queue outlives the handle of its client. */
    OK(delayq_client_open(argv[1], NULL, &second, &err));
    delayq_queue_free(queue);
    OK(delayq_client_queue(second, "smoke", NULL, &queue, &err));
    delayq_client_free(second);
    enqueue("o", 60000, DELAYQ_MODE_REPLACE, DELAYQ_ENQUEUE_CREATED);
    delayq_queue_free(queue);
    the_end(client);
    await_the_end_of_threads();
    return 0;
}
