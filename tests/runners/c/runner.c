/* The C runner: does what it is told over delayq.h; its language is in tests/README.md. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "delayq.h"
#include "form.h"
#include "json.h"

/* Exported for this runner only. */
delayq_status delayq_panic_on_purpose(delayq_error **err);

/* The jobs of a pop, kept under a name. */
typedef struct kept {
    char *name;
    delayq_jobs *jobs;
    struct kept *next;
} kept;

static delayq_client *client;
static delayq_queue *queue;
static kept *keeps;

/* A request that this runner does not have; scenarios never expect it. */
static void misuse(const char *what) {
    fprintf(stderr, "the C runner was asked nonsense: %s\n", what);
    exit(2);
}

static const char *needed(const form *request, const char *key) {
    const char *text = form_text(request, key);
    if (text == NULL) misuse(key);
    return text;
}

/* Ends the answer of a call. */
static void finish(delayq_status status, delayq_error *err) {
    if (status == DELAYQ_OK) return;
    if (status != delayq_error_kind(err)) misuse("a status that is not the error's");
    fputs("{\"error\": {", stdout);
    json_name("kind", 1);
    json_text(delayq_error_slug(err));
    json_name("message", 0);
    json_text(delayq_error_message(err));
    json_name("verb", 0);
    json_text(delayq_error_verb(err));
    json_name("topic", 0);
    json_text(delayq_error_topic(err));
    json_name("id", 0);
    json_text(delayq_error_id(err));
    json_name("retryable", 0);
    fputs(delayq_error_retryable(err) ? "true}}" : "false}}", stdout);
    delayq_error_free(err);
}

static void answer_null(delayq_status status, delayq_error *err) {
    if (status == DELAYQ_OK) fputs("{\"ok\": null}", stdout);
    finish(status, err);
}

static void answer_word(delayq_status status, const char *word, delayq_error *err) {
    if (status == DELAYQ_OK) {
        fputs("{\"ok\": ", stdout);
        json_text(word);
        putchar('}');
    }
    finish(status, err);
}

static void run_open(const form *request) {
    delayq_client_options *options = delayq_client_options_new();
    delayq_error *err;
    const char *text;
    int64_t ms;
    if ((text = form_text(request, "prefix")) != NULL) delayq_client_options_set_prefix(options, text);
    if ((text = form_text(request, "username")) != NULL) delayq_client_options_set_username(options, text);
    if ((text = form_text(request, "password")) != NULL) delayq_client_options_set_password(options, text);
    if (form_number(request, "connect_timeout_ms", &ms)) delayq_client_options_set_connect_timeout_ms(options, ms);
    if (form_number(request, "timeout_ms", &ms)) delayq_client_options_set_timeout_ms(options, ms);
    if (form_number(request, "retry_for_ms", &ms)) delayq_client_options_set_retry_for_ms(options, ms);
    delayq_client *opened;
    delayq_status status = delayq_client_open(needed(request, "url"), options, &opened, &err);
    delayq_client_options_free(options);
    if (status == DELAYQ_OK) {
        delayq_client_free(client);
        client = opened;
    }
    answer_null(status, err);
}

static void run_queue(const form *request) {
    delayq_queue_options *options = delayq_queue_options_new();
    delayq_error *err;
    int64_t number;
    if (form_number(request, "lease_ms", &number)) delayq_queue_options_set_lease_ms(options, number);
    if (form_number(request, "done_ttl_ms", &number)) delayq_queue_options_set_done_ttl_ms(options, number);
    if (form_number(request, "job_ttl_ms", &number)) delayq_queue_options_set_job_ttl_ms(options, number);
    if (form_number(request, "max_payload", &number)) delayq_queue_options_set_max_payload(options, (size_t)number);
    if (form_number(request, "max_deliveries", &number)) delayq_queue_options_set_max_deliveries(options, number);
    delayq_queue *opened;
    delayq_status status = delayq_client_queue(client, needed(request, "topic"), options, &opened, &err);
    delayq_queue_options_free(options);
    if (status == DELAYQ_OK) {
        delayq_queue_free(queue);
        queue = opened;
    }
    answer_null(status, err);
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
    delayq_new_job *job = delayq_new_job_new(payload == NULL ? NULL : (const uint8_t *)payload->value,
                                             payload == NULL ? 0 : payload->len);
    if ((text = form_text(request, "id")) != NULL) delayq_new_job_set_id(job, text);
    if (form_number(request, "delay_ms", &ms)) delayq_new_job_set_delay_ms(job, ms);
    if (form_number(request, "at_ms", &ms)) delayq_new_job_set_at_ms(job, ms);
    if ((text = form_text(request, "mode")) != NULL) delayq_new_job_set_mode(job, mode_of(text));
    if ((text = form_text(request, "ignore_done")) != NULL) {
        delayq_new_job_set_ignore_done(job, strcmp(text, "1") == 0);
    }
    return job;
}

