/*
 * delayq: a delayed task queue on Redis sorted sets. Enqueue a job now, have it run when it is due, by exactly
 * one consumer at a time, from any language. This header is the manual of the C library.
 *
 *     delayq_client *client;
 *     delayq_queue *queue;
 *     delayq_jobs *jobs;
 *     delayq_error *err;
 *
 *     if (delayq_client_open("redis://127.0.0.1:6379/0", NULL, &client, &err) != DELAYQ_OK) goto failed;
 *     if (delayq_client_queue(client, "order_close", NULL, &queue, &err) != DELAYQ_OK) goto failed;
 *
 *     delayq_new_job *job = delayq_new_job_new("order 1", 7);
 *     delayq_new_job_set_id(job, "order:1:close");
 *     delayq_new_job_set_delay_ms(job, 900 * 1000);
 *     if (delayq_queue_enqueue(queue, job, NULL, &err) != DELAYQ_OK) goto failed;
 *     delayq_new_job_free(job);
 *
 *     if (delayq_queue_pop(queue, 20, NULL, &jobs, &err) != DELAYQ_OK) goto failed;
 *     for (size_t i = 0; i < delayq_jobs_len(jobs); i++) {
 *         const delayq_job *due = delayq_jobs_get(jobs, i);
 *         const char *problem = run(due);
 *         delayq_status status = problem == NULL
 *             ? delayq_queue_ack(queue, due, NULL, &err)
 *             : delayq_queue_retry(queue, due, problem, DELAYQ_DEFAULT, NULL, NULL, NULL, &err);
 *         if (status != DELAYQ_OK) goto failed;
 *     }
 *     delayq_jobs_free(jobs);
 *
 * A worker does all that with one function per topic; see delayq_worker_new() and examples/worker/worker.c:
 *
 *     static void close_order(delayq_delivery *delivery, void *user) {
 *         const char *problem = run(delayq_delivery_job(delivery));
 *         if (problem != NULL) delayq_delivery_fail(delivery, problem, DELAYQ_DEFAULT);
 *     }
 *
 *     delayq_worker *worker = delayq_worker_new(NULL);
 *     if (delayq_worker_handle(worker, queue, close_order, NULL, &err) != DELAYQ_OK) goto failed;
 *     if (delayq_worker_start(worker, &err) != DELAYQ_OK) goto failed;
 *     wait_for_a_signal();
 *     if (delayq_worker_stop(worker, 10 * 1000, &err) != DELAYQ_OK) goto failed;
 *     delayq_worker_free(worker);
 *
 * Compile and link with `cc app.c $(pkg-config --cflags --libs delayq)`.
 *
 * WORDS. A topic is the name of a queue. A job has an id, a payload, a due time and counters. Popping a job
 * leases it to the caller for a limited time; the receipt proves the lease. A job that is done is acknowledged, a
 * failed one is retried, by a policy and at last to the dead letter set, and one that cannot be run now is released.
 * Delivery is at least once: a job whose lease ends without any of these is handed out again by a requeue, and a
 * late ack is refused.
 *
 * THREADS. A client, a queue, a cancel token, a worker and a delivery may be used from any number of threads at
 * once, every other object by one thread at a time (or by several that only read it), and nothing during or after
 * its `_free`.
 * A client may be used in a forked child, which opens connections of its own; a worker may not.
 *
 * CALLBACKS. Handlers and the event callback run on the library's threads, several at once. They must return; no
 * C++ exception may leave them, and no `longjmp`.
 *
 * OWNERSHIP. What a `_new` function returns or a call hands out through a pointer to a pointer is the caller's,
 * to be freed with the `_free` function of its type; `_free(NULL)` does nothing. What a getter returns is
 * borrowed: it is valid as long as its documentation says and must not be freed. Arguments are borrowed for the
 * length of the call; what is kept is copied. Queues may outlive their client's handle.
 *
 * NULL. A NULL where a handle, a text or a result is needed is refused with DELAYQ_ERR_INVALID_ARGUMENT by a
 * call that returns a status; a getter answers NULL, 0, -1 or false, and a setter does nothing. Where NULL has
 * a meaning, the documentation says so.
 *
 * TEXT AND BYTES. Texts are NUL-terminated UTF-8. Payloads are a pointer and a length, any bytes.
 *
 * MANY AT ONCE. A function whose name ends in `_many` takes an array of jobs and its length, and arrays of the same
 * length for its answers, each of which may be NULL.
 *
 * TIME. All times and durations are whole milliseconds, as the suffix `_ms` says; points in time are counted
 * from the Unix epoch, by the Redis server's clock. A negative duration is refused, except DELAYQ_DEFAULT where the
 * documentation names it.
 *
 * SETTERS report nothing: a value that cannot be right is refused by the call that is given the object, and may
 * be set again.
 *
 * ERRORS. Every call that may fail returns a `delayq_status`, DELAYQ_OK on success, and takes `delayq_error
 * **err` as its last argument. `err` may be NULL; otherwise `*err` is set to NULL on success and to an error on
 * failure, which the caller frees. The other results are NULL, 0 or -1 after a failure; none of them, nor `*err`,
 * needs to be initialised before. "Nothing is due" is not an error. A panic inside the library is caught and
 * reported as DELAYQ_ERR_INTERNAL.
 *
 * VERSIONS. "Since" names the first version that has a function. Programs compiled with an earlier header go on
 * working as long as the soname stays the same.
 *
 * This file is generated from bindings-c/; do not edit it.
 */

#ifndef DELAYQ_H
#define DELAYQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The version of this header. */
#define DELAYQ_VERSION "0.1.0"
#define DELAYQ_VERSION_MAJOR 0
#define DELAYQ_VERSION_MINOR 1
#define DELAYQ_VERSION_PATCH 0

/** The version of this header as one number, to be compared. */
#define DELAYQ_VERSION_NUMBER \
    (DELAYQ_VERSION_MAJOR * 1000000 + DELAYQ_VERSION_MINOR * 1000 + DELAYQ_VERSION_PATCH)

/** The most jobs that one `delayq_queue_pop()` takes. */
#define DELAYQ_MAX_POP 1000

/** The most jobs that one `delayq_queue_requeue()`, `_list()`, `_redrive()` or `_purge()` handles. */
#define DELAYQ_MAX_SLICE 1000

/** How many jobs to let requeue, list or redrive handle at once if there is no reason for another number. */
#define DELAYQ_DEFAULT_SLICE 100

/** How many bytes of an error's text `delayq_queue_retry()` keeps. */
#define DELAYQ_MAX_ERROR 4096

/** Asks for the default where the documentation names one; any other negative number is refused. */
#define DELAYQ_DEFAULT INT64_MIN

/**
 * What a call answers. A number is never given a second meaning; later versions may add some.
 */
typedef enum delayq_status {
  /**
   * Success.
   */
  DELAYQ_OK = 0,
  /**
   * A value was refused before anything was sent to Redis.
   */
  DELAYQ_ERR_INVALID_ARGUMENT = 1,
  /**
   * There is no such job.
   */
  DELAYQ_ERR_NOT_FOUND = 2,
  /**
   * The job is no longer held under this receipt: expired, replaced, cancelled or taken by another.
   */
  DELAYQ_ERR_LEASE_LOST = 3,
  /**
   * Redis could not be reached; nothing was done.
   */
  DELAYQ_ERR_UNAVAILABLE = 4,
  /**
   * No reply in time: the outcome is unknown, the call may have taken effect.
   */
  DELAYQ_ERR_TIMEOUT = 5,
  /**
   * Redis answered with an error.
   */
  DELAYQ_ERR_SERVER = 6,
  /**
   * The keyspace or a reply is of a version that this library does not know.
   */
  DELAYQ_ERR_INCOMPATIBLE = 7,
  /**
   * The client was closed.
   */
  DELAYQ_ERR_CLOSED = 8,
  /**
   * A bug in delayq, including a caught panic.
   */
  DELAYQ_ERR_INTERNAL = 9,
} delayq_status;

/**
 * Where a job is.
 */
typedef enum delayq_state {
  /**
   * No state; the answer for NULL.
   */
  DELAYQ_STATE_NONE = 0,
  /**
   * Waiting for its due time.
   */
  DELAYQ_STATE_SCHEDULED = 1,
  /**
   * Leased to a consumer.
   */
  DELAYQ_STATE_PROCESSING = 2,
  /**
   * In the dead letter set, after too many failures or deliveries.
   */
  DELAYQ_STATE_DEAD = 3,
  /**
   * Only one half of it is there: an id whose body was lost, or a body that no index holds.
   */
  DELAYQ_STATE_ORPHAN = 4,
  /**
   * Acknowledged; only the done marker is left. Not a state to list or purge.
   */
  DELAYQ_STATE_DONE = 5,
} delayq_state;

/**
 * What `delayq_queue_enqueue()` did.
 */
