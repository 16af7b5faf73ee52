/* What may become of a leased job besides an ack: retry by a policy and the dead letter set, release, extend; one or
 * many. */
#include <math.h>

#include "topic.h"

static void is_in(const char *id, delayq_state wanted) {
    delayq_job_info_free(get(id, wanted));
}

static delayq_retry_outcome fail(const char *error, int64_t delay_ms, int64_t *due_at_ms, uint32_t *retry_count) {
    delayq_retry_outcome outcome;
    delayq_jobs *jobs = pop(1);
    const delayq_job *job = delayq_jobs_get(jobs, 0);
    OK(delayq_queue_retry(queue, job, error, delay_ms, &outcome, due_at_ms, retry_count, &err));
    CHECK((*due_at_ms == -1) == (outcome != DELAYQ_RETRY_SCHEDULED));
    delayq_jobs_free(jobs);
    return outcome;
}

static void failures_and_the_dead(const delayq_client *client) {
    int64_t due;
    uint32_t failed;
    uint64_t redriven, orphaned, not_dead, purged, remaining;
    delayq_retry_policy *policy = delayq_retry_policy_new_fixed(0);
    delayq_retry_policy_set_max_retries(policy, 1);
    use(client, "failures", policy);
    enqueue("f", NULL);
    CHECK(fail("not UTF-8: \xff.", DELAYQ_DEFAULT, &due, &failed) == DELAYQ_RETRY_SCHEDULED && failed == 1);
    delayq_job_info *info = get("f", DELAYQ_STATE_SCHEDULED);
    CHECK(strcmp(delayq_job_info_last_error(info), "not UTF-8: \xef\xbf\xbd.") == 0);
    CHECK(delayq_job_info_due_at_ms(info) == due);
    CHECK(delayq_job_info_created_at_ms(info) > 1500000000000 && delayq_job_info_created_at_ms(info) <= due);
    CHECK(delayq_job_info_retry_count(info) == 1 && delayq_job_info_deliveries(info) == 1);
    CHECK(delayq_job_info_payload_len(info) == 7 && memcmp(delayq_job_info_payload(info), "payload", 7) == 0);
    delayq_job_info_free(info);

    CHECK(fail(NULL, DELAYQ_DEFAULT, &due, &failed) == DELAYQ_RETRY_DEAD && failed == 2);
    delayq_job_info_list *dead;
    OK(delayq_queue_list(queue, DELAYQ_STATE_DEAD, 0, DELAYQ_DEFAULT_SLICE, &dead, &err));
    CHECK(delayq_job_info_list_len(dead) == 1 && delayq_job_info_list_get(dead, 1) == NULL);
    CHECK(strcmp(delayq_job_info_id(delayq_job_info_list_get(dead, 0)), "f") == 0);
    delayq_job_info_list_free(dead);
    OK(delayq_queue_list(queue, DELAYQ_STATE_DEAD, (size_t)-1, 1, &dead, &err));
    CHECK(dead != NULL && delayq_job_info_list_len(dead) == 0);
    delayq_job_info_list_free(dead);

    const char *const ids[] = {"f", "nobody"};
    OK(delayq_queue_redrive_ids(queue, ids, 2, 0, &redriven, &orphaned, &not_dead, &err));
    CHECK(redriven == 1 && orphaned == 0 && not_dead == 1);
    info = get("f", DELAYQ_STATE_SCHEDULED);
    CHECK(delayq_job_info_retry_count(info) == 0 && delayq_job_info_deliveries(info) == 0);
    CHECK(delayq_job_info_last_error(info) == NULL);
    delayq_job_info_free(info);
    CHECK(fail("", 0, &due, &failed) == DELAYQ_RETRY_SCHEDULED);
    CHECK(fail("", 0, &due, &failed) == DELAYQ_RETRY_DEAD);
    OK(delayq_queue_redrive(queue, DELAYQ_MAX_SLICE, 60000, &redriven, &orphaned, &err));
    CHECK(redriven == 1 && orphaned == 0);
    is_in("f", DELAYQ_STATE_SCHEDULED);
    enqueue("g", NULL);
    OK(delayq_queue_purge(queue, DELAYQ_STATE_SCHEDULED, 1, &purged, &remaining, &err));
    CHECK(purged == 1 && remaining == 1); /* g, which is due first */
    is_in("f", DELAYQ_STATE_SCHEDULED);
    FAILS(delayq_queue_get(queue, "g", &info, &err), DELAYQ_ERR_NOT_FOUND, "nothing is known");
    CHECK(info == NULL);
}