static void print_enqueued(const delayq_enqueued *enqueued) {
    putchar('{');
    json_name("id", 1);
    json_text(delayq_enqueued_id(enqueued));
    json_name("due_at_ms", 0);
    if (delayq_enqueued_due_at_ms(enqueued) < 0) fputs("null", stdout);
    else printf("%" PRId64, delayq_enqueued_due_at_ms(enqueued));
    json_name("outcome", 0);
    json_text(delayq_enqueue_outcome_str(delayq_enqueued_outcome(enqueued)));
    putchar('}');
}

static void run_enqueue(const form *request) {
    delayq_new_job *job = new_job(request);
    delayq_enqueued *enqueued;
    delayq_error *err;
    delayq_status status = delayq_queue_enqueue(queue, job, &enqueued, &err);
    if (status == DELAYQ_OK) {
        fputs("{\"ok\": ", stdout);
        print_enqueued(enqueued);
        putchar('}');
    }
    delayq_enqueued_free(enqueued);
    delayq_new_job_free(job);
    finish(status, err);
}

static void run_enqueue_many(const form *request) {
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
    if (status == DELAYQ_OK) {
        fputs("{\"ok\": [", stdout);
        for (size_t i = 0; i < delayq_enqueued_list_len(list); i++) {
            if (i > 0) fputs(", ", stdout);
            print_enqueued(delayq_enqueued_list_get(list, i));
        }
        fputs("]}", stdout);
    }
    delayq_enqueued_list_free(list);
    while (len > 0) delayq_new_job_free(jobs[--len]);
    free(jobs);
    finish(status, err);
}

