/* What is asked of a topic as a whole: numbers, pause, limit, repair, lists. */
#include <math.h>

#include "topic.h"

static void numbers(const delayq_client *client) {
    delayq_stats *stats;
    use(client, "numbers", delayq_retry_policy_new_fixed(0));
    OK(delayq_queue_stats(queue, DELAYQ_DEFAULT, &stats, &err));
    CHECK(strcmp(delayq_stats_topic(stats), "numbers") == 0);
    CHECK(delayq_histogram_count(delayq_stats_lateness(stats)) == 0);
    CHECK(delayq_histogram_p50_ms(delayq_stats_lateness(stats)) == -1);
    CHECK(delayq_histogram_quantile_ms(delayq_stats_processing_time(stats), 1.0) == -1);
    CHECK(!delayq_stats_paused(stats) && delayq_stats_oldest_due_ms(stats) == 0);
    CHECK(!(delayq_stats_rate(stats) > 0.0) && delayq_stats_burst(stats) == 0);
    delayq_stats_free(stats);

    enqueue("done", NULL);
    enqueue("dies", NULL);
    delayq_jobs *jobs = pop(2);
    OK(delayq_queue_release(queue, delayq_jobs_get(jobs, 0), 3600000, NULL, NULL, &err));
    OK(delayq_queue_ack(queue, delayq_jobs_get(jobs, 1), NULL, &err));
    delayq_jobs_free(jobs);
    enqueue("runs", NULL);
    delayq_jobs_free(pop(1));
    enqueue("waits", NULL);
    OK(delayq_queue_stats(queue, 0, &stats, &err));
    CHECK(delayq_stats_backlog(stats) == 2 && delayq_stats_due(stats) == 1 && delayq_stats_overdue(stats) <= 1);
    CHECK(delayq_stats_processing(stats) == 1 && delayq_stats_expired(stats) == 0);
    CHECK(delayq_stats_dead(stats) == 0 && delayq_stats_orphans(stats) == 0);
    CHECK(delayq_stats_counter(stats, "enqueued") == 4 && delayq_stats_counter(stats, "delivered") == 3);
    CHECK(delayq_stats_counter(stats, "released") == 1 && delayq_stats_counter(stats, "nonsense") == 0);
    for (size_t i = 0; delayq_counter_at(i) != NULL; i++) {
        CHECK(delayq_stats_counter_at(stats, i) == delayq_stats_counter(stats, delayq_counter_at(i)));
    }
    const delayq_histogram *lateness = delayq_stats_lateness(stats);
    CHECK(delayq_histogram_count(lateness) == 3);
    CHECK(delayq_histogram_count(delayq_stats_processing_time(stats)) == 1);
    int64_t last = -1;
    uint64_t sum = 0;
    for (size_t i = 0; i < delayq_histogram_buckets_len(lateness); i++) {
        CHECK(delayq_histogram_bucket_upper_ms(lateness, i) > last);
        last = delayq_histogram_bucket_upper_ms(lateness, i);
        sum += delayq_histogram_bucket_count(lateness, i);
    }
    CHECK(sum == 3 && delayq_histogram_quantile_ms(lateness, 1.0) == last);
    CHECK(delayq_histogram_p50_ms(lateness) >= 0);
    CHECK(delayq_histogram_p50_ms(lateness) <= delayq_histogram_p95_ms(lateness));
    CHECK(delayq_histogram_p95_ms(lateness) <= delayq_histogram_p99_ms(lateness));
    CHECK(delayq_histogram_quantile_ms(lateness, NAN) == -1);
    CHECK(delayq_histogram_bucket_upper_ms(lateness, 1000) == -1);
    delayq_stats_free(stats);
    FAILS(delayq_queue_stats(queue, -1, &stats, &err), DELAYQ_ERR_INVALID_ARGUMENT, "overdue_ms is negative");
}

