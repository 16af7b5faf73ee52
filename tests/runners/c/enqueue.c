/* Policies, jobs to enqueue, and enqueuing them. */
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

delayq_retry_policy *policy_of(const form *request) {
    size_t place = 0;
    const pair *text = form_next(request, "policy", &place);
    if (text == NULL) return NULL;
    form part = form_parse(text->value);
    const char *kind = needed(&part, "kind"), *factor = form_text(&part, "factor"), *jitter = form_text(&part, "jitter");
    int64_t base = number_or(&part, "base_ms", -1), number;
    delayq_retry_policy *policy = NULL;
    if (strcmp(kind, "exponential") == 0) {
        policy = delayq_retry_policy_new_exponential(base, factor == NULL ? 2.0 : strtod(factor, NULL));
    } else if (strcmp(kind, "linear") == 0) {
        policy = delayq_retry_policy_new_linear(base);
    } else if (strcmp(kind, "fixed") == 0) {
        policy = delayq_retry_policy_new_fixed(base);
    } else {
        misuse("kind");
    }
    if (form_number(&part, "cap_ms", &number)) delayq_retry_policy_set_cap_ms(policy, number);
    if (jitter != NULL) delayq_retry_policy_set_jitter(policy, strtod(jitter, NULL));
    if (form_number(&part, "max_retries", &number)) delayq_retry_policy_set_max_retries(policy, number);
    form_free(&part);
    return policy;
}

static delayq_mode mode_of(const char *word) {
    const delayq_mode modes[] = {DELAYQ_MODE_REPLACE, DELAYQ_MODE_KEEP, DELAYQ_MODE_RESCHEDULE};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(word, delayq_mode_str(modes[i])) == 0) return modes[i];
    }
    misuse("mode");
    return DELAYQ_MODE_REPLACE;
}

static delayq_new_job *new_job(const form *request) {
    size_t place = 0;
    const pair *payload = form_next(request, "payload", &place);
    const char *text;
    int64_t ms;
    delayq_new_job *job = delayq_new_job_new(payload == NULL ? NULL : payload->value,
                                             payload == NULL ? 0 : payload->len);
    if ((text = form_text(request, "id")) != NULL) delayq_new_job_set_id(job, text);
    if (form_number(request, "delay_ms", &ms)) delayq_new_job_set_delay_ms(job, ms);
    if (form_number(request, "at_ms", &ms)) delayq_new_job_set_at_ms(job, ms);
    if ((text = form_text(request, "mode")) != NULL) delayq_new_job_set_mode(job, mode_of(text));
    if ((text = form_text(request, "ignore_done")) != NULL) {
        delayq_new_job_set_ignore_done(job, strcmp(text, "1") == 0);
    }
    delayq_retry_policy *policy = policy_of(request);
    delayq_new_job_set_retry_policy(job, policy);
    delayq_retry_policy_free(policy);
    return job;
}

static void print_enqueued(const delayq_enqueued *enqueued) {
    putchar('{');
    json_field("id", delayq_enqueued_id(enqueued), 1);
    json_number("due_at_ms", delayq_enqueued_due_at_ms(enqueued));
    json_field("outcome", delayq_enqueue_outcome_str(delayq_enqueued_outcome(enqueued)), 0);
    putchar('}');
}

void run_enqueue(const form *request) {
    delayq_new_job *job = new_job(request);
    delayq_enqueued *enqueued;
    delayq_error *err;
    delayq_status status = delayq_queue_enqueue(queue, job, &enqueued, &err);
    if (begin(status)) print_enqueued(enqueued);
    delayq_enqueued_free(enqueued);
    delayq_new_job_free(job);
    finish(status, err);
}

void run_enqueue_many(const form *request) {
    delayq_new_job **jobs = calloc(request->len, sizeof *jobs);
    if (jobs == NULL) abort();
    size_t len = 0, place = 0;
    const pair *text;
    while ((text = form_next(request, "job", &place)) != NULL) {
        form inner = form_parse(text->value);
        jobs[len++] = new_job(&inner);
        form_free(&inner);
    }
    delayq_enqueued_list *list;
    delayq_error *err;
    delayq_status status =
        delayq_queue_enqueue_many(queue, (const delayq_new_job *const *)jobs, len, &list, &err);
    if (begin(status)) {
        putchar('[');
        for (size_t i = 0; i < delayq_enqueued_list_len(list); i++) {
            if (i > 0) fputs(", ", stdout);
            print_enqueued(delayq_enqueued_list_get(list, i));
        }
        putchar(']');
    }
    delayq_enqueued_list_free(list);
    while (len > 0) delayq_new_job_free(jobs[--len]);
    free(jobs);
    finish(status, err);
}
