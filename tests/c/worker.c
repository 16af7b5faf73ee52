/* The worker: every end of a delivery, many jobs of several topics, events, health, and every way to stop. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <time.h>

#include "topic.h"

enum { HOUR = 3600 * 1000, LONG = 120 * 1000, JOBS = 1000 };

/* What the callbacks of the library's threads leave for the main thread. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int told[DELAYQ_EVENT_BACK + 1];
static int begun;

static void add(int *number) {
    pthread_mutex_lock(&lock);
    ++*number;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* Waits until a number is reached; that it never is ends the program by the test's limit. */
static void await(const int *number, int wanted) {
    pthread_mutex_lock(&lock);
    while (*number < wanted) pthread_cond_wait(&changed, &lock);
    CHECK(*number == wanted);
    pthread_mutex_unlock(&lock);
}

static void listen(const delayq_event *event, void *user) {
    const delayq_event_kind kind = delayq_event_get_kind(event);
    const int about_a_job = kind != DELAYQ_EVENT_LOST && kind != DELAYQ_EVENT_BACK;
    const int went_wrong = kind == DELAYQ_EVENT_FAILED || kind == DELAYQ_EVENT_LOST;
    CHECK(kind > DELAYQ_EVENT_NONE && kind <= DELAYQ_EVENT_BACK && user == told);
    CHECK(strlen(delayq_event_kind_str(kind)) > 3 && strlen(delayq_event_topic(event)) > 1);
    CHECK((delayq_event_id(event) != NULL) == about_a_job);
    CHECK((delayq_event_text(event) != NULL) == went_wrong);
    CHECK((delayq_event_took_ms(event) != -1) == (kind == DELAYQ_EVENT_DONE));
    CHECK((delayq_event_deliveries(event) != 0) == (kind == DELAYQ_EVENT_STARTED));
    CHECK((delayq_event_outcome(event) != DELAYQ_RETRY_NONE) == (kind == DELAYQ_EVENT_FAILED));
    if (kind == DELAYQ_EVENT_FAILED) {
        const int dead = strcmp(delayq_event_id(event), "dead") == 0;
        CHECK(delayq_event_outcome(event) == (dead ? DELAYQ_RETRY_DEAD : DELAYQ_RETRY_SCHEDULED));
    }
    add(&told[kind]);
}

static delayq_worker *new_worker(int64_t concurrency) {
    memset(told, 0, sizeof told);
    begun = 0;
    delayq_worker_options *options = delayq_worker_options_new();
    delayq_worker_options_set_concurrency(options, concurrency);
    delayq_worker_options_set_fetch_ahead(options, 30);
    delayq_worker_options_set_sweep_every_ms(options, 500);
    delayq_worker_options_set_event_callback(options, listen, told);
    delayq_worker *worker = delayq_worker_new(options);
    delayq_worker_options_free(options);
    return worker;
}

static delayq_worker *started(int64_t concurrency, delayq_handler handler) {
    delayq_worker *worker = new_worker(concurrency);
    OK(delayq_worker_handle(worker, queue, handler, worker, &err));
    OK(delayq_worker_start(worker, &err));
    return worker;
}

static delayq_health *health_of(const delayq_worker *worker) {
    delayq_health *health;
    delayq_error *problem;
    CHECK(delayq_worker_health(worker, &health, &problem) == DELAYQ_OK);
    return health;
}

/* ---- every end of a delivery ---- */

static void end_by_id(delayq_delivery *delivery, void *user) {
    const char *id = delayq_job_id(delayq_delivery_job(delivery));
    CHECK(user != NULL && delayq_job_deliveries(delayq_delivery_job(delivery)) == 1);
    if (strcmp(id, "fails") == 0) delayq_delivery_fail(delivery, "broken", DELAYQ_DEFAULT);
    if (strcmp(id, "fails-for") == 0) delayq_delivery_fail(delivery, "busy", 2 * HOUR);
    if (strcmp(id, "fails-badly") == 0) delayq_delivery_fail(delivery, "bad", -1);
    if (strcmp(id, "fails-too-long") == 0) delayq_delivery_fail(delivery, "slow", INT64_MAX);
    if (strcmp(id, "released") == 0) delayq_delivery_release(delivery, 3 * HOUR);
    if (strcmp(id, "released-badly") == 0) delayq_delivery_release(delivery, -1);
    if (strcmp(id, "dead") == 0) delayq_delivery_dead(delivery, "hopeless");
    if (strcmp(id, "left") == 0) delayq_delivery_leave(delivery);
    if (strcmp(id, "last-counts") == 0) {
        delayq_error *problem;
        CHECK(delayq_delivery_is_mine(delivery, NULL, &problem) == DELAYQ_ERR_INVALID_ARGUMENT);
        delayq_error_free(problem);
        delayq_delivery_dead(delivery, "first");
        delayq_delivery_fail(delivery, NULL, DELAYQ_DEFAULT);
    }
}

