/* A worker whose handlers end their deliveries by rules, and what it and they have told. */
#define _POSIX_C_SOURCE 200809L

#include "runner.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WAIT_MS = 20000 }; /* longer than any scenario waits for what happens at once */

/* How handlers end the deliveries of one id, or of all: the form text of the rule, read when it is needed. */
typedef struct rule {
    char *text;
    form part;
} rule;

/* What an event or a handler told. `kind` and `outcome` live as long as the process, the other texts are owned. */
typedef struct entry {
    const char *kind;
    const char *outcome;
    char *topic;
    char *id;
    char *error;
    uint8_t *payload;
    size_t payload_len;
    uint32_t deliveries;
    uint32_t retry_count;
    bool revoked;
} entry;

/* What was told, in its order. */
typedef struct entries {
    entry *all;
    size_t len;
} entries;

static delayq_worker *worker;
static rule *rules;
static size_t rules_len;

/* Both are written by the worker's threads. */
static entries events, ended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *copy(const void *bytes, size_t len) {
    void *copied = bytes == NULL ? NULL : malloc(len + 1);
    if (bytes == NULL) return NULL;
    if (copied == NULL) abort();
    return memcpy(copied, bytes, len);
}

static char *copy_text(const char *text) {
    return text == NULL ? NULL : copy(text, strlen(text) + 1);
}