typedef enum delayq_enqueue_outcome {
  /**
   * No outcome, since the call failed.
   */
  DELAYQ_ENQUEUE_NONE = 0,
  /**
   * A new job was stored.
   */
  DELAYQ_ENQUEUE_CREATED = 1,
  /**
   * A job of this id was replaced by the new one.
   */
  DELAYQ_ENQUEUE_REPLACED = 2,
  /**
   * A job of this id was there and stays as it is (`DELAYQ_MODE_KEEP`).
   */
  DELAYQ_ENQUEUE_KEPT = 3,
  /**
   * The due time was moved (`DELAYQ_MODE_RESCHEDULE`).
   */
  DELAYQ_ENQUEUE_MOVED = 4,
  /**
   * A job of this id was done not long ago, so nothing was stored.
   */
  DELAYQ_ENQUEUE_DONE = 5,
  /**
   * There is no scheduled job of this id to move (`DELAYQ_MODE_RESCHEDULE`).
   */
  DELAYQ_ENQUEUE_MISSING = 6,
} delayq_enqueue_outcome;

/**
 * What `delayq_queue_ack()` did.
 */
typedef enum delayq_ack_outcome {
  /**
   * No outcome, since the call failed.
   */
  DELAYQ_ACK_NONE = 0,
  /**
   * The job is done and gone.
   */
  DELAYQ_ACK_ACKED = 1,
  /**
   * The job had been acknowledged under this receipt before; nothing changed.
   */
  DELAYQ_ACK_ALREADY = 2,
  /**
   * The job is not held under this receipt any more; nothing changed. A single ack reports this as
   * `DELAYQ_ERR_LEASE_LOST`.
   */
  DELAYQ_ACK_LEASE_LOST = 3,
} delayq_ack_outcome;

/**
 * What `delayq_queue_retry()` did.
 */
typedef enum delayq_retry_outcome {
  /**
   * No outcome, since the call failed.
   */
  DELAYQ_RETRY_NONE = 0,
  /**
   * The job will run again, when its policy says.
   */
  DELAYQ_RETRY_SCHEDULED = 1,
  /**
   * That was one failure too many; the job is in the dead letter set.
   */
  DELAYQ_RETRY_DEAD = 2,
  /**
   * The job has a done marker, so it succeeded before; it will not run again.
   */
  DELAYQ_RETRY_DONE = 3,
  /**
   * The job is not held under this receipt any more; nothing changed. A single retry reports this as
   * `DELAYQ_ERR_LEASE_LOST`.
   */
  DELAYQ_RETRY_LEASE_LOST = 4,
} delayq_retry_outcome;

/**
 * What `delayq_queue_release()` did.
 */
typedef enum delayq_release_outcome {
  /**
   * No outcome, since the call failed.
   */
  DELAYQ_RELEASE_NONE = 0,
  /**
   * The job is scheduled again, without a failure.
   */
  DELAYQ_RELEASE_RELEASED = 1,
  /**
   * The job had been acknowledged under this receipt; nothing changed.
   */
  DELAYQ_RELEASE_DONE = 2,
  /**
   * The job is not held under this receipt any more; nothing changed. A single release reports this as
   * `DELAYQ_ERR_LEASE_LOST`.
   */
  DELAYQ_RELEASE_LEASE_LOST = 3,
} delayq_release_outcome;

/**
 * What `delayq_queue_extend()` did.
 */
typedef enum delayq_extend_outcome {
  /**
   * No outcome, since the call failed.
   */
  DELAYQ_EXTEND_NONE = 0,
  /**
   * The lease ends later now.
   */
  DELAYQ_EXTEND_EXTENDED = 1,
  /**
   * The job is not held under this receipt any more; nothing changed. A single extend reports this as
   * `DELAYQ_ERR_LEASE_LOST`.
   */
  DELAYQ_EXTEND_LEASE_LOST = 2,
} delayq_extend_outcome;

/**
 * Where `delayq_queue_cancel()` found the job that it removed.
 */
typedef enum delayq_cancel_outcome {
  /**
   * No outcome, since the call failed.
   */
  DELAYQ_CANCEL_NONE = 0,
  /**
   * It was waiting for its due time.
   */
  DELAYQ_CANCEL_SCHEDULED = 1,
  /**
   * It was leased; the consumer's later ack is refused.
   */
  DELAYQ_CANCEL_PROCESSING = 2,
  /**
   * It was in the dead letter set.
   */
  DELAYQ_CANCEL_DEAD = 3,
  /**
   * Only one half of it was there (index or body); that half is gone now.
   */
  DELAYQ_CANCEL_ORPHAN = 4,
  /**
   * It had been acknowledged already; there was nothing to remove.
   */
  DELAYQ_CANCEL_DONE = 5,
  /**
   * Nothing is known under this id.
   */
  DELAYQ_CANCEL_MISSING = 6,
} delayq_cancel_outcome;

/**
 * What a worker tells. Later versions may add some.
 */
typedef enum delayq_event_kind {
  /**
   * No event, since the handle was NULL.
   */
  DELAYQ_EVENT_NONE = 0,
  /**
   * A handler begins.
   */
  DELAYQ_EVENT_STARTED = 1,
  /**
   * A job was acknowledged.
   */
  DELAYQ_EVENT_DONE = 2,
  /**
   * A failure was recorded; `delayq_event_outcome()` says whether the job will run again.
   */
  DELAYQ_EVENT_FAILED = 3,
  /**
   * The job is not this worker's any more: its lease ended, or it was replaced or cancelled. What its handler
   * says will not count.
   */
  DELAYQ_EVENT_LEASE_LOST = 4,
  /**
   * A job was handed back without a failure.
   */
  DELAYQ_EVENT_RELEASED = 5,
  /**
   * Redis does not answer as it should; the worker goes on trying.
   */
  DELAYQ_EVENT_LOST = 6,
  /**
   * Redis answers again.
   */
  DELAYQ_EVENT_BACK = 7,
} delayq_event_kind;

/**
 * What to do when the id is already known.
 */
typedef enum delayq_mode {
  /**
   * The last one wins, in any live state; a running lease is revoked. The default.
   */
  DELAYQ_MODE_REPLACE = 0,
  /**
   * The first one wins, whatever its state.
   */
  DELAYQ_MODE_KEEP = 1,
  /**
   * Only move the due time of a scheduled job; its payload stays.
   */
  DELAYQ_MODE_RESCHEDULE = 2,
} delayq_mode;

/**
 * Ends a waiting pop from another thread. No job is lost: a pop that is cancelled before Redis handed out jobs
 * returns an empty list, one that has jobs returns them. May be used from any number of threads at once.
 */
typedef struct delayq_cancel_token delayq_cancel_token;

/**
 * The connections to one Redis, shared by all its queues. May be used from any number of threads at once.
 */
typedef struct delayq_client delayq_client;

/**
 * How to reach Redis, beyond the URL. Needed only until `delayq_client_open()` returns.
 */
typedef struct delayq_client_options delayq_client_options;

/**
 * A job in the hands of a handler. It begins as done, which a handler that returns leaves it; the functions below
 * say otherwise, and the last one counts. Owned by the worker: valid until the handler returns, and until then usable
 * from any number of threads at once.
 */
typedef struct delayq_delivery delayq_delivery;

/**
 * What became of an enqueued job.
 */
typedef struct delayq_enqueued delayq_enqueued;

/**
 * What became of many enqueued jobs, in their order. Owned by the caller, see `delayq_enqueued_list_free()`.
 */
typedef struct delayq_enqueued_list delayq_enqueued_list;

/**
 * What went wrong in one call: its kind, a sentence for people, and which verb on which topic and job it was.
 * Never contains a password. Owned by the caller, see `delayq_error_free()`.
 */
typedef struct delayq_error delayq_error;

/**
 * Something that happened in a worker. Owned by the worker: valid until the callback returns.
 */
typedef struct delayq_event delayq_event;

/**
 * How a worker was at one moment.
 */
typedef struct delayq_health delayq_health;

/**
 * How long something took, over the life of the topic and all consumers in all languages. Durations are exact
 * below 16 ms and fall into eight steps to each doubling above, so a quantile is at most an eighth too high.
 * Owned by the numbers that it was read from.
 */
typedef struct delayq_histogram delayq_histogram;

/**
 * A job that this process holds until its lease ends. Owned by the list that it was popped in, or by the delivery
 * of a worker, for which "until the list is freed" below means "until the handler returns".
 */
typedef struct delayq_job delayq_job;

/**
 * Everything that Redis knows about a job. What does not apply is NULL or -1.
 */
typedef struct delayq_job_info delayq_job_info;

/**
 * A page of jobs. Owned by the caller, see `delayq_job_info_list_free()`.
 */
typedef struct delayq_job_info_list delayq_job_info_list;

/**
 * The jobs of one pop, the oldest due time first. Owned by the caller, see `delayq_jobs_free()`.
 */
typedef struct delayq_jobs delayq_jobs;

/**
 * A job to enqueue: a payload, and optionally an id, a time, a mode and a retry policy. May be enqueued any
 * number of times and changed in between.
 */
typedef struct delayq_new_job delayq_new_job;

/**
 * How to pop, beyond the number of jobs. May be used for any number of pops.
 */
typedef struct delayq_pop_options delayq_pop_options;

/**
 * A handle on one topic of one client. May be used from any number of threads at once.
 */
typedef struct delayq_queue delayq_queue;

/**
 * Options of a queue handle. Handles of one topic may differ. Needed only until `delayq_client_queue()`
 * returns.
 */
typedef struct delayq_queue_options delayq_queue_options;