/* The state of a job, its failures, what its last error begins with or holds, and its delay in hours. */
static void ended(const char *id, delayq_state state, uint32_t failures, const char *error, int hours) {
    delayq_job_info *info = get(id, state);
    const int64_t delay = delayq_job_info_due_at_ms(info) - delayq_job_info_created_at_ms(info);
    CHECK(delayq_job_info_retry_count(info) == failures);
    CHECK(error == NULL || strstr(delayq_job_info_last_error(info), error) != NULL);
    CHECK(hours == 0 || (delay >= hours * HOUR && delay < hours * HOUR + LONG));
    delayq_job_info_free(info);
}

static void every_end(const delayq_client *client) {
    static const char *const ids[] = {"fails", "fails-for", "fails-badly", "fails-too-long", "released",
                                      "released-badly", "dead", "left", "last-counts", "done"};
    use(client, "ends", delayq_retry_policy_new_fixed(HOUR));
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) enqueue(ids[i], NULL);
    delayq_worker *worker = started(4, end_by_id);
    await(&told[DELAYQ_EVENT_STARTED], 10);
    await(&told[DELAYQ_EVENT_FAILED], 7);
    await(&told[DELAYQ_EVENT_RELEASED], 1);
    await(&told[DELAYQ_EVENT_DONE], 1);
    OK(delayq_worker_stop(worker, LONG, &err));
    ended("fails", DELAYQ_STATE_SCHEDULED, 1, "broken", 1);
    ended("fails-for", DELAYQ_STATE_SCHEDULED, 1, "busy", 2);
    ended("fails-badly", DELAYQ_STATE_SCHEDULED, 1, "bad (delay_ms is negative", 1);
    ended("fails-too-long", DELAYQ_STATE_SCHEDULED, 1, "year 9999", 1);
    ended("released", DELAYQ_STATE_SCHEDULED, 0, NULL, 3);
    ended("released-badly", DELAYQ_STATE_SCHEDULED, 1, "delay_ms is negative", 1);
    ended("dead", DELAYQ_STATE_DEAD, 1, "hopeless", 0);
    ended("left", DELAYQ_STATE_PROCESSING, 0, NULL, 0);
    ended("last-counts", DELAYQ_STATE_SCHEDULED, 1, NULL, 1);
    ended("done", DELAYQ_STATE_DONE, 0, NULL, 0);
    CHECK(told[DELAYQ_EVENT_LEASE_LOST] == 0 && told[DELAYQ_EVENT_LOST] == 0);
    delayq_worker_free(worker);
}

/* ---- many jobs, several topics ---- */

struct topic {
    const char *name;
    int seen[JOBS];
};

static void see(delayq_delivery *delivery, void *user) {
    struct topic *topic = user;
    const delayq_job *job = delayq_delivery_job(delivery);
    const int number = atoi(delayq_job_id(job));
    CHECK(strcmp(delayq_job_topic(job), topic->name) == 0);
    CHECK(delayq_job_payload_len(job) == 7 && memcmp(delayq_job_payload(job), "payload", 7) == 0);
    if (number % 100 == 0) {
        bool mine;
        delayq_error *problem;
        CHECK(delayq_delivery_is_mine(delivery, &mine, &problem) == DELAYQ_OK && mine);
        CHECK(!delayq_delivery_is_stopping(delivery) && !delayq_delivery_is_revoked(delivery) && !delayq_delivery_wait_revoked(delivery, 1));
    }
    add(&topic->seen[number]);
}

static void many_of_several_topics(const delayq_client *client) {
    static struct topic topics[] = {{"many-1", {0}}, {"many-2", {0}}};
    delayq_worker *worker = new_worker(16);
    char id[16];
    for (int t = 0; t < 2; t++) {
        use(client, topics[t].name, NULL);
        OK(delayq_worker_handle(worker, queue, see, &topics[t], &err));
        if (t == 1) OK(delayq_worker_start(worker, &err)); /* before the jobs of one, after those of the other */
        for (int i = 0; i < JOBS; i++) {
            snprintf(id, sizeof id, "%d", i);
            enqueue(id, NULL);
        }
    }
    await(&told[DELAYQ_EVENT_DONE], 2 * JOBS);
    delayq_health *health = health_of(worker);
    CHECK(delayq_health_connected(health) && delayq_health_last_pop_ms(health) >= 0);
    CHECK(!delayq_health_stopping(health));
    delayq_health_free(health);
    delayq_worker_free(worker); /* stops it */
    for (int i = 0; i < JOBS; i++) CHECK(topics[0].seen[i] == 1 && topics[1].seen[i] == 1);
    CHECK(told[DELAYQ_EVENT_STARTED] == 2 * JOBS);
}