static void policies(const delayq_client *client) {
    int64_t due;
    uint32_t failed;
    delayq_job_info *info;
    use(client, "policies", NULL);
    delayq_retry_policy *policy = delayq_retry_policy_new_exponential(1000000, 3.0);
    delayq_retry_policy_set_cap_ms(policy, 4000000);
    enqueue("capped", policy);
    delayq_retry_policy_free(policy);
    CHECK(fail("x", DELAYQ_DEFAULT, &due, &failed) == DELAYQ_RETRY_SCHEDULED);
    info = get("capped", DELAYQ_STATE_SCHEDULED);
    CHECK(due - delayq_job_info_created_at_ms(info) >= 3000000); /* 1000000 * 3, under the cap */
    CHECK(due - delayq_job_info_created_at_ms(info) < 4000000);
    delayq_job_info_free(info);

    policy = delayq_retry_policy_new_linear(5000000);
    delayq_retry_policy_set_jitter(policy, 0.5);
    enqueue("linear", policy);
    CHECK(fail("x", DELAYQ_DEFAULT, &due, &failed) == DELAYQ_RETRY_SCHEDULED);
    info = get("linear", DELAYQ_STATE_SCHEDULED);
    CHECK(due - delayq_job_info_created_at_ms(info) >= 2500000);
    delayq_job_info_free(info);

    delayq_retry_policy_set_max_retries(policy, 0);
    enqueue("once", policy);
    CHECK(fail("x", 0, &due, &failed) == DELAYQ_RETRY_DEAD && failed == 1);
    delayq_retry_policy_free(policy);
}

static void refuses_policy(const delayq_client *client, delayq_retry_policy *policy, const char *part) {
    delayq_queue *other;
    delayq_queue_options *options = delayq_queue_options_new();
    delayq_new_job *job = delayq_new_job_new(NULL, 0);
    delayq_new_job_set_id(job, "refused");
    delayq_queue_options_set_retry_policy(options, policy);
    delayq_new_job_set_retry_policy(job, policy);
    delayq_retry_policy_free(policy);
    FAILS(delayq_client_queue(client, "refused", options, &other, &err), DELAYQ_ERR_INVALID_ARGUMENT, part);
    CHECK(delayq_queue_enqueue(queue, job, NULL, &err) == DELAYQ_ERR_INVALID_ARGUMENT);
    CHECK(strstr(delayq_error_message(err), part) != NULL && strcmp(delayq_error_id(err), "refused") == 0);
    delayq_error_free(err);
    delayq_queue_options_set_retry_policy(options, NULL); /* the default again */
    delayq_new_job_set_retry_policy(job, NULL);
    OK(delayq_client_queue(client, "refused", options, &other, &err));
    OK(delayq_queue_enqueue(other, job, NULL, &err));
    delayq_queue_free(other);
    delayq_queue_options_free(options);
    delayq_new_job_free(job);
}

static void bad_policies(const delayq_client *client) {
    refuses_policy(client, delayq_retry_policy_new_exponential(-1, 2.0), "base_ms is negative");
    refuses_policy(client, delayq_retry_policy_new_exponential(1, NAN), "factor is NaN");
    refuses_policy(client, delayq_retry_policy_new_exponential(1, 0.5), "factor is 0.5");
    refuses_policy(client, delayq_retry_policy_new_linear(INT64_MIN), "step_ms is negative");
    refuses_policy(client, delayq_retry_policy_new_fixed(-1), "delay_ms is negative");
    delayq_retry_policy *policies[3];
    for (int i = 0; i < 3; i++) policies[i] = delayq_retry_policy_new_fixed(1);
    delayq_retry_policy_set_cap_ms(policies[0], -1);
    delayq_retry_policy_set_jitter(policies[1], 1.5);
    delayq_retry_policy_set_max_retries(policies[2], -1);
    refuses_policy(client, policies[0], "cap_ms is negative");
    refuses_policy(client, policies[1], "jitter is 1.5");
    refuses_policy(client, policies[2], "max_retries is -1");
}