/**
 * How failed jobs are retried: how long the n-th retry waits, and after how many failures a job is dead. Given
 * to `delayq_queue_options_set_retry_policy()` or `delayq_new_job_set_retry_policy()`, which copy it.
 */
typedef struct delayq_retry_policy delayq_retry_policy;

/**
 * The numbers of a topic at one moment. Owned by the caller, see `delayq_stats_free()`.
 */
typedef struct delayq_stats delayq_stats;

/**
 * Takes jobs when they are due, runs a handler for each and reports what became of it. It renews leases while handlers
 * run, sweeps for the jobs of crashed consumers, and goes on when Redis was away. May be used from any number of
 * threads at once, but not in a forked child, which makes a worker of its own.
 *
 * Handlers and the event callback run on the library's threads, several at once.
 */
typedef struct delayq_worker delayq_worker;

/**
 * How a worker works. Needed only until `delayq_worker_new()` returns.
 */
typedef struct delayq_worker_options delayq_worker_options;

/**
 * Is told what happens in a worker, with the `user` that was given to `delayq_worker_options_set_event_callback()`.
 *
 * It is called on the worker's threads, several at once, and while a stop is under way on the thread that stops too;
 * it holds up the worker, so it must be quick. It must return, as a `delayq_handler` must.
 */
typedef void (*delayq_event_callback)(const struct delayq_event *event,
                                      void *user);

/**
 * Runs one job of a worker. It is called on the worker's threads, several at once, with the `user` that was given to
 * `delayq_worker_handle()`.
 *
 * It must return: a `longjmp`, the end of its thread or a C++ exception that gets out of it is undefined behaviour.
 */
typedef void (*delayq_handler)(struct delayq_delivery *delivery,
                               void *user);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library that is running, e.g. to compare it with `DELAYQ_VERSION`, the version of the
 * header that a program was compiled with.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_version(void);

/**
 * The kinds of errors, to be listed: from index 0 until the answer is `DELAYQ_OK`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_error_kind_at(size_t index);

/**
 * The name of a kind of errors, the same in every language, e.g. `lease_lost`. NULL for `DELAYQ_OK` and for
 * numbers that this version does not know.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_error_kind_slug(delayq_status kind);

/**
 * Frees the error and every text read from it. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_error_free(struct delayq_error *error);

/**
 * The kind, the same as the status that the call returned; `DELAYQ_OK` for NULL.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_error_kind(const struct delayq_error *error);

/**
 * The name of the kind, e.g. `lease_lost`, as `delayq_error_kind_slug()` gives it; NULL for NULL.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_error_slug(const struct delayq_error *error);

/**
 * What went wrong and what to do about it, as one sentence; NULL for NULL.
 *
 * Valid until the error is freed. Since: 0.1.0
 */
const char *delayq_error_message(const struct delayq_error *error);

/**
 * Kind, verb, topic, id and message as one line, for a log; NULL for NULL.
 *
 * Valid until the error is freed. Since: 0.1.0
 */
const char *delayq_error_text(const struct delayq_error *error);

/**
 * The verb that failed, e.g. `enqueue`; NULL if it was none.
 *
 * Valid until the error is freed. Since: 0.1.0
 */
const char *delayq_error_verb(const struct delayq_error *error);

/**
 * The topic; NULL if the call had none.
 *
 * Valid until the error is freed. Since: 0.1.0
 */
const char *delayq_error_topic(const struct delayq_error *error);

/**
 * The job's id; NULL if the call was not about one job.
 *
 * Valid until the error is freed. Since: 0.1.0
 */
const char *delayq_error_id(const struct delayq_error *error);

/**
 * Whether the same call may succeed later without a change by the caller; false for NULL.
 *
 * Since: 0.1.0
 */
bool delayq_error_retryable(const struct delayq_error *error);

/**
 * Options with their defaults. Owned by the caller, see `delayq_client_options_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_client_options *delayq_client_options_new(void);

/**
 * Frees the options; clients opened with them are not affected. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_client_options_free(struct delayq_client_options *options);

/**
 * First part of every key: 1 to 64 bytes without braces and control characters. Default `delay`, also for NULL.
 *
 * Since: 0.1.0
 */
void delayq_client_options_set_prefix(struct delayq_client_options *options,
                                      const char *prefix);

/**
 * ACL user; an alternative to the URL that needs no percent-encoding. Default NULL: the URL's.
 *
 * Since: 0.1.0
 */
void delayq_client_options_set_username(struct delayq_client_options *options,
                                        const char *username);

/**
 * Password; an alternative to the URL that needs no percent-encoding. Default NULL: the URL's.
 *
 * Since: 0.1.0
 */
void delayq_client_options_set_password(struct delayq_client_options *options,
                                        const char *password);

/**
 * Name shown by `CLIENT LIST`: printable ASCII without spaces. Default `delayq-c`, also for NULL.
 *
 * Since: 0.1.0
 */
void delayq_client_options_set_client_name(struct delayq_client_options *options,
                                           const char *name);

/**
 * Path of the server binary for `embedded:` URLs, tried if the environment variable `DELAYQ_SERVER` is not set
 * and no server is on `PATH`. Default NULL: none.
 *
 * Since: 0.1.0
 */
void delayq_client_options_set_server_fallback(struct delayq_client_options *options,
                                               const char *path);

/**
 * Limit for one attempt to connect, log in included. Default 2000.
 *
 * Since: 0.1.0
 */
void delayq_client_options_set_connect_timeout_ms(struct delayq_client_options *options,
                                                  int64_t timeout_ms);

/**
 * Limit for the answer to one command; past it the call fails with `DELAYQ_ERR_TIMEOUT` and its connection is
 * thrown away. Default 5000.
 *
 * Since: 0.1.0
 */
void delayq_client_options_set_timeout_ms(struct delayq_client_options *options,
                                          int64_t timeout_ms);

/**
 * How long a call goes on trying while Redis cannot take it (down, loading, failing over) before it fails with
 * `DELAYQ_ERR_UNAVAILABLE`. Only attempts that had no effect are repeated. Default 5000; 0 tries once.
 *
 * Since: 0.1.0
 */
void delayq_client_options_set_retry_for_ms(struct delayq_client_options *options,
                                            int64_t retry_for_ms);

/**
 * Makes a client. No connection is opened before the first call, except that `embedded:` starts its server.
 *
 * `url` is `redis://[user:password@]host:port/db`, `rediss://` (TLS), `unix:///path?db=0`,
 * `redis-cluster://[user:password@]host:port,host:port` or `rediss-cluster://` for a cluster by some of its nodes, or
 * `embedded:<dir>` for a private server in that folder. `options` may be NULL for the defaults. `*client` is owned
 * by the caller, see `delayq_client_free()`.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a URL or an option that cannot be right;
 * `DELAYQ_ERR_UNAVAILABLE` if an embedded server cannot be started.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_client_open(const char *url,
                                      const struct delayq_client_options *options,
                                      struct delayq_client **client,
                                      struct delayq_error **err);

/**
 * Asks Redis for a sign of life over one round trip.
 *
 * Errors: `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER` (e.g. a wrong password) or
 * `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_client_ping(const struct delayq_client *client,
                                      struct delayq_error **err);

/**
 * Closes all connections and wakes waiting calls, from any thread. Those calls and every later one on this
 * client and its queues fail with `DELAYQ_ERR_CLOSED`. An embedded server stops with its last client. The
 * handle stays valid and must still be freed. Closing twice is fine; NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_client_close(const struct delayq_client *client);

/**
 * Frees the handle. Its queues stay usable; the connections are closed with the last of client and queues, or
 * by `delayq_client_close()`. A thread that listens for new jobs, if a pop has waited or a worker was started, ends
 * some seconds later at the latest. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_client_free(struct delayq_client *client);

/**
 * A policy by which the n-th retry waits `base_ms` times `factor` to the power of n, at most the cap, which is
 * an hour unless set. `factor` is 1 to 1000000. The policy of a queue that is given none is that of 60000 and
 * 2. Owned by the caller, see `delayq_retry_policy_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_retry_policy *delayq_retry_policy_new_exponential(int64_t base_ms,
                                                                double factor);

/**
 * A policy by which the n-th retry waits n times `step_ms`. Owned by the caller, see
 * `delayq_retry_policy_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_retry_policy *delayq_retry_policy_new_linear(int64_t step_ms);

/**
 * A policy by which every retry waits `delay_ms`. Owned by the caller, see `delayq_retry_policy_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_retry_policy *delayq_retry_policy_new_fixed(int64_t delay_ms);

/**
 * Frees the policy; what was given a copy of it is not affected. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_retry_policy_free(struct delayq_retry_policy *policy);

/**
 * No wait is longer than this. Default 3600000 (an hour) for an exponential policy, none for the others.
 *
 * Since: 0.1.0
 */
void delayq_retry_policy_set_cap_ms(struct delayq_retry_policy *policy,
                                    int64_t cap_ms);

/**
 * Spreads each wait evenly over plus and minus this share of itself, 0 to 1. Default 0.
 *
 * Since: 0.1.0
 */
void delayq_retry_policy_set_jitter(struct delayq_retry_policy *policy,
                                    double jitter);

/**
 * How many retries a job gets. Default 5; 0 means that its first failure is its last.
 *
 * Since: 0.1.0
 */