/* ---- stopping ---- */

/* Ends when its worker is stopping, which it must not do itself. */
static void until_stopping(delayq_delivery *delivery, void *user) {
    delayq_worker *worker = user;
    delayq_error *problem;
    CHECK(delayq_worker_stop(worker, 0, &problem) == DELAYQ_ERR_INVALID_ARGUMENT);
    CHECK(strstr(delayq_error_message(problem), "inside a callback") != NULL);
    delayq_error_free(problem);
    add(&begun);
    for (int stopping = 0; !stopping;) {
        CHECK(!delayq_delivery_wait_revoked(delivery, 1));
        delayq_health *health = health_of(worker);
        CHECK(delayq_health_running(health) == 1 && delayq_health_oldest_running_ms(health) >= 0);
        stopping = delayq_health_stopping(health);
        CHECK(stopping || delayq_health_waiting(health) <= 1);
        delayq_health_free(health);
    }
}

static void *stop_patiently(void *worker) {
    delayq_error *problem;
    CHECK(delayq_worker_stop(worker, LONG, &problem) == DELAYQ_OK);
    return NULL;
}

static void a_stop_lets_handlers_end(const delayq_client *client) {
    use(client, "patient", NULL);
    delayq_worker *worker = started(1, until_stopping);
    enqueue("first", NULL);
    await(&begun, 1);
    enqueue("second", NULL);
    pthread_t stopper;
    CHECK(pthread_create(&stopper, NULL, stop_patiently, worker) == 0);
    CHECK(pthread_join(stopper, NULL) == 0);
    OK(delayq_worker_stop(worker, 0, &err));
    CHECK(begun == 1 && told[DELAYQ_EVENT_DONE] == 1);
    ended("first", DELAYQ_STATE_DONE, 0, NULL, 0);
    ended("second", DELAYQ_STATE_SCHEDULED, 0, NULL, 0);
    delayq_worker_free(worker);
}

static void until_revoked(delayq_delivery *delivery, void *user) {
    CHECK(user != NULL);
    add(&begun);
    CHECK(delayq_delivery_wait_revoked(delivery, HOUR) && delayq_delivery_is_revoked(delivery));
    CHECK(delayq_delivery_is_stopping(delivery) ==
          (strcmp(delayq_job_topic(delayq_delivery_job(delivery)), "cancelled") != 0));
    CHECK(delayq_delivery_wait_revoked(delivery, -1));
    if (strcmp(delayq_job_topic(delayq_delivery_job(delivery)), "cancelled") == 0) {
        bool mine = true;
        delayq_error *problem;
        CHECK(delayq_delivery_is_mine(delivery, &mine, &problem) == DELAYQ_OK && !mine);
    }
    if (strcmp(delayq_job_topic(delayq_delivery_job(delivery)), "impatient") == 0) {
        poll(NULL, 0, 300); /* work that cannot be broken off, and outlasts the stop */
    }
    delayq_delivery_dead(delivery, "does not count");
    add(&begun);
}

static void past_the_deadline_deliveries_are_revoked(const delayq_client *client) {
    use(client, "impatient", NULL);
    delayq_worker *worker = started(2, until_revoked);
    enqueue("a", NULL);
    await(&begun, 1);
    OK(delayq_worker_stop(worker, 0, &err));
    await(&begun, 1);
    delayq_worker_free(worker);
    CHECK(begun == 2); /* the free waits for handlers */
    ended("a", DELAYQ_STATE_SCHEDULED, 0, NULL, 0);
}

static void a_cancelled_job_is_revoked(const delayq_client *client) {
    delayq_queue_options *options = delayq_queue_options_new();
    delayq_queue_options_set_lease_ms(options, 300);
    delayq_queue_free(queue);
    OK(delayq_client_queue(client, "cancelled", options, &queue, &err));
    delayq_queue_options_free(options);
    delayq_worker *worker = started(2, until_revoked);
    enqueue("a", NULL);
    await(&begun, 1);
    OK(delayq_queue_cancel(queue, "a", NULL, &err));
    await(&begun, 2);
    OK(delayq_worker_stop(worker, LONG, &err));
    CHECK(told[DELAYQ_EVENT_LEASE_LOST] >= 1 && told[DELAYQ_EVENT_FAILED] == 0);
    delayq_worker_free(worker);
}

