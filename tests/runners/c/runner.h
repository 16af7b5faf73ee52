/* What the files of the runner share: the handles, the ops, and how an answer is written. */
#ifndef RUNNER_H
#define RUNNER_H

#include "delayq.h"
#include "form.h"
#include "json.h"

extern delayq_client *client;
extern delayq_queue *queue;

/* Of the current queue, and of the others that a worker serves. */
extern delayq_queue_options *queue_options;

/* A request that this runner does not have; scenarios never expect it. Ends the runner. */
void misuse(const char *what);

/* The text of a key that must be there. */
const char *needed(const form *request, const char *key);

/* A number, or what it is if the key is absent. */
int64_t number_or(const form *request, const char *key, int64_t otherwise);

/* All values of a key as C strings, `*len` of them; to be freed. */
const char **all_texts(const form *request, const char *key, size_t *len);

/* Begins the answer of a call that succeeded; its value comes next, then `finish`. */
bool begin(delayq_status status);

/* Ends the answer of a call, or gives its error. */
void finish(delayq_status status, delayq_error *err);

void answer_null(delayq_status status, delayq_error *err);
void answer_word(delayq_status status, const char *word, delayq_error *err);

/* The retry policy of a request, or NULL. */
delayq_retry_policy *policy_of(const form *request);

/* Frees the jobs that were popped. */
void forget_jobs(void);

/* enqueue.c */
void run_enqueue(const form *request);
void run_enqueue_many(const form *request);

/* leases.c */
void run_pop(const form *request);
void run_ack(const form *request);
void run_ack_many(const form *request);
void run_retry(const form *request);
void run_retry_many(const form *request);
void run_release(const form *request);
void run_release_many(const form *request);
void run_extend(const form *request);
void run_extend_many(const form *request);

/* topics.c */
void run_requeue(const form *request);
void run_cancel(const form *request);
void run_get(const form *request);
void run_list(const form *request);
void run_redrive(const form *request);
void run_purge(const form *request);
void run_repair(const form *request);
void run_stats(const form *request);
void run_pause(const form *request);
void run_resume(const form *request);
void run_limit(const form *request);

/* work.c */
void run_work(const form *request);
void run_worked(const form *request);
void run_handled(const form *request);
void run_health(const form *request);
void run_stop(const form *request);

/* Stops and frees the worker, if there is one. */
void end_work(void);

#endif