void delayq_retry_policy_set_max_retries(struct delayq_retry_policy *policy,
                                         int64_t max_retries);

/**
 * Options with their defaults. Owned by the caller, see `delayq_queue_options_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_queue_options *delayq_queue_options_new(void);

/**
 * Frees the options; queues opened with them are not affected. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_queue_options_free(struct delayq_queue_options *options);

/**
 * How long a popped job belongs to its consumer, 1 or more. Default 30000.
 *
 * Since: 0.1.0
 */
void delayq_queue_options_set_lease_ms(struct delayq_queue_options *options,
                                       int64_t lease_ms);

/**
 * How long the done marker of an acknowledged job is kept. Default 86400000 (a day); 0 writes none.
 *
 * Since: 0.1.0
 */
void delayq_queue_options_set_done_ttl_ms(struct delayq_queue_options *options,
                                          int64_t done_ttl_ms);

/**
 * How long a body outlives its job's due time or lease. Default 604800000 (7 days), refreshed at every move;
 * 0 keeps bodies without limit.
 *
 * Since: 0.1.0
 */
void delayq_queue_options_set_job_ttl_ms(struct delayq_queue_options *options,
                                         int64_t job_ttl_ms);

/**
 * Largest payload in bytes. Default 262144; 10240 or less is advised.
 *
 * Since: 0.1.0
 */
void delayq_queue_options_set_max_payload(struct delayq_queue_options *options,
                                          size_t max_payload);

/**
 * How often a job may be delivered before `delayq_queue_requeue()` moves it to the dead letter set, 1 or more.
 * Default 20.
 *
 * Since: 0.1.0
 */
void delayq_queue_options_set_max_deliveries(struct delayq_queue_options *options,
                                             int64_t max_deliveries);

/**
 * How failed jobs are retried, unless a job says otherwise. The policy is copied, so it may be changed or freed
 * afterwards. Default NULL: exponential from 60 s by 2 up to an hour, 5 retries.
 *
 * Since: 0.1.0
 */
void delayq_queue_options_set_retry_policy(struct delayq_queue_options *options,
                                           const struct delayq_retry_policy *policy);

/**
 * Makes a handle on a topic. Nothing is sent yet.
 *
 * `topic` is 1 to 128 bytes of UTF-8 without braces and control characters. `options` may be NULL for the
 * defaults. `*queue` is owned by the caller, see `delayq_queue_free()`.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a topic or an option that cannot be right; `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_client_queue(const struct delayq_client *client,
                                       const char *topic,
                                       const struct delayq_queue_options *options,
                                       struct delayq_queue **queue,
                                       struct delayq_error **err);

/**
 * The topic; NULL for NULL.
 *
 * Valid until the queue is freed. Since: 0.1.0
 */
const char *delayq_queue_topic(const struct delayq_queue *queue);

/**
 * Frees the handle; the topic and its jobs stay in Redis. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_queue_free(struct delayq_queue *queue);

/**
 * The word for a mode, the same in every language, e.g. `keep`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_mode_str(delayq_mode mode);

/**
 * A job with this payload, due at once, under a generated id. The bytes are copied; `payload` may be NULL if
 * `payload_len` is 0. Owned by the caller, see `delayq_new_job_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_new_job *delayq_new_job_new(const void *payload,
                                          size_t payload_len);

/**
 * Frees the job object; what was enqueued stays. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_new_job_free(struct delayq_new_job *job);

/**
 * Another payload, any bytes, copied; `payload` may be NULL if `payload_len` is 0.
 *
 * Since: 0.1.0
 */
void delayq_new_job_set_payload(struct delayq_new_job *job,
                                const void *payload,
                                size_t payload_len);

/**
 * The id, 1 to 512 bytes of UTF-8. One id is one job, so the same id again is the mode's question. Default
 * NULL: a generated one.
 *
 * Since: 0.1.0
 */
void delayq_new_job_set_id(struct delayq_new_job *job,
                           const char *id);

/**
 * Due after this delay, 0 or more, counted by the Redis server's clock. Replaces an earlier
 * `delayq_new_job_set_at_ms()`. Default 0.
 *
 * Since: 0.1.0
 */
void delayq_new_job_set_delay_ms(struct delayq_new_job *job,
                                 int64_t delay_ms);

/**
 * Due at this time, ms since the epoch, up to the end of the year 9999; the past means now. Replaces an earlier
 * `delayq_new_job_set_delay_ms()`.
 *
 * Since: 0.1.0
 */
void delayq_new_job_set_at_ms(struct delayq_new_job *job,
                              int64_t at_ms);

/**
 * What to do if the id is known already. Default `DELAYQ_MODE_REPLACE`.
 *
 * Since: 0.1.0
 */
void delayq_new_job_set_mode(struct delayq_new_job *job,
                             delayq_mode mode);

/**
 * Whether to enqueue even if a job of this id was done not long ago; its done marker is removed then.
 * Default false.
 *
 * Since: 0.1.0
 */
void delayq_new_job_set_ignore_done(struct delayq_new_job *job,
                                    bool ignore_done);

/**
 * How this job is retried, instead of by the policy of the queue handle that reports its failure. The policy is
 * copied, so it may be changed or freed afterwards. Default NULL: that of the handle.
 *
 * Since: 0.1.0
 */
void delayq_new_job_set_retry_policy(struct delayq_new_job *job,
                                     const struct delayq_retry_policy *policy);

/**
 * The number of jobs; 0 for NULL.
 *
 * Since: 0.1.0
 */
size_t delayq_jobs_len(const struct delayq_jobs *jobs);

/**
 * A job of the list; NULL past its end and for NULL.
 *
 * Valid until the list is freed. Since: 0.1.0
 */
const struct delayq_job *delayq_jobs_get(const struct delayq_jobs *jobs,
                                         size_t index);

/**
 * Frees the list with its jobs and every text and payload read from them. What was not acknowledged stays
 * leased until its lease ends. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_jobs_free(struct delayq_jobs *jobs);

/**
 * The topic that the job was popped from; NULL for NULL.
 *
 * Valid until the list is freed. Since: 0.1.0
 */
const char *delayq_job_topic(const struct delayq_job *job);

/**
 * The id; NULL for NULL.
 *
 * Valid until the list is freed. Since: 0.1.0
 */
const char *delayq_job_id(const struct delayq_job *job);

/**
 * The payload, `delayq_job_payload_len()` bytes, not NUL-terminated. Never NULL for a job, also if it is
 * empty; NULL for NULL.
 *
 * Valid until the list is freed. Since: 0.1.0
 */
const uint8_t *delayq_job_payload(const struct delayq_job *job);

/**
 * The length of the payload in bytes; 0 for NULL.
 *
 * Since: 0.1.0
 */
size_t delayq_job_payload_len(const struct delayq_job *job);

/**
 * How many failures were reported so far; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint32_t delayq_job_retry_count(const struct delayq_job *job);

/**
 * How often the job was popped, this time included; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint32_t delayq_job_deliveries(const struct delayq_job *job);

/**
 * When the job was enqueued, ms since the epoch by the Redis server's clock; -1 for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_job_created_at_ms(const struct delayq_job *job);

/**
 * When the job was due, ms since the epoch; -1 for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_job_due_at_ms(const struct delayq_job *job);

/**
 * When the lease ends, ms since the epoch by the Redis server's clock; -1 for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_job_lease_until_ms(const struct delayq_job *job);

/**
 * Proof of this lease; it never repeats. Its part before the first `-` is a number that grows with every lease
 * of the topic, fit as a fencing token. NULL for NULL.
 *
 * Valid until the list is freed. Since: 0.1.0
 */
const char *delayq_job_receipt(const struct delayq_job *job);

/**
 * A token that is not cancelled. Owned by the caller, see `delayq_cancel_token_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_cancel_token *delayq_cancel_token_new(void);

/**
 * Cancels: every pop that waits with this token returns now, and every later one does not wait. It takes a lock,
 * so it must not be called from a signal handler. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_cancel_token_cancel(const struct delayq_cancel_token *token);

/**
 * Whether the token was cancelled; false for NULL.
 *
 * Since: 0.1.0
 */
bool delayq_cancel_token_is_cancelled(const struct delayq_cancel_token *token);

/**
 * Frees the handle; pop options that were given the token keep it. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_cancel_token_free(struct delayq_cancel_token *token);

/**
 * The word for an outcome, the same in every language, e.g. `created`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_enqueue_outcome_str(delayq_enqueue_outcome outcome);

/**
 * The word for an outcome, the same in every language, e.g. `acked`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_ack_outcome_str(delayq_ack_outcome outcome);

/**
 * The word for an outcome, the same in every language, e.g. `scheduled`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_retry_outcome_str(delayq_retry_outcome outcome);

/**
 * The word for an outcome, the same in every language, e.g. `released`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_release_outcome_str(delayq_release_outcome outcome);

/**
 * The word for an outcome, the same in every language, e.g. `extended`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_extend_outcome_str(delayq_extend_outcome outcome);

/**
 * The word for an outcome, the same in every language, e.g. `scheduled`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_cancel_outcome_str(delayq_cancel_outcome outcome);

/**
 * The word for a state, the same in every language, e.g. `dead`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_state_str(delayq_state state);

/**
 * The number of jobs; 0 for NULL.
 *
 * Since: 0.1.0
 */
