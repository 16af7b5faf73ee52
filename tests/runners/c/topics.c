/* What is asked of a topic rather than of a leased job. */
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void run_requeue(const form *request) {
    uint64_t requeued, dead, orphaned;
    delayq_error *err;
    delayq_status status = delayq_queue_requeue(
        queue, (size_t)number_or(request, "limit", DELAYQ_DEFAULT_SLICE), &requeued, &dead, &orphaned, &err);
    if (begin(status)) {
        putchar('{');
        json_count("requeued", requeued, 1);
        json_count("dead", dead, 0);
        json_count("orphaned", orphaned, 0);
        putchar('}');
    }
    finish(status, err);
}

void run_cancel(const form *request) {
    delayq_cancel_outcome outcome;
    delayq_error *err;
    delayq_status status = delayq_queue_cancel(queue, needed(request, "id"), &outcome, &err);
    answer_word(status, delayq_cancel_outcome_str(outcome), err);
}

static void print_info(const delayq_job_info *info) {
    putchar('{');
    json_field("topic", delayq_job_info_topic(info), 1);
    json_field("id", delayq_job_info_id(info), 0);
    json_field("state", delayq_state_str(delayq_job_info_state(info)), 0);
    json_name("payload_hex", 0);
    if (delayq_job_info_payload(info) == NULL) fputs("null", stdout);
    else json_hex(delayq_job_info_payload(info), delayq_job_info_payload_len(info));
    json_number("due_at_ms", delayq_job_info_due_at_ms(info));
    json_number("created_at_ms", delayq_job_info_created_at_ms(info));
    json_number("picked_at_ms", delayq_job_info_picked_at_ms(info));
    json_number("lease_until_ms", delayq_job_info_lease_until_ms(info));
    json_number("died_at_ms", delayq_job_info_died_at_ms(info));
    json_number("orphaned_at_ms", delayq_job_info_orphaned_at_ms(info));
    json_count("retry_count", delayq_job_info_retry_count(info), 0);
    json_count("deliveries", delayq_job_info_deliveries(info), 0);
    json_field("last_error", delayq_job_info_last_error(info), 0);
    putchar('}');
}

void run_get(const form *request) {
    delayq_job_info *info;
    delayq_error *err;
    delayq_status status = delayq_queue_get(queue, needed(request, "id"), &info, &err);
    if (begin(status)) print_info(info);
    finish(status, err);
    delayq_job_info_free(info);
}

/* The state of a word; of a word that is none, a number that is none. */
static delayq_state state_of(const char *word) {
    delayq_state state = DELAYQ_STATE_SCHEDULED;
    while (delayq_state_str(state) != NULL && strcmp(word, delayq_state_str(state)) != 0) {
        state = (delayq_state)(state + 1);
    }
    return state;
}

void run_list(const form *request) {
    delayq_job_info_list *list;
    delayq_error *err;
    delayq_status status = delayq_queue_list(
        queue, state_of(needed(request, "state")), (size_t)number_or(request, "offset", 0),
        (size_t)number_or(request, "limit", DELAYQ_DEFAULT_SLICE), &list, &err);
    if (begin(status)) {
        putchar('[');
        for (size_t i = 0; i < delayq_job_info_list_len(list); i++) {
            if (i > 0) fputs(", ", stdout);
            print_info(delayq_job_info_list_get(list, i));
        }
        putchar(']');
    }
    finish(status, err);
    delayq_job_info_list_free(list);
}

void run_redrive(const form *request) {
    size_t ids_len;
    const char **ids = all_texts(request, "id", &ids_len);
    int64_t delay_ms = number_or(request, "delay_ms", 0);
    uint64_t redriven, orphaned, not_dead = 0;
    delayq_error *err;
    delayq_status status =
        ids_len > 0 ? delayq_queue_redrive_ids(queue, ids, ids_len, delay_ms, &redriven, &orphaned, &not_dead, &err)
                    : delayq_queue_redrive(queue, (size_t)number_or(request, "limit", DELAYQ_DEFAULT_SLICE), delay_ms,
                                           &redriven, &orphaned, &err);
    free(ids);
    if (begin(status)) {
        putchar('{');
        json_count("redriven", redriven, 1);
        json_count("orphaned", orphaned, 0);
        json_count("not_dead", not_dead, 0);
        putchar('}');
    }
    finish(status, err);
}

