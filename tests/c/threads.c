/* Many threads on one client and one queue handle: every job runs once; close and cancel wake what waits. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>

#include "check.h"

enum { THREADS = 16, JOBS = 40, TOTAL = THREADS * JOBS, ROUNDS = 20 };

static delayq_queue *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seen[TOTAL];
static int done;

static int finished(void) {
    pthread_mutex_lock(&lock);
    int all = done == TOTAL;
    pthread_mutex_unlock(&lock);
    return all;
}

static void *produce_and_consume(void *argument) {
    int *first = argument;
    delayq_error *err;
    char id[16];
    delayq_new_job *job = delayq_new_job_new(NULL, 0);
    for (int i = 0; i < JOBS; i++) {
        snprintf(id, sizeof id, "%d", *first + i);
        delayq_new_job_set_id(job, id);
        OK(delayq_queue_enqueue(queue, job, NULL, &err));
    }
    delayq_new_job_free(job);
    delayq_pop_options *options = delayq_pop_options_new();
    delayq_pop_options_set_wait_ms(options, 20);
    while (!finished()) {
        delayq_jobs *jobs;
        OK(delayq_queue_pop(queue, 7, options, &jobs, &err));
        for (size_t i = 0; i < delayq_jobs_len(jobs); i++) {
            delayq_ack_outcome outcome;
            OK(delayq_queue_ack(queue, delayq_jobs_get(jobs, i), &outcome, &err));
            CHECK(outcome == DELAYQ_ACK_ACKED);
            pthread_mutex_lock(&lock);
            seen[atoi(delayq_job_id(delayq_jobs_get(jobs, i)))]++;
            done++;
            pthread_mutex_unlock(&lock);
        }
        delayq_jobs_free(jobs);
    }
    delayq_pop_options_free(options);
    return NULL;
}

static void every_job_runs_once(void) {
    pthread_t threads[THREADS];
    int first[THREADS];
    for (int i = 0; i < THREADS; i++) {
        first[i] = i * JOBS;
        CHECK(pthread_create(&threads[i], NULL, produce_and_consume, &first[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < TOTAL; i++) CHECK(seen[i] == 1);
}

/* Waits for an hour; the test's limit is minutes. */
static void *wait_long(void *argument) {
    const delayq_pop_options *options = argument;
    delayq_jobs *jobs;
    delayq_error *err;
    delayq_status status = delayq_queue_pop(queue, 1, options, &jobs, &err);
    CHECK(delayq_jobs_len(jobs) == 0);
    delayq_jobs_free(jobs);
    delayq_error_free(err);
    return status == DELAYQ_OK ? NULL : argument;
}

/* The wake-up races with the start of the wait, so that over the rounds it meets every stage of it. */
static void waits_end(const char *url, int by_close) {
    for (int round = 0; round < ROUNDS; round++) {
        delayq_error *err;
        delayq_client *client;
        delayq_cancel_token *token = delayq_cancel_token_new();
        delayq_pop_options *options = delayq_pop_options_new();
        delayq_pop_options_set_wait_ms(options, 3600 * 1000);
        delayq_pop_options_set_cancel_token(options, token);
        OK(delayq_client_open(url, NULL, &client, &err));
        OK(delayq_client_queue(client, "waits", NULL, &queue, &err));
        pthread_t waiter;
        void *failed;
        CHECK(pthread_create(&waiter, NULL, wait_long, options) == 0);
        for (int i = 0; i < round; i++) OK(delayq_client_ping(client, &err));
        if (by_close) delayq_client_close(client);
        else delayq_cancel_token_cancel(token);
        CHECK(pthread_join(waiter, &failed) == 0);
        CHECK((failed != NULL) == by_close);
        delayq_cancel_token_free(token);
        delayq_pop_options_free(options);
        delayq_queue_free(queue);
        delayq_client_free(client);
    }
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    delayq_client *client;
    delayq_error *err;
    OK(delayq_client_open(argv[1], NULL, &client, &err));
    OK(delayq_client_queue(client, "threads", NULL, &queue, &err));
    every_job_runs_once();
    delayq_queue_free(queue);
    waits_end(argv[1], 1);
    waits_end(argv[1], 0);
    delayq_client_free(client);
    await_the_end_of_threads();
    return 0;
}