size_t delayq_job_info_list_len(const struct delayq_job_info_list *list);

/**
 * A job of the list; NULL past its end and for NULL. It belongs to the list and must not be freed on its own.
 *
 * Valid until the list is freed. Since: 0.1.0
 */
const struct delayq_job_info *delayq_job_info_list_get(const struct delayq_job_info_list *list,
                                                       size_t index);

/**
 * Frees the list and what was read from it. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_job_info_list_free(struct delayq_job_info_list *list);

/**
 * Frees the result of one get and what was read from it. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_job_info_free(struct delayq_job_info *info);

/**
 * The topic; NULL for NULL.
 *
 * Valid until the result or its list is freed. Since: 0.1.0
 */
const char *delayq_job_info_topic(const struct delayq_job_info *info);

/**
 * The id; NULL for NULL.
 *
 * Valid until the result or its list is freed. Since: 0.1.0
 */
const char *delayq_job_info_id(const struct delayq_job_info *info);

/**
 * Where the job is; `DELAYQ_STATE_NONE` for NULL.
 *
 * Since: 0.1.0
 */
enum delayq_state delayq_job_info_state(const struct delayq_job_info *info);

/**
 * The payload, `delayq_job_info_payload_len()` bytes, not NUL-terminated. NULL if the body is missing or the
 * job is done, not if the payload is empty; NULL for NULL.
 *
 * Valid until the result or its list is freed. Since: 0.1.0
 */
const uint8_t *delayq_job_info_payload(const struct delayq_job_info *info);

/**
 * The length of the payload in bytes; 0 if there is none and for NULL.
 *
 * Since: 0.1.0
 */
size_t delayq_job_info_payload_len(const struct delayq_job_info *info);

/**
 * When the job is due, or was due when it was last popped, ms since the epoch; -1 if that is not known and for
 * NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_job_info_due_at_ms(const struct delayq_job_info *info);

/**
 * When the job was enqueued, ms since the epoch; -1 if that is not known and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_job_info_created_at_ms(const struct delayq_job_info *info);

/**
 * When the job was popped, ms since the epoch; -1 unless it is processing and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_job_info_picked_at_ms(const struct delayq_job_info *info);

/**
 * When the lease of the job ends, ms since the epoch; -1 unless it is processing and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_job_info_lease_until_ms(const struct delayq_job_info *info);

/**
 * When the job died, ms since the epoch; -1 unless it is dead and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_job_info_died_at_ms(const struct delayq_job_info *info);

/**
 * When the body of the job was found missing, ms since the epoch; -1 unless it is an orphan and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_job_info_orphaned_at_ms(const struct delayq_job_info *info);

/**
 * How many failures were reported; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint32_t delayq_job_info_retry_count(const struct delayq_job_info *info);

/**
 * How often the job was popped; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint32_t delayq_job_info_deliveries(const struct delayq_job_info *info);

/**
 * What went wrong last; NULL if nothing did and for NULL.
 *
 * Valid until the result or its list is freed. Since: 0.1.0
 */
const char *delayq_job_info_last_error(const struct delayq_job_info *info);

/**
 * How many durations there are; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_histogram_count(const struct delayq_histogram *histogram);

/**
 * The duration that this share (0 to 1) of all durations does not exceed; -1 while there are no durations, for
 * NULL and for a share that is not a number.
 *
 * Since: 0.1.0
 */
int64_t delayq_histogram_quantile_ms(const struct delayq_histogram *histogram,
                                     double share);

/**
 * The median; -1 while there are no durations and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_histogram_p50_ms(const struct delayq_histogram *histogram);

/**
 * The 95th percentile; -1 while there are no durations and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_histogram_p95_ms(const struct delayq_histogram *histogram);

/**
 * The 99th percentile; -1 while there are no durations and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_histogram_p99_ms(const struct delayq_histogram *histogram);

/**
 * How many steps of durations occur; 0 for NULL.
 *
 * Since: 0.1.0
 */
size_t delayq_histogram_buckets_len(const struct delayq_histogram *histogram);

/**
 * The longest duration of a step, ascending by index; -1 past the last step and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_histogram_bucket_upper_ms(const struct delayq_histogram *histogram,
                                         size_t index);

/**
 * How many durations fall into a step alone, not into the shorter ones too; 0 past the last step and for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_histogram_bucket_count(const struct delayq_histogram *histogram,
                                       size_t index);

/**
 * Frees the numbers and what was read from them. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_stats_free(struct delayq_stats *stats);

/**
 * The topic; NULL for NULL.
 *
 * Valid until the numbers are freed. Since: 0.1.0
 */
const char *delayq_stats_topic(const struct delayq_stats *stats);

/**
 * How many jobs are scheduled; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_backlog(const struct delayq_stats *stats);

/**
 * How many scheduled jobs are due; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_due(const struct delayq_stats *stats);

/**
 * How many scheduled jobs have been due for longer than the threshold; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_overdue(const struct delayq_stats *stats);

/**
 * For how long the oldest due job has been due; 0 if none is and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_stats_oldest_due_ms(const struct delayq_stats *stats);

/**
 * How many jobs are leased, those included whose lease has ended; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_processing(const struct delayq_stats *stats);

/**
 * How many leases have ended and were not swept yet by a requeue; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_expired(const struct delayq_stats *stats);

/**
 * How many jobs are dead; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_dead(const struct delayq_stats *stats);

/**
 * How many ids had no body when they were to be popped or moved; 0 for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_orphans(const struct delayq_stats *stats);

/**
 * Whether consumers are given nothing, see `delayq_queue_pause()`; false for NULL.
 *
 * Since: 0.1.0
 */
bool delayq_stats_paused(const struct delayq_stats *stats);

/**
 * How many jobs per second consumers are given at most, see `delayq_queue_limit()`; 0 if there is no limit and
 * for NULL.
 *
 * Since: 0.1.0
 */
double delayq_stats_rate(const struct delayq_stats *stats);

/**
 * How many jobs may be given at once after a quiet time; 0 if there is no limit and for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_burst(const struct delayq_stats *stats);

/**
 * A lifetime counter of the topic by its name, e.g. `acked`; 0 for a name that is none and for NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_counter(const struct delayq_stats *stats,
                              const char *name);

/**
 * A lifetime counter of the topic by its place in the list of `delayq_counter_at()`; 0 past the end and for
 * NULL.
 *
 * Since: 0.1.0
 */
uint64_t delayq_stats_counter_at(const struct delayq_stats *stats,
                                 size_t index);

/**
 * How late jobs were popped, from the due time to the pop; NULL for NULL.
 *
 * Valid until the numbers are freed. Since: 0.1.0
 */
const struct delayq_histogram *delayq_stats_lateness(const struct delayq_stats *stats);

/**
 * How long jobs were worked on, from the pop to the ack; NULL for NULL.
 *
 * Valid until the numbers are freed. Since: 0.1.0
 */
const struct delayq_histogram *delayq_stats_processing_time(const struct delayq_stats *stats);

/**
 * The names of the lifetime counters, to be listed: from index 0 until the answer is NULL.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_counter_at(size_t index);

/**
 * The verbs, to be listed: from index 0 until the answer is NULL. The function of the verb `x` is
 * `delayq_queue_x()`.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_verb_at(size_t index);

/**
 * Stores a job, to be due at its time. Body and index are written in one piece.
 *
 * Without an id it gets a generated one. If the id is known, the mode decides; if a job of this id was
 * acknowledged not long ago, the outcome is `DELAYQ_ENQUEUE_DONE` and nothing is stored. `enqueued` may be
 * NULL; `*enqueued` is owned by the caller, see `delayq_enqueued_free()`.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad id, time, mode or payload; `DELAYQ_ERR_TIMEOUT` if the
 * outcome is unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_enqueue(const struct delayq_queue *queue,
                                        const struct delayq_new_job *job,
                                        struct delayq_enqueued **enqueued,
                                        struct delayq_error **err);

/**
 * Stores many jobs in few round trips. Each chunk (up to 500 jobs or 1 MiB of payload) is stored in one piece;
 * a job that repeats an id of its chunk begins a new one.
 *
 * `jobs` are `jobs_len` pointers to jobs, which stay the caller's; it may be NULL if `jobs_len` is 0. `list`
 * may be NULL; `*list` is owned by the caller, see `delayq_enqueued_list_free()`.
 *
 * Errors: as `delayq_queue_enqueue()`. A value that is refused is refused before anything is sent, except a
 * delay that passes the year 9999 only by the server's clock, which refuses its chunk. After any other error
 * the earlier chunks are stored.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_enqueue_many(const struct delayq_queue *queue,
                                             const struct delayq_new_job *const *jobs,
                                             size_t jobs_len,
                                             struct delayq_enqueued_list **list,
                                             struct delayq_error **err);

/**
 * The number of jobs; 0 for NULL.
 *
 * Since: 0.1.0
 */
size_t delayq_enqueued_list_len(const struct delayq_enqueued_list *list);

/**
 * What became of the job at this place; NULL past the end and for NULL. It belongs to the list and must not be
 * freed on its own.
 *
 * Valid until the list is freed. Since: 0.1.0
 */