void run_purge(const form *request) {
    uint64_t purged, remaining;
    delayq_error *err;
    delayq_status status =
        delayq_queue_purge(queue, state_of(needed(request, "state")),
                           (size_t)number_or(request, "limit", DELAYQ_MAX_SLICE), &purged, &remaining, &err);
    if (begin(status)) {
        putchar('{');
        json_count("purged", purged, 1);
        json_count("remaining", remaining, 0);
        putchar('}');
    }
    finish(status, err);
}

void run_repair(const form *request) {
    uint64_t checked, rescheduled, orphaned, removed;
    delayq_error *err;
    delayq_status status = delayq_queue_repair(queue, (size_t)number_or(request, "limit", DELAYQ_MAX_SLICE), &checked,
                                               &rescheduled, &orphaned, &removed, &err);
    if (begin(status)) {
        putchar('{');
        json_count("checked", checked, 1);
        json_count("rescheduled", rescheduled, 0);
        json_count("orphaned", orphaned, 0);
        json_count("removed", removed, 0);
        putchar('}');
    }
    finish(status, err);
}

static void print_histogram(const char *name, const delayq_histogram *histogram) {
    json_name(name, 0);
    putchar('{');
    json_count("count", delayq_histogram_count(histogram), 1);
    json_number("p50_ms", delayq_histogram_p50_ms(histogram));
    json_number("p95_ms", delayq_histogram_p95_ms(histogram));
    json_number("p99_ms", delayq_histogram_p99_ms(histogram));
    putchar('}');
}

static void print_stats(const delayq_stats *stats) {
    putchar('{');
    json_count("backlog", delayq_stats_backlog(stats), 1);
    json_count("due", delayq_stats_due(stats), 0);
    json_count("overdue", delayq_stats_overdue(stats), 0);
    json_number("oldest_due_ms", delayq_stats_oldest_due_ms(stats));
    json_count("processing", delayq_stats_processing(stats), 0);
    json_count("expired", delayq_stats_expired(stats), 0);
    json_count("dead", delayq_stats_dead(stats), 0);
    json_count("orphans", delayq_stats_orphans(stats), 0);
    json_bool("paused", delayq_stats_paused(stats), 0);
    json_name("rate", 0);
    if (delayq_stats_rate(stats) > 0) printf("%.17g", delayq_stats_rate(stats));
    else fputs("null", stdout);
    json_number("burst", delayq_stats_burst(stats) > 0 ? (int64_t)delayq_stats_burst(stats) : -1);
    json_name("counters", 0);
    putchar('{');
    for (size_t i = 0; delayq_counter_at(i) != NULL; i++) {
        json_count(delayq_counter_at(i), delayq_stats_counter_at(stats, i), i == 0);
    }
    putchar('}');
    print_histogram("lateness", delayq_stats_lateness(stats));
    print_histogram("processing_time", delayq_stats_processing_time(stats));
    putchar('}');
}

void run_stats(const form *request) {
    delayq_stats *stats;
    delayq_error *err;
    delayq_status status = delayq_queue_stats(queue, number_or(request, "overdue_ms", DELAYQ_DEFAULT), &stats, &err);
    if (begin(status)) print_stats(stats);
    finish(status, err);
    delayq_stats_free(stats);
}

void run_pause(const form *request) {
    (void)request;
    delayq_error *err;
    delayq_status status = delayq_queue_pause(queue, &err);
    answer_null(status, err);
}

void run_resume(const form *request) {
    (void)request;
    delayq_error *err;
    delayq_status status = delayq_queue_resume(queue, &err);
    answer_null(status, err);
}

void run_limit(const form *request) {
    const char *rate = needed(request, "rate");
    delayq_error *err;
    delayq_status status =
        rate[0] == '\0' ? delayq_queue_unlimit(queue, &err)
                        : delayq_queue_limit(queue, strtod(rate, NULL), number_or(request, "burst", DELAYQ_DEFAULT), &err);
    answer_null(status, err);
}