static void add(entries *to, entry next) {
    pthread_mutex_lock(&lock);
    to->all = realloc(to->all, (to->len + 1) * sizeof *to->all);
    if (to->all == NULL) abort();
    to->all[to->len++] = next;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void tell(const delayq_event *event, void *user) {
    (void)user;
    const delayq_event_kind kind = delayq_event_get_kind(event);
    entry told = {.kind = delayq_event_kind_str(kind), .deliveries = delayq_event_deliveries(event)};
    if (kind == DELAYQ_EVENT_FAILED) told.outcome = delayq_retry_outcome_str(delayq_event_outcome(event));
    told.topic = copy_text(delayq_event_topic(event));
    told.id = copy_text(delayq_event_id(event));
    told.error = copy_text(delayq_event_text(event));
    /* Only the kind of error is the same in every language. */
    if (kind == DELAYQ_EVENT_LOST) told.error[strcspn(told.error, ":")] = '\0';
    add(&events, told);
}

static const form *rule_for(const delayq_job *job) {
    for (size_t i = 0; i < rules_len; i++) {
        const form *part = &rules[i].part;
        const char *id = form_text(part, "id");
        bool is_for = id == NULL || strcmp(id, delayq_job_id(job)) == 0;
        if (is_for && delayq_job_deliveries(job) <= number_or(part, "times", UINT32_MAX)) return part;
    }
    return NULL;
}

static void end_by(const form *part, delayq_delivery *delivery) {
    const char *end = form_text(part, "end"), *error = form_text(part, "error");
    if (end == NULL || strcmp(end, "done") == 0) return;
    if (strcmp(end, "fail") == 0) delayq_delivery_fail(delivery, error, number_or(part, "delay_ms", DELAYQ_DEFAULT));
    else if (strcmp(end, "release") == 0) delayq_delivery_release(delivery, number_or(part, "delay_ms", 0));
    else if (strcmp(end, "dead") == 0) delayq_delivery_dead(delivery, error);
    else if (strcmp(end, "leave") == 0) delayq_delivery_leave(delivery);
    else misuse("end");
}

static void handle(delayq_delivery *delivery, void *user) {
    (void)user;
    int64_t hold_ms;
    const delayq_job *job = delayq_delivery_job(delivery);
    const form *part = rule_for(job);
    if (part != NULL && form_number(part, "hold_ms", &hold_ms)) delayq_delivery_wait_revoked(delivery, hold_ms);
    entry seen = {.deliveries = delayq_job_deliveries(job), .retry_count = delayq_job_retry_count(job)};
    seen.topic = copy_text(delayq_job_topic(job));
    seen.id = copy_text(delayq_job_id(job));
    seen.payload_len = delayq_job_payload_len(job);
    seen.payload = copy(delayq_job_payload(job), seen.payload_len);
    seen.revoked = delayq_delivery_is_revoked(delivery);
    add(&ended, seen);
    if (part != NULL) end_by(part, delivery);
}

static void forget(entries *of) {
    while (of->len > 0) {
        entry *last = &of->all[--of->len];
        free(last->topic);
        free(last->id);
        free(last->error);
        free(last->payload);
    }
    free(of->all);
    of->all = NULL;
}

void end_work(void) {
    delayq_error *err;
    if (worker == NULL) return;
    /* Without patience for handlers that hold their jobs, which the free would have. */
    delayq_worker_stop(worker, 0, &err);
    delayq_worker_free(worker);
    worker = NULL;
    forget(&events);
    forget(&ended);
    while (rules_len > 0) {
        form_free(&rules[--rules_len].part);
        free(rules[rules_len].text);
    }
    free(rules);
    rules = NULL;
}

static void new_worker(const form *request) {
    delayq_worker_options *options = delayq_worker_options_new();
    int64_t number;
    if (form_number(request, "concurrency", &number)) delayq_worker_options_set_concurrency(options, number);
    if (form_number(request, "fetch_ahead", &number)) delayq_worker_options_set_fetch_ahead(options, number);
    if (form_number(request, "sweep_every_ms", &number)) delayq_worker_options_set_sweep_every_ms(options, number);
    delayq_worker_options_set_event_callback(options, tell, NULL);
    worker = delayq_worker_new(options);
    delayq_worker_options_free(options);
}

void run_work(const form *request) {
    end_work();
    new_worker(request);
    size_t len;
    const char **texts = all_texts(request, "end", &rules_len);
    rules = calloc(rules_len + 1, sizeof *rules);
    if (rules == NULL) abort();
    for (size_t i = 0; i < rules_len; i++) {
        rules[i].text = copy_text(texts[i]);
        rules[i].part = form_parse(rules[i].text);
    }
    free(texts);
    const char **topics = all_texts(request, "topic", &len);
    delayq_error *err;
    delayq_status status = len > 0 ? DELAYQ_OK : delayq_worker_handle(worker, queue, handle, NULL, &err);
    for (size_t i = 0; status == DELAYQ_OK && i < len; i++) {
        delayq_queue *served;
        status = delayq_client_queue(client, topics[i], queue_options, &served, &err);
        if (status == DELAYQ_OK) status = delayq_worker_handle(worker, served, handle, NULL, &err);
        delayq_queue_free(served);
    }
    free(topics);
    if (status == DELAYQ_OK) status = delayq_worker_start(worker, &err);
    answer_null(status, err);
}

/* Waits until so many entries are of this kind, any for NULL, or until the time is over; holds the lock. */
static void await(const entries *of, const form *request, const char *kind) {
    const int64_t count = number_or(request, "count", 1), wait_ms = number_or(request, "wait_ms", WAIT_MS);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const int64_t nanos = until.tv_nsec + wait_ms % 1000 * 1000000;
    until.tv_sec += wait_ms / 1000 + nanos / 1000000000;
    until.tv_nsec = nanos % 1000000000;
    for (bool over = false;; over = pthread_cond_timedwait(&changed, &lock, &until) != 0) {
        int64_t found = 0;
        for (size_t i = 0; i < of->len; i++) found += kind == NULL || strcmp(of->all[i].kind, kind) == 0;
        if (found >= count || over) return;
    }
}

static void print_all(const entries *of, void (*print)(const entry *)) {
    begin(DELAYQ_OK);
    putchar('[');
    for (size_t i = 0; i < of->len; i++) {
        fputs(i > 0 ? ", {" : "{", stdout);
        json_field("topic", of->all[i].topic, 1);
        json_field("id", of->all[i].id, 0);
        json_number("deliveries", of->all[i].deliveries == 0 ? -1 : (int64_t)of->all[i].deliveries);
        print(&of->all[i]);
        putchar('}');
    }
    putchar(']');
    finish(DELAYQ_OK, NULL);
}

static void print_event(const entry *told) {
    json_field("kind", told->kind, 0);
    json_field("outcome", told->outcome, 0);
    json_field("error", told->error, 0);
}

static void print_handled(const entry *seen) {
    json_name("payload_hex", 0);
    json_hex(seen->payload, seen->payload_len);
    json_count("retry_count", seen->retry_count, 0);
    json_bool("revoked", seen->revoked, 0);
}

void run_worked(const form *request) {
    pthread_mutex_lock(&lock);
    await(&events, request, needed(request, "kind"));
    print_all(&events, print_event);
    pthread_mutex_unlock(&lock);
}

void run_handled(const form *request) {
    pthread_mutex_lock(&lock);
    await(&ended, request, NULL);
    print_all(&ended, print_handled);
    pthread_mutex_unlock(&lock);
}

void run_health(const form *request) {
    (void)request;
    delayq_health *health;
    delayq_error *err;
    delayq_status status = delayq_worker_health(worker, &health, &err);
    if (begin(status)) {
        putchar('{');
        json_bool("connected", delayq_health_connected(health), 1);
        json_count("running", delayq_health_running(health), 0);
        json_count("waiting", delayq_health_waiting(health), 0);
        json_bool("stopping", delayq_health_stopping(health), 0);
        json_number("oldest_running_ms", delayq_health_oldest_running_ms(health));
        json_number("last_pop_ms", delayq_health_last_pop_ms(health));
        putchar('}');
    }
    delayq_health_free(health);
    finish(status, err);
}

void run_stop(const form *request) {
    delayq_error *err;
    delayq_status status = delayq_worker_stop(worker, number_or(request, "deadline_ms", 0), &err);
    answer_null(status, err);
}
