/* The C runner: does what it is told over delayq.h; its language is in tests/README.md. */
#define _POSIX_C_SOURCE 200809L

#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exported for this runner only. */
delayq_status delayq_panic_on_purpose(delayq_error **err);

delayq_client *client;
delayq_queue *queue;
delayq_queue_options *queue_options;

void misuse(const char *what) {
    fprintf(stderr, "the C runner was asked nonsense: %s\n", what);
    exit(2);
}

const char *needed(const form *request, const char *key) {
    const char *text = form_text(request, key);
    if (text == NULL) misuse(key);
    return text;
}

int64_t number_or(const form *request, const char *key, int64_t otherwise) {
    int64_t number;
    return form_number(request, key, &number) ? number : otherwise;
}

const char **all_texts(const form *request, const char *key, size_t *len) {
    const char **texts = calloc(request->len, sizeof *texts);
    if (texts == NULL) abort();
    size_t place = 0;
    const pair *found;
    *len = 0;
    while ((found = form_next(request, key, &place)) != NULL) texts[(*len)++] = found->value;
    return texts;
}

bool begin(delayq_status status) {
    if (status == DELAYQ_OK) fputs("{\"ok\": ", stdout);
    return status == DELAYQ_OK;
}

void finish(delayq_status status, delayq_error *err) {
    if (status == DELAYQ_OK) {
        putchar('}');
        return;
    }
    if (status != delayq_error_kind(err)) misuse("a status that is not the error's");
    fputs("{\"error\": {", stdout);
    json_field("kind", delayq_error_slug(err), 1);
    json_field("message", delayq_error_message(err), 0);
    json_field("verb", delayq_error_verb(err), 0);
    json_field("topic", delayq_error_topic(err), 0);
    json_field("id", delayq_error_id(err), 0);
    json_name("retryable", 0);
    fputs(delayq_error_retryable(err) ? "true}}" : "false}}", stdout);
    delayq_error_free(err);
}

void answer_word(delayq_status status, const char *word, delayq_error *err) {
    if (begin(status)) json_text(word);
    finish(status, err);
}

void answer_null(delayq_status status, delayq_error *err) {
    answer_word(status, NULL, err);
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
    delayq_retry_policy *policy = policy_of(request);
    delayq_queue_options_set_retry_policy(options, policy);
    delayq_retry_policy_free(policy);
    delayq_queue *opened;
    delayq_status status = delayq_client_queue(client, needed(request, "topic"), options, &opened, &err);
    if (status == DELAYQ_OK) {
        delayq_queue_free(queue);
        delayq_queue_options_free(queue_options);
        queue = opened;
        queue_options = options;
    } else {
        delayq_queue_options_free(options);
    }
    answer_null(status, err);
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
    begin(DELAYQ_OK);
    fputs("{\"language\": \"c\", \"version\": ", stdout);
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
    fputs("]}", stdout);
    finish(DELAYQ_OK, NULL);
}

static const struct {
    const char *op;
    void (*run)(const form *request);
} ops[] = {
    {"open", run_open},
    {"queue", run_queue},
    {"enqueue", run_enqueue},
    {"enqueue_many", run_enqueue_many},
    {"pop", run_pop},
    {"ack", run_ack},
    {"ack_many", run_ack_many},
    {"retry", run_retry},
    {"retry_many", run_retry_many},
    {"release", run_release},
    {"release_many", run_release_many},
    {"extend", run_extend},
    {"extend_many", run_extend_many},
    {"requeue", run_requeue},
    {"cancel", run_cancel},
    {"get", run_get},
    {"list", run_list},
    {"redrive", run_redrive},
    {"purge", run_purge},
    {"repair", run_repair},
    {"stats", run_stats},
    {"pause", run_pause},
    {"resume", run_resume},
    {"limit", run_limit},
    {"work", run_work},
    {"worked", run_worked},
    {"handled", run_handled},
    {"health", run_health},
    {"stop", run_stop},
    {"ping", run_ping},
    {"close", run_close},
    {"panic", run_panic},
    {"about", run_about},
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
    end_work();
    forget_jobs();
    free(line);
    delayq_queue_free(queue);
    delayq_queue_options_free(queue_options);
    delayq_client_free(client);
    return 0;
}