const struct delayq_enqueued *delayq_enqueued_list_get(const struct delayq_enqueued_list *list,
                                                       size_t index);

/**
 * Frees the list and what was read from it. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_enqueued_list_free(struct delayq_enqueued_list *list);

/**
 * The job's id, given or generated; NULL for NULL.
 *
 * Valid until the result or its list is freed. Since: 0.1.0
 */
const char *delayq_enqueued_id(const struct delayq_enqueued *enqueued);

/**
 * When the job of this id is due, ms since the epoch; -1 if there is none (`DELAYQ_ENQUEUE_DONE`,
 * `DELAYQ_ENQUEUE_MISSING`) and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_enqueued_due_at_ms(const struct delayq_enqueued *enqueued);

/**
 * What was done; `DELAYQ_ENQUEUE_NONE` for NULL.
 *
 * Since: 0.1.0
 */
enum delayq_enqueue_outcome delayq_enqueued_outcome(const struct delayq_enqueued *enqueued);

/**
 * Frees the result of one enqueue. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_enqueued_free(struct delayq_enqueued *enqueued);

/**
 * Options with their defaults. Owned by the caller, see `delayq_pop_options_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_pop_options *delayq_pop_options_new(void);

/**
 * Frees the options. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_pop_options_free(struct delayq_pop_options *options);

/**
 * The lease of the popped jobs, 1 or more. Default: the queue handle's.
 *
 * Since: 0.1.0
 */
void delayq_pop_options_set_lease_ms(struct delayq_pop_options *options,
                                     int64_t lease_ms);

/**
 * Wait up to this long until something is due. Default 0.
 *
 * Since: 0.1.0
 */
void delayq_pop_options_set_wait_ms(struct delayq_pop_options *options,
                                    int64_t wait_ms);

/**
 * End the wait when this token is cancelled. The options keep a reference of their own, so the token may be
 * freed before them. Default NULL: none.
 *
 * Since: 0.1.0
 */
void delayq_pop_options_set_cancel_token(struct delayq_pop_options *options,
                                         const struct delayq_cancel_token *token);

