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