static void print_job(const delayq_job *job) {
    putchar('{');
    json_name("topic", 1);
    json_text(delayq_job_topic(job));
    json_name("id", 0);
    json_text(delayq_job_id(job));
    json_name("payload_hex", 0);
    json_hex(delayq_job_payload(job), delayq_job_payload_len(job));
    printf(", \"retry_count\": %" PRIu32 ", \"deliveries\": %" PRIu32, delayq_job_retry_count(job),
           delayq_job_deliveries(job));
    printf(", \"created_at_ms\": %" PRId64 ", \"due_at_ms\": %" PRId64 ", \"lease_until_ms\": %" PRId64,
           delayq_job_created_at_ms(job), delayq_job_due_at_ms(job), delayq_job_lease_until_ms(job));
    json_name("receipt", 0);
    json_text(delayq_job_receipt(job));
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

static void run_pop(const form *request) {
    delayq_pop_options *options = delayq_pop_options_new();
    int64_t max = 1, ms;
    (void)form_number(request, "max", &max);
    if (form_number(request, "lease_ms", &ms)) delayq_pop_options_set_lease_ms(options, ms);
    if (form_number(request, "wait_ms", &ms)) delayq_pop_options_set_wait_ms(options, ms);
    delayq_jobs *jobs;
    delayq_error *err;
    delayq_status status = delayq_queue_pop(queue, (size_t)max, options, &jobs, &err);
    delayq_pop_options_free(options);
    if (status == DELAYQ_OK) {
        fputs("{\"ok\": [", stdout);
        for (size_t i = 0; i < delayq_jobs_len(jobs); i++) {
            if (i > 0) fputs(", ", stdout);
            print_job(delayq_jobs_get(jobs, i));
        }
        fputs("]}", stdout);
        const char *name = form_text(request, "as");
        keep(name == NULL ? "jobs" : name, jobs);
    }
    finish(status, err);
}

static void run_ack(const form *request) {
    const char *text = needed(request, "job");
    const char *dot = strrchr(text, '.');
    const delayq_job *job = NULL;
    for (kept *place = keeps; dot != NULL && place != NULL; place = place->next) {
        size_t len = strlen(place->name);
        if (len == (size_t)(dot - text) && memcmp(place->name, text, len) == 0) {
            job = delayq_jobs_get(place->jobs, strtoul(dot + 1, NULL, 10));
        }
    }
    if (job == NULL) misuse("job");
    delayq_ack_outcome outcome;
    delayq_error *err;
    delayq_status status = delayq_queue_ack(queue, job, &outcome, &err);
    answer_word(status, delayq_ack_outcome_str(outcome), err);
}

static void run_requeue(const form *request) {
    int64_t limit = DELAYQ_DEFAULT_REQUEUE;
    (void)form_number(request, "limit", &limit);
    uint64_t requeued, dead, orphaned;
    delayq_error *err;
    delayq_status status = delayq_queue_requeue(queue, (size_t)limit, &requeued, &dead, &orphaned, &err);
    if (status == DELAYQ_OK) {
        printf("{\"ok\": {\"requeued\": %" PRIu64 ", \"dead\": %" PRIu64 ", \"orphaned\": %" PRIu64 "}}", requeued,
               dead, orphaned);
    }
    finish(status, err);
}

static void run_cancel(const form *request) {
    delayq_cancel_outcome outcome;
    delayq_error *err;
    delayq_status status = delayq_queue_cancel(queue, needed(request, "id"), &outcome, &err);
    answer_word(status, delayq_cancel_outcome_str(outcome), err);
}

static void run_ping(const form *request) {
    (void)request;
    delayq_error *err;
    delayq_status status = delayq_client_ping(client, &err);
    answer_null(status, err);
}

static void run_close(const form *request) {
    (void)request;
    delayq_client_close(client);
    answer_null(DELAYQ_OK, NULL);
}

static void run_panic(const form *request) {
    (void)request;
    delayq_error *err;
    delayq_status status = delayq_panic_on_purpose(&err);
    answer_null(status, err);
}

static void run_about(const form *request) {
    (void)request;
    fputs("{\"ok\": {\"language\": \"c\", \"version\": ", stdout);
    json_text(delayq_version());
    fputs(", \"verbs\": [", stdout);
    for (size_t i = 0; delayq_verb_at(i) != NULL; i++) {
        if (i > 0) fputs(", ", stdout);
        json_text(delayq_verb_at(i));
    }
    fputs("], \"error_kinds\": [", stdout);
    delayq_status kind;
    for (size_t i = 0; (kind = delayq_error_kind_at(i)) != DELAYQ_OK; i++) {
        printf("%s[%d, ", i > 0 ? ", " : "", (int)kind);
        json_text(delayq_error_kind_slug(kind));
        putchar(']');
    }
    fputs("]}}", stdout);
}

static const struct {
    const char *op;
    void (*run)(const form *request);
} ops[] = {
    {"open", run_open},       {"queue", run_queue}, {"enqueue", run_enqueue}, {"enqueue_many", run_enqueue_many},
    {"pop", run_pop},         {"ack", run_ack},     {"requeue", run_requeue}, {"cancel", run_cancel},
    {"ping", run_ping},       {"close", run_close}, {"panic", run_panic},     {"about", run_about},
};

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len;
    while ((len = getline(&line, &capacity, stdin)) > 0) {
        if (line[len - 1] == '\n') line[len - 1] = '\0';
        form request = form_parse(line);
        const char *op = needed(&request, "op");
        size_t i = 0;
        while (i < sizeof ops / sizeof *ops && strcmp(op, ops[i].op) != 0) i++;
        if (i == sizeof ops / sizeof *ops) misuse(op);
        ops[i].run(&request);
        putchar('\n');
        fflush(stdout);
        form_free(&request);
    }
    while (keeps != NULL) {
        kept *next = keeps->next;
        delayq_jobs_free(keeps->jobs);
        free(keeps->name);
        free(keeps);
        keeps = next;
    }
    free(line);
    delayq_queue_free(queue);
    delayq_client_free(client);
    return 0;
}