/**
 * Takes up to `max` due jobs, the oldest due time first (equal times by id), and leases each to this caller.
 * The list is empty if nothing is due, with `delayq_pop_options_set_wait_ms()` after waiting that long, and if
 * the wait was cancelled.
 *
 * `max` is 1 to `DELAYQ_MAX_POP`. `options` may be NULL for the defaults. `*jobs` is owned by the caller, see
 * `delayq_jobs_free()`, and is never NULL after success.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad `max`, lease or wait; `DELAYQ_ERR_TIMEOUT` (jobs may be
 * leased to nobody until their lease ends); `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`,
 * `DELAYQ_ERR_INCOMPATIBLE`; `DELAYQ_ERR_CLOSED`, also if the client is closed during the wait.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_pop(const struct delayq_queue *queue,
                                    size_t max,
                                    const struct delayq_pop_options *options,
                                    struct delayq_jobs **jobs,
                                    struct delayq_error **err);

/**
 * Reports a job as done: it is removed, and its done marker is written.
 *
 * Acknowledging again under the same receipt gives `DELAYQ_ACK_ALREADY` while the done marker lives. `outcome`
 * may be NULL. The job object stays valid until its list is freed.
 *
 * Errors: `DELAYQ_ERR_LEASE_LOST` if the job is not held under this receipt any more (nothing changes);
 * `DELAYQ_ERR_INVALID_ARGUMENT` if it is of another topic; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`,
 * `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_ack(const struct delayq_queue *queue,
                                    const struct delayq_job *job,
                                    enum delayq_ack_outcome *outcome,
                                    struct delayq_error **err);

/**
 * Reports many jobs as done in few round trips, 500 jobs at a time. A lost lease is an outcome here, not an
 * error.
 *
 * `jobs` are `jobs_len` pointers to jobs of this queue; it may be NULL if `jobs_len` is 0. `outcomes` is NULL
 * or the address of the first of `jobs_len` outcomes, which receive those of the jobs, in their order.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` if a job is of another topic, before anything is sent;
 * `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`. After these the first jobs may have been handled, although there are no outcomes; to
 * call again does no harm.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_ack_many(const struct delayq_queue *queue,
                                         const struct delayq_job *const *jobs,
                                         size_t jobs_len,
                                         enum delayq_ack_outcome *outcomes,
                                         struct delayq_error **err);

/**
 * Reports a job as failed: its `retry_count` grows by one, and it is scheduled again as its policy says, or
 * goes to the dead letter set. A job that has a done marker is not run again (`DELAYQ_RETRY_DONE`).
 *
 * `error` is what went wrong, kept as the job's last error up to `DELAYQ_MAX_ERROR` bytes; what is not UTF-8 in
 * it is replaced, and NULL is none. `delay_ms` is when to run it again instead of what the policy says;
 * `DELAYQ_DEFAULT` leaves that to the policy. `outcome`, `due_at_ms` (when the job will run again; -1 if it
 * will not) and `retry_count` (failures reported, this one included) may each be NULL.
 *
 * Errors: `DELAYQ_ERR_LEASE_LOST` if the job is not held under this receipt any more (nothing changes);
 * `DELAYQ_ERR_INVALID_ARGUMENT` for a bad delay or a job of another topic; `DELAYQ_ERR_TIMEOUT` if the outcome
 * is unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_retry(const struct delayq_queue *queue,
                                      const struct delayq_job *job,
                                      const char *error,
                                      int64_t delay_ms,
                                      enum delayq_retry_outcome *outcome,
                                      int64_t *due_at_ms,
                                      uint32_t *retry_count,
                                      struct delayq_error **err);

/**
 * Reports many jobs as failed in few round trips, 500 jobs at a time. A lost lease is an outcome here, not an
 * error.
 *
 * `jobs` are `jobs_len` pointers to jobs of this queue; it may be NULL if `jobs_len` is 0. The other arrays are
 * NULL or have as many items, in the same order: `errors` as the `error` of `delayq_queue_retry()`, each of
 * which may be NULL; `delays_ms` as its `delay_ms`, each of which may be `DELAYQ_DEFAULT`; `outcomes`,
 * `due_at_ms` and `retry_counts` receive what became of the jobs.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad delay or a job of another topic, before anything is sent;
 * `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`. After these the first jobs may have been handled, although there are no outcomes; if
 * called again, they give `DELAYQ_RETRY_LEASE_LOST`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_retry_many(const struct delayq_queue *queue,
                                           const struct delayq_job *const *jobs,
                                           size_t jobs_len,
                                           const char *const *errors,
                                           const int64_t *delays_ms,
                                           enum delayq_retry_outcome *outcomes,
                                           int64_t *due_at_ms,
                                           uint32_t *retry_counts,
                                           struct delayq_error **err);

/**
 * Hands a job back without counting a failure, to be due after `delay_ms`; 0 is at once. `outcome` and
 * `due_at_ms` (when it is due again; -1 if it is not) may each be NULL.
 *
 * Errors: `DELAYQ_ERR_LEASE_LOST` if the job is not held under this receipt any more (nothing changes);
 * `DELAYQ_ERR_INVALID_ARGUMENT` for a bad delay or a job of another topic; `DELAYQ_ERR_TIMEOUT` if the outcome
 * is unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_release(const struct delayq_queue *queue,
                                        const struct delayq_job *job,
                                        int64_t delay_ms,
                                        enum delayq_release_outcome *outcome,
                                        int64_t *due_at_ms,
                                        struct delayq_error **err);

/**
 * Hands many jobs back in few round trips, 500 jobs at a time, to be due after `delay_ms`; 0 is at once. A lost
 * lease is an outcome here, not an error.
 *
 * `jobs` are `jobs_len` pointers to jobs of this queue; it may be NULL if `jobs_len` is 0. `outcomes` and
 * `due_at_ms` are NULL or arrays of as many items, which receive what became of the jobs, in their order.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad delay or a job of another topic, before anything is sent;
 * `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`. After these the first jobs may have been handled, although there are no outcomes; if
 * called again, they give `DELAYQ_RELEASE_LEASE_LOST`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_release_many(const struct delayq_queue *queue,
                                             const struct delayq_job *const *jobs,
                                             size_t jobs_len,
                                             int64_t delay_ms,
                                             enum delayq_release_outcome *outcomes,
                                             int64_t *due_at_ms,
                                             struct delayq_error **err);

/**
 * Gives a job a new lease from now, under the same receipt. Also the cheap question "is it still mine?" before
 * a side effect.
 *
 * `lease_ms` is 1 or more, or `DELAYQ_DEFAULT` for the queue handle's. `outcome` and `lease_until_ms` (when the
 * lease ends; -1 after a failure) may each be NULL. `delayq_job_lease_until_ms()` goes on to give the lease of
 * the pop.
 *
 * Errors: `DELAYQ_ERR_LEASE_LOST` if the job is not held under this receipt any more (nothing changes);
 * `DELAYQ_ERR_INVALID_ARGUMENT` for a bad lease or a job of another topic; `DELAYQ_ERR_UNAVAILABLE`,
 * `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_extend(const struct delayq_queue *queue,
                                       const struct delayq_job *job,
                                       int64_t lease_ms,
                                       enum delayq_extend_outcome *outcome,
                                       int64_t *lease_until_ms,
                                       struct delayq_error **err);

/**
 * Gives many jobs new leases in few round trips, 500 jobs at a time. A lost lease is an outcome here, not an
 * error.
 *
 * `jobs` are `jobs_len` pointers to jobs of this queue; it may be NULL if `jobs_len` is 0. `lease_ms` is as for
 * `delayq_queue_extend()`. `outcomes` and `lease_until_ms` are NULL or arrays of as many items, which receive
 * what became of the leases, in the order of the jobs; -1 for a lost one.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad lease or a job of another topic, before anything is sent;
 * `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`. After these the first jobs may have been handled, although there are no outcomes; to
 * call again does no harm.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_extend_many(const struct delayq_queue *queue,
                                            const struct delayq_job *const *jobs,
                                            size_t jobs_len,
                                            int64_t lease_ms,
                                            enum delayq_extend_outcome *outcomes,
                                            int64_t *lease_until_ms,
                                            struct delayq_error **err);

/**
 * Makes up to `limit` jobs whose lease has ended due again; no failure is counted. A job delivered as often as
 * the queue handle's `max_deliveries` goes to the dead letter set instead. Any number of processes may sweep at
 * once.
 *
 * `limit` is 1 to `DELAYQ_MAX_SLICE`; `DELAYQ_DEFAULT_SLICE` is what the other languages take. `requeued`
 * receives the number of jobs that are due again, `dead` of those delivered too often, `orphaned` of ids whose
 * body was missing; each may be NULL. If the three together equal the limit, there may be more.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad limit; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`,
 * `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_requeue(const struct delayq_queue *queue,
                                        size_t limit,
                                        uint64_t *requeued,
                                        uint64_t *dead,
                                        uint64_t *orphaned,
                                        struct delayq_error **err);

/**
 * Removes a job in any live state and says which it was. A running consumer's later ack is refused. `outcome`
 * may be NULL.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad id; `DELAYQ_ERR_TIMEOUT` if the outcome is unknown;
 * `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_cancel(const struct delayq_queue *queue,
                                       const char *id,
                                       enum delayq_cancel_outcome *outcome,
                                       struct delayq_error **err);

/**
 * Looks up everything that Redis knows about a job. `*info` is owned by the caller, see
 * `delayq_job_info_free()`.
 *
 * Errors: `DELAYQ_ERR_NOT_FOUND` if nothing is known under the id; `DELAYQ_ERR_INVALID_ARGUMENT` for a bad id;
 * `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_get(const struct delayq_queue *queue,
                                    const char *id,
                                    struct delayq_job_info **info,
                                    struct delayq_error **err);

/**
 * Looks up a page of the jobs of one state: by due time (scheduled), lease deadline (processing), or since when
 * (dead, orphan). A page may be shorter than `limit` if its bodies are large; the end is an empty page.
 *
 * `state` is any but `DELAYQ_STATE_DONE`. `offset` is how many jobs to pass over. `limit` is 1 to
 * `DELAYQ_MAX_SLICE`; `DELAYQ_DEFAULT_SLICE` is what the other languages take. `*list` is owned by the caller,
 * see `delayq_job_info_list_free()`, and is never NULL after success.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad state or limit; `DELAYQ_ERR_UNAVAILABLE`,
 * `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_list(const struct delayq_queue *queue,
                                     delayq_state state,
                                     size_t offset,
                                     size_t limit,
                                     struct delayq_job_info_list **list,
                                     struct delayq_error **err);

/**
 * Schedules up to `limit` dead jobs again, the longest dead first, with fresh counters, due after `delay_ms`; 0
 * is at once.
 *
 * `limit` is 1 to `DELAYQ_MAX_SLICE`; `DELAYQ_DEFAULT_SLICE` is what the other languages take. `redriven`
 * receives the number of jobs that are scheduled again, `orphaned` of ids whose body was missing; each may be
 * NULL. If the two together equal the limit, there may be more.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad limit or delay; `DELAYQ_ERR_TIMEOUT` if the outcome is
 * unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_redrive(const struct delayq_queue *queue,
                                        size_t limit,
                                        int64_t delay_ms,
                                        uint64_t *redriven,
                                        uint64_t *orphaned,
                                        struct delayq_error **err);

/**
 * Schedules these dead jobs again, with fresh counters, due after `delay_ms`; 0 is at once. Ids that are not
 * dead are counted and left alone.
 *
 * `ids` are `ids_len` texts; it may be NULL if `ids_len` is 0. `redriven` receives the number of jobs that are
 * scheduled again, `orphaned` of ids whose body was missing, `not_dead` of ids that were not dead; each may be
 * NULL.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad id or delay, before anything is sent; `DELAYQ_ERR_TIMEOUT` if
 * the outcome is unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_redrive_ids(const struct delayq_queue *queue,
                                            const char *const *ids,
                                            size_t ids_len,
                                            int64_t delay_ms,
                                            uint64_t *redriven,
                                            uint64_t *orphaned,
                                            uint64_t *not_dead,
                                            struct delayq_error **err);

/**
 * Deletes up to `limit` jobs of one state, the lowest due time, deadline or age first. Purging running jobs
 * revokes their leases.
 *
 * `state` is any but `DELAYQ_STATE_DONE`. `limit` is 1 to `DELAYQ_MAX_SLICE`, which is what the other languages
 * take. `purged` receives the number of jobs that were deleted, `remaining` of those left in that state; each
 * may be NULL. Call again until none remain.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad state or limit; `DELAYQ_ERR_TIMEOUT` if the outcome is
 * unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_purge(const struct delayq_queue *queue,
                                      delayq_state state,
                                      size_t limit,
                                      uint64_t *purged,
                                      uint64_t *remaining,
                                      struct delayq_error **err);

/**
 * Looks for ids without a body and bodies without an id, e.g. after an eviction or an edit by hand, and puts
 * them right: a lost body makes its id an orphan, a body that no index holds is scheduled again. One pass in
 * small steps that never block Redis. Healthy jobs are left alone, so producers and consumers may go on.
 *
 * `limit` is 1 or more: the pass ends early once so many things were put right; `DELAYQ_MAX_SLICE` is what the
 * other languages take. `checked` receives the number of ids and bodies that were looked at, `rescheduled` of
 * bodies that no index held and that are scheduled now, `orphaned` of ids whose body is missing, `removed` of
 * bodies that no index held and whose job was done; each may be NULL.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a limit of 0; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`,
 * `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`. To call again does no harm.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_repair(const struct delayq_queue *queue,
                                       size_t limit,
                                       uint64_t *checked,
                                       uint64_t *rescheduled,
                                       uint64_t *orphaned,
                                       uint64_t *removed,
                                       struct delayq_error **err);

/**
 * Looks up the numbers of the topic.
 *
 * `overdue_ms` is for how long a job must have been due to count as overdue, or `DELAYQ_DEFAULT` for 30 s.
 * `*stats` is owned by the caller, see `delayq_stats_free()`.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad threshold; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`,
 * `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_stats(const struct delayq_queue *queue,
                                      int64_t overdue_ms,
                                      struct delayq_stats **stats,
                                      struct delayq_error **err);

/**
 * Gives no jobs to any consumer of the topic, in any language, until `delayq_queue_resume()`. Running jobs go
 * on, and jobs may be enqueued. To call it twice does no harm.
 *
 * Errors: `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_pause(const struct delayq_queue *queue,
                                      struct delayq_error **err);

/**
 * Ends a `delayq_queue_pause()` of the topic, whoever began it. To call it twice does no harm.
 *
 * Errors: `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_resume(const struct delayq_queue *queue,
                                       struct delayq_error **err);

/**
 * Gives all consumers of the topic together, in any language, at most `rate` jobs per second, and at most
 * `burst` at once after a quiet time. In any time t they are given at most burst + rate * t.
 *
 * `rate` is over 0 and at most 1e9; it need not be whole. `burst` is 1 or more, or `DELAYQ_DEFAULT` for the
 * jobs of one second. See `delayq_queue_unlimit()` for no limit.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad rate or burst; `DELAYQ_ERR_UNAVAILABLE`,
 * `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_limit(const struct delayq_queue *queue,
                                      double rate,
                                      int64_t burst,
                                      struct delayq_error **err);

/**
 * Takes the `delayq_queue_limit()` of the topic away. To call it without a limit does no harm.
 *
 * Errors: `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_unlimit(const struct delayq_queue *queue,
                                        struct delayq_error **err);

/**
 * The job; NULL for NULL.
 *
 * Valid until the handler returns. Since: 0.1.0
 */
const struct delayq_job *delayq_delivery_job(const struct delayq_delivery *delivery);

/**
 * The job failed. It is retried after `delay_ms`, or when its policy says for `DELAYQ_DEFAULT`; after one failure too
 * many it is dead. NULL does nothing.
 *
 * `error` is what went wrong and may be NULL; its first `DELAYQ_MAX_ERROR` bytes are kept as the job's last error. A
 * delay that cannot be right counts as `DELAYQ_DEFAULT`, and the last error says so.
 *
 * Since: 0.1.0
 */