enum { MANY = 4 };

/* Pops a, b, c and d, and takes c away. */
static delayq_jobs *pop_many(const delayq_job *batch[MANY]) {
    const char *const ids[MANY] = {"a", "b", "c", "d"};
    for (int i = 0; i < MANY; i++) enqueue(ids[i], NULL);
    delayq_jobs *jobs = pop(MANY);
    for (size_t i = 0; i < MANY; i++) batch[i] = delayq_jobs_get(jobs, i);
    OK(delayq_queue_cancel(queue, "c", NULL, &err));
    return jobs;
}

static void empty(void) {
    uint64_t remaining;
    OK(delayq_queue_purge(queue, DELAYQ_STATE_SCHEDULED, DELAYQ_MAX_SLICE, NULL, &remaining, &err));
    CHECK(remaining == 0);
}

static void many(const delayq_client *client) {
    const delayq_job *batch[MANY];
    int64_t times[MANY];
    use(client, "many", delayq_retry_policy_new_fixed(70000));

    delayq_jobs *jobs = pop_many(batch);
    const char *const errors[MANY] = {"first", NULL, "lost", "\xff"};
    const int64_t delays[MANY] = {DELAYQ_DEFAULT, 0, 0, 90000};
    delayq_retry_outcome retried[MANY];
    uint32_t counts[MANY];
    delayq_extend_outcome extended[MANY];
    OK(delayq_queue_extend_many(queue, batch, MANY, 600000, extended, times, &err));
    for (int i = 0; i < MANY; i++) {
        CHECK(extended[i] == (i == 2 ? DELAYQ_EXTEND_LEASE_LOST : DELAYQ_EXTEND_EXTENDED));
        CHECK(i == 2 ? times[i] == -1 : times[i] > delayq_job_lease_until_ms(batch[i]));
    }
    OK(delayq_queue_retry_many(queue, batch, MANY, errors, delays, retried, times, counts, &err));
    for (int i = 0; i < MANY; i++) {
        CHECK(retried[i] == (i == 2 ? DELAYQ_RETRY_LEASE_LOST : DELAYQ_RETRY_SCHEDULED));
        CHECK(counts[i] == (i == 2 ? 0 : 1) && (times[i] == -1) == (i == 2));
    }
    CHECK(times[1] + 70000 == times[0] && times[0] + 20000 == times[3]);
    delayq_job_info *info = get("a", DELAYQ_STATE_SCHEDULED);
    CHECK(strcmp(delayq_job_info_last_error(info), "first") == 0);
    delayq_job_info_free(info);
    delayq_jobs_free(jobs);
    empty();

    jobs = pop_many(batch);
    delayq_release_outcome released[MANY];
    OK(delayq_queue_release_many(queue, batch, MANY, 60000, released, times, &err));
    for (int i = 0; i < MANY; i++) {
        CHECK(released[i] == (i == 2 ? DELAYQ_RELEASE_LEASE_LOST : DELAYQ_RELEASE_RELEASED));
        CHECK(times[i] == (i == 2 ? -1 : times[0]));
    }
    delayq_jobs_free(jobs);
    empty();

    jobs = pop_many(batch);
    delayq_ack_outcome acked[MANY];
    for (int round = 0; round < 2; round++) {
        OK(delayq_queue_ack_many(queue, batch, MANY, acked, &err));
        for (int i = 0; i < MANY; i++) {
            CHECK(acked[i] == (i == 2 ? DELAYQ_ACK_LEASE_LOST : round == 0 ? DELAYQ_ACK_ACKED : DELAYQ_ACK_ALREADY));
        }
    }
    is_in("a", DELAYQ_STATE_DONE);
    delayq_release_outcome late;
    OK(delayq_queue_release(queue, batch[0], 0, &late, &times[0], &err));
    CHECK(late == DELAYQ_RELEASE_DONE && times[0] == -1);

    /* A refused batch gives no outcome and changes nothing. */
    const int64_t bad[MANY] = {0, 0, 0, -1};
    FAILS(delayq_queue_retry_many(queue, batch, MANY, NULL, bad, retried, times, counts, &err),
          DELAYQ_ERR_INVALID_ARGUMENT, "delays_ms[3] is negative");
    for (int i = 0; i < MANY; i++) CHECK(retried[i] == DELAYQ_RETRY_NONE && times[i] == -1 && counts[i] == 0);
    FAILS(delayq_queue_release_many(queue, batch, MANY, -1, released, NULL, &err), DELAYQ_ERR_INVALID_ARGUMENT,
          "delay_ms is negative");
    CHECK(released[0] == DELAYQ_RELEASE_NONE && released[MANY - 1] == DELAYQ_RELEASE_NONE);
    delayq_jobs_free(jobs);
}

