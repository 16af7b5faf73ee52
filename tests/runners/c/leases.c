/* Jobs that were popped, and what is reported of them. */
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The jobs of a pop, kept under a name. */
typedef struct kept {
    char *name;
    delayq_jobs *jobs;
    struct kept *next;
} kept;

static kept *keeps;

static void print_job(const delayq_job *job) {
    putchar('{');
    json_field("topic", delayq_job_topic(job), 1);
    json_field("id", delayq_job_id(job), 0);
    json_name("payload_hex", 0);
    json_hex(delayq_job_payload(job), delayq_job_payload_len(job));
    json_count("retry_count", delayq_job_retry_count(job), 0);
    json_count("deliveries", delayq_job_deliveries(job), 0);
    json_time("created_at_ms", delayq_job_created_at_ms(job));
    json_time("due_at_ms", delayq_job_due_at_ms(job));
    json_time("lease_until_ms", delayq_job_lease_until_ms(job));
    json_field("receipt", delayq_job_receipt(job), 0);
    putchar('}');
}

static void keep(const char *name, delayq_jobs *jobs) {
    kept *place = keeps;
    while (place != NULL && strcmp(place->name, name) != 0) place = place->next;
    if (place == NULL) {
        place = calloc(1, sizeof *place);
        char *copy = malloc(strlen(name) + 1);
        if (place == NULL || copy == NULL) abort();
        place->name = strcpy(copy, name);
        place->next = keeps;
        keeps = place;
    }
    delayq_jobs_free(place->jobs);
    place->jobs = jobs;
}

void forget_jobs(void) {
    while (keeps != NULL) {
        kept *next = keeps->next;
        delayq_jobs_free(keeps->jobs);
        free(keeps->name);
        free(keeps);
        keeps = next;
    }
}

void run_pop(const form *request) {
    delayq_pop_options *options = delayq_pop_options_new();
    int64_t ms;
    if (form_number(request, "lease_ms", &ms)) delayq_pop_options_set_lease_ms(options, ms);
    if (form_number(request, "wait_ms", &ms)) delayq_pop_options_set_wait_ms(options, ms);
    delayq_jobs *jobs;
    delayq_error *err;
    delayq_status status = delayq_queue_pop(queue, (size_t)number_or(request, "max", 1), options, &jobs, &err);
    delayq_pop_options_free(options);
    if (begin(status)) {
        putchar('[');
        for (size_t i = 0; i < delayq_jobs_len(jobs); i++) {
            if (i > 0) fputs(", ", stdout);
            print_job(delayq_jobs_get(jobs, i));
        }
        putchar(']');
        const char *name = form_text(request, "as");
        keep(name == NULL ? "jobs" : name, jobs);
    }
    finish(status, err);
}

/* The kept job of that name and place, `jobs.0`. */
static const delayq_job *kept_job(const char *text) {
    const char *dot = strrchr(text, '.');
    const delayq_job *job = NULL;
    for (kept *place = keeps; dot != NULL && place != NULL; place = place->next) {
        size_t len = strlen(place->name);
        if (len == (size_t)(dot - text) && memcmp(place->name, text, len) == 0) {
            job = delayq_jobs_get(place->jobs, strtoul(dot + 1, NULL, 10));
        }
    }
    if (job == NULL) misuse("job");
    return job;
}

/* The jobs of a batch, and room for what becomes of each. */
typedef struct batch {
    const delayq_job **jobs;
    int64_t *times;
    size_t len;
} batch;

static void *zeros(size_t count, size_t size) {
    void *array = calloc(count + 1, size);
    if (array == NULL) abort();
    return array;
}

static batch batch_of(const form *request) {
    batch of;
    const char **names = all_texts(request, "job", &of.len);
    of.jobs = zeros(of.len, sizeof *of.jobs);
    of.times = zeros(of.len, sizeof *of.times);
    for (size_t i = 0; i < of.len; i++) of.jobs[i] = kept_job(names[i]);
    free(names);
    return of;
}

static void free_batch(batch of) {
    free(of.jobs);
    free(of.times);
}

void run_ack(const form *request) {
    delayq_ack_outcome outcome;
    delayq_error *err;
    delayq_status status = delayq_queue_ack(queue, kept_job(needed(request, "job")), &outcome, &err);
    answer_word(status, delayq_ack_outcome_str(outcome), err);
}

void run_ack_many(const form *request) {
    batch of = batch_of(request);
    delayq_ack_outcome *outcomes = zeros(of.len, sizeof *outcomes);
    delayq_error *err;
    delayq_status status = delayq_queue_ack_many(queue, of.jobs, of.len, outcomes, &err);
    if (begin(status)) {
        putchar('[');
        for (size_t i = 0; i < of.len; i++) {
            if (i > 0) fputs(", ", stdout);
            json_text(delayq_ack_outcome_str(outcomes[i]));
        }
        putchar(']');
    }
    finish(status, err);
    free(outcomes);
    free_batch(of);
}

