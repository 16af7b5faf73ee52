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
 *     delayq_new_job *job = delayq_new_job_new((const uint8_t *)"order 1", 7);
 *     delayq_new_job_set_id(job, "order:1:close");
 *     delayq_new_job_set_delay_ms(job, 900 * 1000);
 *     if (delayq_queue_enqueue(queue, job, NULL, &err) != DELAYQ_OK) goto failed;
 *     delayq_new_job_free(job);
 *
 *     if (delayq_queue_pop(queue, 20, NULL, &jobs, &err) != DELAYQ_OK) goto failed;
 *     for (size_t i = 0; i < delayq_jobs_len(jobs); i++) {
 *         run(delayq_jobs_get(jobs, i));
 *         if (delayq_queue_ack(queue, delayq_jobs_get(jobs, i), NULL, &err) != DELAYQ_OK) goto failed;
 *     }
 *     delayq_jobs_free(jobs);
 *
 * Compile and link with `cc app.c $(pkg-config --cflags --libs delayq)`.
 *
 * WORDS. A topic is the name of a queue. A job has an id, a payload, a due time and counters. Popping a job
 * leases it to the caller for a limited time; the receipt proves the lease. Delivery is at least once: a job
 * whose lease ends without an ack is handed out again by a requeue, and a late ack is refused.
 *
 * THREADS. A client, a queue and a cancel token may be used from any number of threads at once, every other
 * object by one thread at a time (or by several that only read it), and nothing during or after its `_free`.
 * A client may be used in a forked child, which opens connections of its own.
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
 * TIME. All times and durations are whole milliseconds, as the suffix `_ms` says; points in time are counted
 * from the Unix epoch, by the Redis server's clock. A negative duration is refused.
 *
 * SETTERS report nothing: a value that cannot be right is refused by the call that is given the object, and may
 * be set again.
 *
 * ERRORS. Every call that may fail returns a `delayq_status`, DELAYQ_OK on success, and takes `delayq_error
 * **err` as its last argument. `err` may be NULL; otherwise `*err` is set to NULL on success and to an error on
 * failure, which the caller frees. The other results are NULL or 0 after a failure; none of them, nor `*err`,
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

/** The most expired leases that one `delayq_queue_requeue()` handles. */
#define DELAYQ_MAX_REQUEUE 1000

/** How many expired leases to handle at once if there is no reason for another number. */
#define DELAYQ_DEFAULT_REQUEUE 100

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
 * A job that this process holds until its lease ends. Owned by the list that it was popped in.
 */
typedef struct delayq_job delayq_job;

/**
 * The jobs of one pop, the oldest due time first. Owned by the caller, see `delayq_jobs_free()`.
 */
typedef struct delayq_jobs delayq_jobs;

/**
 * A job to enqueue: a payload, and optionally an id, a time and a mode. May be enqueued any number of times and
 * changed in between.
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
 * Options of a queue handle. Handles of one topic may differ. Needed only until `delayq_client_queue()` returns.
 */
typedef struct delayq_queue_options delayq_queue_options;

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
 * Path of the server binary for `embedded:` URLs, tried before those on `PATH`; the environment variable
 * `DELAYQ_SERVER` still comes first. Default NULL: none.
 *
 * Since: 0.1.0
 */
void delayq_client_options_set_server_binary(struct delayq_client_options *options,
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
 * `url` is `redis://[user:password@]host:port/db`, `rediss://` (TLS), `unix:///path?db=0`, or `embedded:<dir>`
 * for a private server in that folder. `options` may be NULL for the defaults. `*client` is owned by the
 * caller, see `delayq_client_free()`.
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
 * by `delayq_client_close()`. NULL does nothing.
 *
 * Since: 0.1.0
 */
void delayq_client_free(struct delayq_client *client);

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
 * A job with this payload, due at once, under a generated id. The bytes are copied; `payload` may be NULL if
 * `payload_len` is 0. Owned by the caller, see `delayq_new_job_free()`.
 *
 * Since: 0.1.0
 */
struct delayq_new_job *delayq_new_job_new(const uint8_t *payload,
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
                                const uint8_t *payload,
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
 * The word for a mode, the same in every language, e.g. `keep`; NULL for a number that is none.
 *
 * Lives as long as the process. Since: 0.1.0
 */
const char *delayq_mode_str(delayq_mode mode);

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
const char *delayq_cancel_outcome_str(delayq_cancel_outcome outcome);

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
 * acknowledged not long ago, the outcome is `DELAYQ_ENQUEUE_DONE` and nothing is stored. `enqueued` may be NULL;
 * `*enqueued` is owned by the caller, see `delayq_enqueued_free()`.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad id, time, mode or payload; `DELAYQ_ERR_TIMEOUT` if the outcome
 * is unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
 *
 * Since: 0.1.0
 */
enum delayq_status delayq_queue_enqueue(const struct delayq_queue *queue,
                                        const struct delayq_new_job *job,
                                        struct delayq_enqueued **enqueued,
                                        struct delayq_error **err);

/**
 * Stores many jobs in few round trips. Each chunk (up to 500 jobs or 1 MiB of payload) is stored in one piece; a
 * job that repeats an id of its chunk begins a new one.
 *
 * `jobs` are `jobs_len` pointers to jobs, which stay the caller's; it may be NULL if `jobs_len` is 0. `list` may
 * be NULL; `*list` is owned by the caller, see `delayq_enqueued_list_free()`.
 *
 * Errors: as `delayq_queue_enqueue()`. A value that is refused is refused before anything is sent, except a
 * delay that passes the year 9999 only by the server's clock, which refuses its chunk. After any other error the
 * earlier chunks are stored.
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
 * Takes up to `max` due jobs, the oldest due time first (equal times by id), and leases each to this caller. The
 * list is empty if nothing is due, with `delayq_pop_options_set_wait_ms()` after waiting that long, and if the
 * wait was cancelled.
 *
 * `max` is 1 to `DELAYQ_MAX_POP`. `options` may be NULL for the defaults. `*jobs` is owned by the caller, see
 * `delayq_jobs_free()`, and is never NULL after success.
 *
 * Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad `max`, lease or wait; `DELAYQ_ERR_TIMEOUT` (jobs may be leased
 * to nobody until their lease ends); `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`;
 * `DELAYQ_ERR_CLOSED`, also if the client is closed during the wait.
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
 * Makes up to `limit` jobs whose lease has ended due again; no failure is counted. A job delivered as often as
 * the queue handle's `max_deliveries` goes to the dead letter set instead. Any number of processes may sweep at
 * once.
 *
 * `limit` is 1 to `DELAYQ_MAX_REQUEUE`; `DELAYQ_DEFAULT_REQUEUE` is what the other languages take. `requeued`
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

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DELAYQ_H */