static void what_binds_every_consumer(const delayq_client *client) {
    const delayq_status invalid = DELAYQ_ERR_INVALID_ARGUMENT;
    delayq_stats *stats;
    use(client, "consumers", NULL);
    for (int i = 0; i < 3; i++) enqueue(i == 0 ? "1" : i == 1 ? "2" : "3", NULL);
    OK(delayq_queue_pause(queue, &err));
    delayq_jobs_free(pop(0));
    OK(delayq_queue_limit(queue, 0.001, 2, &err));
    OK(delayq_queue_stats(queue, DELAYQ_DEFAULT, &stats, &err));
    CHECK(delayq_stats_paused(stats) && delayq_stats_burst(stats) == 2);
    CHECK(fabs(delayq_stats_rate(stats) - 0.001) < 1e-9);
    delayq_stats_free(stats);
    OK(delayq_queue_resume(queue, &err));
    delayq_jobs_free(pop(2));
    delayq_jobs_free(pop(0));
    OK(delayq_queue_unlimit(queue, &err));
    delayq_jobs_free(pop(1));
    OK(delayq_queue_limit(queue, 0.5, DELAYQ_DEFAULT, &err));
    OK(delayq_queue_stats(queue, DELAYQ_DEFAULT, &stats, &err));
    CHECK(delayq_stats_burst(stats) == 1);
    delayq_stats_free(stats);
    FAILS(delayq_queue_limit(queue, 0.0, 1, &err), invalid, "rate is 0");
    FAILS(delayq_queue_limit(queue, -1.0, 1, &err), invalid, "rate is -1");
    FAILS(delayq_queue_limit(queue, NAN, 1, &err), invalid, "rate is NaN");
    FAILS(delayq_queue_limit(queue, 1.0, 0, &err), invalid, "burst is 0");
    FAILS(delayq_queue_limit(queue, 1.0, -1, &err), invalid, "burst is -1");
}

static void the_rest(const delayq_client *client) {
    const delayq_status invalid = DELAYQ_ERR_INVALID_ARGUMENT;
    uint64_t checked, rescheduled, orphaned, removed;
    use(client, "rest", NULL);
    enqueue("healthy", NULL);
    OK(delayq_queue_repair(queue, DELAYQ_MAX_SLICE, &checked, &rescheduled, &orphaned, &removed, &err));
    CHECK(checked == 2 && rescheduled == 0 && orphaned == 0 && removed == 0); /* its id and its body */
    FAILS(delayq_queue_repair(queue, 0, NULL, NULL, NULL, NULL, &err), invalid, "limit is 0");
    delayq_job_info_list *list;
    FAILS(delayq_queue_list(queue, DELAYQ_STATE_NONE, 0, 1, &list, &err), invalid, "state is 0");
    FAILS(delayq_queue_list(queue, (delayq_state)42, 0, 1, &list, &err), invalid, "state is 42");
    FAILS(delayq_queue_list(queue, DELAYQ_STATE_DONE, 0, 1, &list, &err), invalid, "done");
    FAILS(delayq_queue_list(queue, DELAYQ_STATE_DEAD, 0, 0, &list, &err), invalid, "limit is 0");
    CHECK(list == NULL);
    FAILS(delayq_queue_purge(queue, DELAYQ_STATE_DONE, 1, NULL, NULL, &err), invalid, "done");
    FAILS(delayq_queue_purge(queue, DELAYQ_STATE_DEAD, DELAYQ_MAX_SLICE + 1, NULL, NULL, &err), invalid, "limit is");
    FAILS(delayq_queue_redrive(queue, 1, -1, NULL, NULL, &err), invalid, "delay_ms is negative");
    const char *const ids[] = {"fine", "\xc3("};
    FAILS(delayq_queue_redrive_ids(queue, ids, 2, 0, NULL, NULL, NULL, &err), invalid, "ids[1] is not valid UTF-8");
    delayq_job_info *info;
    FAILS(delayq_queue_get(queue, "", &info, &err), invalid, "empty");
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    delayq_client *client;
    OK(delayq_client_open(argv[1], NULL, &client, &err));
    numbers(client);
    what_binds_every_consumer(client);
    the_rest(client);
    delayq_queue_free(queue);
    delayq_client_free(client);
    return 0;
}