/* `{"outcome": …, "<time>": …`, still open, after a comma unless it is the first. */
static void print_outcome(const char *outcome, const char *name, int64_t time, int first) {
    fputs(first ? "{" : ", {", stdout);
    json_field("outcome", outcome, 1);
    json_number(name, time);
}

void run_retry(const form *request) {
    delayq_retry_outcome outcome;
    int64_t due_at_ms;
    uint32_t retry_count;
    delayq_error *err;
    delayq_status status = delayq_queue_retry(queue, kept_job(needed(request, "job")), form_text(request, "error"),
                                              number_or(request, "delay_ms", DELAYQ_DEFAULT), &outcome, &due_at_ms,
                                              &retry_count, &err);
    if (begin(status)) {
        print_outcome(delayq_retry_outcome_str(outcome), "due_at_ms", due_at_ms, 1);
        json_count("retry_count", retry_count, 0);
        putchar('}');
    }
    finish(status, err);
}

void run_retry_many(const form *request) {
    size_t len, place = 0;
    free(all_texts(request, "job", &len));
    const delayq_job **jobs = zeros(len, sizeof *jobs);
    const char **errors = zeros(len, sizeof *errors);
    int64_t *times = zeros(len, sizeof *times), *delays = zeros(len, sizeof *delays);
    uint32_t *counts = zeros(len, sizeof *counts);
    delayq_retry_outcome *outcomes = zeros(len, sizeof *outcomes);
    for (size_t i = 0; i < len; i++) {
        form part = form_parse(form_next(request, "job", &place)->value);
        jobs[i] = kept_job(needed(&part, "job"));
        errors[i] = form_text(&part, "error"); /* lives as long as the request */
        delays[i] = number_or(&part, "delay_ms", DELAYQ_DEFAULT);
        form_free(&part);
    }
    delayq_error *err;
    delayq_status status =
        delayq_queue_retry_many(queue, jobs, len, errors, delays, outcomes, times, counts, &err);
    if (begin(status)) {
        putchar('[');
        for (size_t i = 0; i < len; i++) {
            print_outcome(delayq_retry_outcome_str(outcomes[i]), "due_at_ms", times[i], i == 0);
            json_count("retry_count", counts[i], 0);
            putchar('}');
        }
        putchar(']');
    }
    finish(status, err);
    free(jobs);
    free(errors);
    free(times);
    free(delays);
    free(counts);
    free(outcomes);
}

void run_release(const form *request) {
    delayq_release_outcome outcome;
    int64_t due_at_ms;
    delayq_error *err;
    delayq_status status = delayq_queue_release(queue, kept_job(needed(request, "job")),
                                                number_or(request, "delay_ms", 0), &outcome, &due_at_ms, &err);
    if (begin(status)) {
        print_outcome(delayq_release_outcome_str(outcome), "due_at_ms", due_at_ms, 1);
        putchar('}');
    }
    finish(status, err);
}

void run_release_many(const form *request) {
    batch of = batch_of(request);
    delayq_release_outcome *outcomes = zeros(of.len, sizeof *outcomes);
    delayq_error *err;
    delayq_status status = delayq_queue_release_many(queue, of.jobs, of.len, number_or(request, "delay_ms", 0),
                                                     outcomes, of.times, &err);
    if (begin(status)) {
        putchar('[');
        for (size_t i = 0; i < of.len; i++) {
            print_outcome(delayq_release_outcome_str(outcomes[i]), "due_at_ms", of.times[i], i == 0);
            putchar('}');
        }
        putchar(']');
    }
    finish(status, err);
    free(outcomes);
    free_batch(of);
}

void run_extend(const form *request) {
    delayq_extend_outcome outcome;
    int64_t lease_until_ms;
    delayq_error *err;
    delayq_status status =
        delayq_queue_extend(queue, kept_job(needed(request, "job")), number_or(request, "lease_ms", DELAYQ_DEFAULT),
                            &outcome, &lease_until_ms, &err);
    if (begin(status)) {
        print_outcome(delayq_extend_outcome_str(outcome), "lease_until_ms", lease_until_ms, 1);
        putchar('}');
    }
    finish(status, err);
}

void run_extend_many(const form *request) {
    batch of = batch_of(request);
    delayq_extend_outcome *outcomes = zeros(of.len, sizeof *outcomes);
    delayq_error *err;
    delayq_status status = delayq_queue_extend_many(
        queue, of.jobs, of.len, number_or(request, "lease_ms", DELAYQ_DEFAULT), outcomes, of.times, &err);
    if (begin(status)) {
        putchar('[');
        for (size_t i = 0; i < of.len; i++) {
            print_outcome(delayq_extend_outcome_str(outcomes[i]), "lease_until_ms", of.times[i], i == 0);
            putchar('}');
        }
        putchar(']');
    }
    finish(status, err);
    free(outcomes);
    free_batch(of);
}