void delayq_delivery_fail(struct delayq_delivery *delivery,
                          const char *error,
                          int64_t delay_ms);

/**
 * Not now: the job is handed back without a failure, due after `delay_ms`. A delay that cannot be right is a failure
 * that says so. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_delivery_release(struct delayq_delivery *delivery,
                             int64_t delay_ms);

/**
 * The job will never succeed: it goes to the dead letter set at once. `error` is as for `delayq_delivery_fail()`.
 * NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_delivery_dead(struct delayq_delivery *delivery,
                          const char *error);

/**
 * Nothing is reported about the job; it comes back when its lease ends. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_delivery_leave(struct delayq_delivery *delivery);

/**
 * Asks Redis whether the job is still this handler's, for a moment before a side effect; if so its lease is extended.
 *
 * Errors: `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
 * `DELAYQ_ERR_CLOSED`; then `*mine` is false, although it is not known.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_delivery_is_mine(const struct delayq_delivery *delivery,
                                           bool *mine,
                                           struct delayq_error **err);

/**
 * Whether the handler may give up: the lease was lost, the job was cancelled, or the worker is past the deadline of
 * its stop. Asks nobody, so it costs nothing. False for NULL.
 *
 * Since: 0.1.0
 */
bool delayq_delivery_is_revoked(const struct delayq_delivery *delivery);

/**
 * Whether the worker has begun to stop. The handler has until the deadline of the stop; one that would take longer may
 * hand its job back before, by `delayq_delivery_release()`. Costs nothing. False for NULL.
 *
 * Since: 0.1.0
 */
bool delayq_delivery_is_stopping(const struct delayq_delivery *delivery);

/**
 * Sleeps up to `wait_ms`, a negative number being 0, and answers as `delayq_delivery_is_revoked()`; returns at once
 * when that becomes true. False for NULL, without a sleep.
 *
 * Since: 0.1.0
 */
bool delayq_delivery_wait_revoked(const struct delayq_delivery *delivery,
                                  int64_t wait_ms);

/**
 * The word for a kind of event, the same in every language, e.g. `lease_lost`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_event_kind_str(delayq_event_kind kind);

/**
 * What happened; `DELAYQ_EVENT_NONE` for NULL.
 *
 * Since: 0.1.0
 */
enum delayq_event_kind delayq_event_get_kind(const struct delayq_event *event);

/**
 * The topic; NULL for NULL.
 *
 * Valid until the callback returns. Since: 0.1.0
 */
const char *delayq_event_topic(const struct delayq_event *event);

/**
 * The job's id; NULL if the event is not about one job.
 *
 * Valid until the callback returns. Since: 0.1.0
 */
const char *delayq_event_id(const struct delayq_event *event);

/**
 * What went wrong, of `DELAYQ_EVENT_FAILED` and `DELAYQ_EVENT_LOST`; NULL for the others.
 *
 * Valid until the callback returns. Since: 0.1.0
 */
const char *delayq_event_text(const struct delayq_event *event);

/**
 * How long the handler took, of `DELAYQ_EVENT_DONE`; -1 for the others.
 *
 * Since: 0.1.0
 */
int64_t delayq_event_took_ms(const struct delayq_event *event);

/**
 * How often the job was popped, this time included, of `DELAYQ_EVENT_STARTED`; 0 for the others.
 *
 * Since: 0.1.0
 */
uint32_t delayq_event_deliveries(const struct delayq_event *event);

/**
 * What became of the job, of `DELAYQ_EVENT_FAILED`; `DELAYQ_RETRY_NONE` for the others.
 *
 * Since: 0.1.0
 */
enum delayq_retry_outcome delayq_event_outcome(const struct delayq_event *event);

/**
 * Options with their defaults. Owned by the caller, see `delayq_worker_options_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_worker_options *delayq_worker_options_new(void);

/**
 * Frees the options; workers made with them are not affected. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_worker_options_free(struct delayq_worker_options *options);

/**
 * How many handlers run at once, over all topics of the worker, each on a thread of its own; 1 or more. Default 8.
 *
 * Since: 0.1.0
 */
void delayq_worker_options_set_concurrency(struct delayq_worker_options *options,
                                           int64_t concurrency);

/**
 * How many jobs may be taken before a handler is free for them, 0 or more. Default: as many as the handlers, as
 * quick as they were of late, begin within a tenth of a second, at most 200.
 *
 * Since: 0.1.0
 */
void delayq_worker_options_set_fetch_ahead(struct delayq_worker_options *options,
                                           int64_t fetch_ahead);

/**
 * How often jobs whose leases have ended are looked for, over all workers of a topic together; 1 or more. Default
 * 5000; at least twice in a lease, but not more often than every second. A lease whose end is known is swept when it ends.
 *
 * Since: 0.1.0
 */
void delayq_worker_options_set_sweep_every_ms(struct delayq_worker_options *options,
                                              int64_t sweep_every_ms);

/**
 * Tell this function what happens, for logs and metrics. Default NULL: nobody is told. `user` is handed to each call
 * and may be NULL; it must stay valid until `delayq_worker_free()` returns.
 *
 * Since: 0.1.0
 */
void delayq_worker_options_set_event_callback(struct delayq_worker_options *options,
                                              delayq_event_callback callback,
                                              void *user);

/**
 * A worker without handlers that is not started; see `delayq_worker_handle()` and `delayq_worker_start()`. `options`
 * may be NULL for the defaults; what cannot be right in them is refused by the start. Owned by the caller, see
 * `delayq_worker_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_worker *delayq_worker_new(const struct delayq_worker_options *options);

/**
 * Gives the jobs of a queue to a handler, before the worker is started. Any number of queues, each of another topic.
 *
 * `queue` may be freed afterwards. Its lease and retry policy are those of the jobs; the lease is renewed while a
 * handler runs, so a job may take longer than its lease. `user` is handed to each call and may be NULL; it must stay
 * valid until `delayq_worker_free()` returns.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` if something is NULL or the worker was started.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_worker_handle(const struct delayq_worker *worker,
                                        const struct delayq_queue *queue,
                                        delayq_handler handler,
                                        void *user,
                                        struct delayq_error **err);

/**
 * Starts the worker's threads and returns. Redis need not be there yet. A start that was refused may be tried again.
 *
 * A process that is to end on a signal such as SIGTERM stops the worker then; not in the signal handler, but on a
 * thread that is woken by it, as in examples/worker/worker.c.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` without a handler, with a topic twice, for a bad option, or if the worker was
 * started before, be it stopped meanwhile; `DELAYQ_ERR_INTERNAL` if a thread cannot be started.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_worker_start(const struct delayq_worker *worker,
                                       struct delayq_error **err);

/**
 * Stops: nothing more is taken; what waits for a handler is handed back without a failure; running handlers have
 * `deadline_ms`, and what they say still counts. Then the rest is handed back too, and their deliveries are revoked:
 * a handler that still runs goes on, but what it says does not count.
 *
 * Returns when all handlers have ended and all was reported, or up to a second after the deadline. May be called from
 * any thread; a second stop returns at once, and can only bring the deadline of the first one forward. A stop before the
 * start does nothing. While Redis is down it works as well: the jobs come back when their leases end.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad deadline, or inside a handler or the event callback of this worker,
 * where it would wait for itself.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_worker_stop(const struct delayq_worker *worker,
                                      int64_t deadline_ms,
                                      struct delayq_error **err);

/**
 * Looks up how the worker is, for a health check. Asks nobody, so it costs nothing and works while Redis is down.
 * `*health` is owned by the caller, see `delayq_health_free()`.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` if something is NULL.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_worker_health(const struct delayq_worker *worker,
                                        struct delayq_health **health,
                                        struct delayq_error **err);

/**
 * Frees the worker, which is stopped with a deadline of ten seconds if it runs. When it returns, no handler and no
 * event callback runs, and none will: it waits also for handlers that go on although their deliveries were revoked. A
 * program that will not wait for those ends without freeing the worker. Not to be called inside a handler or the event
 * callback. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_worker_free(struct delayq_worker *worker);

/**
 * Whether the worker's last call to Redis succeeded; false before the start and for NULL.
 *
 * Since: 0.1.0
 */
bool delayq_health_connected(const struct delayq_health *health);

/**
 * How long ago Redis last answered a pop; -1 if it never has, and for NULL. An idle worker waits up to a minute for
 * an answer.
 *
 * Since: 0.1.0
 */
int64_t delayq_health_last_pop_ms(const struct delayq_health *health);

/**
 * The number of handlers at work; 0 for NULL.
 *
 * Since: 0.1.0
 */
size_t delayq_health_running(const struct delayq_health *health);

/**
 * For how long the oldest of them has been at work; -1 if there is none, and for NULL.
 *
 * Since: 0.1.0
 */
int64_t delayq_health_oldest_running_ms(const struct delayq_health *health);

/**
 * The number of jobs that were taken and wait for a handler; 0 for NULL.
 *
 * Since: 0.1.0
 */
size_t delayq_health_waiting(const struct delayq_health *health);

/**
 * Whether the worker is stopping or has stopped; false for NULL.
 *
 * Since: 0.1.0
 */
bool delayq_health_stopping(const struct delayq_health *health);

/**
 * Frees the answer. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_health_free(struct delayq_health *health);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DELAYQ_H */