static void a_lost_lease(const delayq_client *client) {
    int64_t time = 1;
    uint32_t count = 1;
    delayq_retry_outcome retried;
    delayq_release_outcome released;
    delayq_extend_outcome extended;
    use(client, "lost", NULL);
    enqueue("l", NULL);
    delayq_jobs *jobs = pop(1);
    const delayq_job *job = delayq_jobs_get(jobs, 0);
    OK(delayq_queue_extend(queue, job, DELAYQ_DEFAULT, &extended, &time, &err));
    CHECK(extended == DELAYQ_EXTEND_EXTENDED && time >= delayq_job_lease_until_ms(job));
    OK(delayq_queue_extend(queue, job, 100000, NULL, &time, &err));
    CHECK(time >= delayq_job_lease_until_ms(job) + 70000);
    delayq_job_info *info = get("l", DELAYQ_STATE_PROCESSING);
    CHECK(delayq_job_info_lease_until_ms(info) == time);
    delayq_job_info_free(info);

    const delayq_status invalid = DELAYQ_ERR_INVALID_ARGUMENT, lost = DELAYQ_ERR_LEASE_LOST;
    FAILS(delayq_queue_extend(queue, job, 0, NULL, NULL, &err), invalid, "lease is zero");
    FAILS(delayq_queue_extend(queue, job, -1, NULL, NULL, &err), invalid, "lease_ms is negative");
    FAILS(delayq_queue_release(queue, job, DELAYQ_DEFAULT, NULL, NULL, &err), invalid, "delay_ms is negative");
    CHECK(delayq_queue_retry(queue, job, NULL, -1, NULL, NULL, NULL, &err) == invalid);
    CHECK(strcmp(delayq_error_verb(err), "retry") == 0 && strcmp(delayq_error_topic(err), "lost") == 0);
    CHECK(strcmp(delayq_error_id(err), "l") == 0);
    delayq_error_free(err);
    OK(delayq_queue_release(queue, job, 0, &released, &time, &err));
    CHECK(released == DELAYQ_RELEASE_RELEASED && time > 0);

    FAILS(delayq_queue_extend(queue, job, 1, &extended, &time, &err), lost, "not held");
    CHECK(extended == DELAYQ_EXTEND_NONE && time == -1);
    FAILS(delayq_queue_retry(queue, job, "x", 0, &retried, &time, &count, &err), lost, "not held");
    CHECK(retried == DELAYQ_RETRY_NONE && time == -1 && count == 0);
    FAILS(delayq_queue_release(queue, job, 0, &released, &time, &err), lost, "not held");
    CHECK(released == DELAYQ_RELEASE_NONE);
    delayq_jobs_free(jobs);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    delayq_client *client;
    OK(delayq_client_open(argv[1], NULL, &client, &err));
    failures_and_the_dead(client);
    policies(client);
    bad_policies(client);
    many(client);
    a_lost_lease(client);
    delayq_queue_free(queue);
    delayq_client_free(client);
    return 0;
}