/* ---- refusals ---- */

static void refuses_to_start(void (*set)(delayq_worker_options *, int64_t), int64_t value, const char *part) {
    delayq_worker_options *options = delayq_worker_options_new();
    set(options, value);
    delayq_worker *worker = delayq_worker_new(options);
    delayq_worker_options_free(options);
    OK(delayq_worker_handle(worker, queue, until_revoked, NULL, &err));
    FAILS(delayq_worker_start(worker, &err), DELAYQ_ERR_INVALID_ARGUMENT, part);
    delayq_worker_free(worker);
}

static void refusals(const delayq_client *client) {
    const delayq_status invalid = DELAYQ_ERR_INVALID_ARGUMENT;
    use(client, "refused", NULL);
    refuses_to_start(delayq_worker_options_set_concurrency, 0, "concurrency is zero");
    refuses_to_start(delayq_worker_options_set_concurrency, -1, "concurrency is -1");
    refuses_to_start(delayq_worker_options_set_fetch_ahead, -1, "fetch_ahead is -1");
    refuses_to_start(delayq_worker_options_set_sweep_every_ms, 0, "sweep_every is zero");
    refuses_to_start(delayq_worker_options_set_sweep_every_ms, -1, "sweep_every_ms is negative");

    delayq_worker *worker = delayq_worker_new(NULL);
    FAILS(delayq_worker_start(worker, &err), invalid, "no handler");
    OK(delayq_worker_stop(worker, 0, &err));
    delayq_health *health = health_of(worker);
    CHECK(!delayq_health_connected(health) && delayq_health_last_pop_ms(health) == -1);
    CHECK(delayq_health_oldest_running_ms(health) == -1 && !delayq_health_stopping(health));
    delayq_health_free(health);
    OK(delayq_worker_handle(worker, queue, until_revoked, NULL, &err));
    OK(delayq_worker_start(worker, &err));
    FAILS(delayq_worker_start(worker, &err), invalid, "started before");
    FAILS(delayq_worker_handle(worker, queue, until_revoked, NULL, &err), invalid, "handlers before");
    FAILS(delayq_worker_stop(worker, -1, &err), invalid, "deadline_ms is negative");
    FAILS(delayq_worker_stop(worker, DELAYQ_DEFAULT, &err), invalid, "deadline_ms is negative");
    OK(delayq_worker_stop(worker, LONG, &err));
    FAILS(delayq_worker_start(worker, &err), invalid, "started before");
    delayq_worker_free(worker);

    worker = delayq_worker_new(NULL);
    OK(delayq_worker_handle(worker, queue, until_revoked, NULL, &err));
    OK(delayq_worker_handle(worker, queue, until_revoked, NULL, &err));
    FAILS(delayq_worker_start(worker, &err), invalid, "two handlers");
    delayq_worker_free(worker);
}

/* A worker without Redis says so, and stops. */
static void without_redis(void) {
    delayq_client *client;
    delayq_client_options *options = delayq_client_options_new();
    delayq_client_options_set_retry_for_ms(options, 0);
    OK(delayq_client_open("unix:///nowhere/delayq.sock", options, &client, &err));
    delayq_client_options_free(options);
    use(client, "nowhere", NULL);
    delayq_worker *worker = started(1, until_revoked);
    pthread_mutex_lock(&lock);
    while (told[DELAYQ_EVENT_LOST] == 0) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    delayq_health *health = health_of(worker);
    CHECK(!delayq_health_connected(health) && delayq_health_last_pop_ms(health) == -1);
    delayq_health_free(health);
    OK(delayq_worker_stop(worker, LONG, &err));
    delayq_worker_free(worker);
    delayq_client_free(client);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    delayq_client *client;
    OK(delayq_client_open(argv[1], NULL, &client, &err));
    every_end(client);
    many_of_several_topics(client);
    a_stop_lets_handlers_end(client);
    past_the_deadline_deliveries_are_revoked(client);
    a_cancelled_job_is_revoked(client);
    refusals(client);
    without_redis();
    delayq_queue_free(queue);
    delayq_client_free(client);
    await_the_end_of_threads();
    return 0;
}
