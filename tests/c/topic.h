/* A queue on a topic of its own and the steps that every test of a verb begins with. */
#ifndef TOPIC_H
#define TOPIC_H

#include "check.h"

static delayq_error *err;
static delayq_queue *queue;

/* Moves the program to a topic of its own; the policy is taken over. */
static inline void use(const delayq_client *client, const char *topic, delayq_retry_policy *policy) {
    delayq_queue_options *options = delayq_queue_options_new();
    delayq_queue_options_set_retry_policy(options, policy);
    delayq_retry_policy_free(policy);
    delayq_queue_free(queue);
    OK(delayq_client_queue(client, topic, options, &queue, &err));
    delayq_queue_options_free(options);
}

static inline void enqueue(const char *id, const delayq_retry_policy *policy) {
    delayq_new_job *job = delayq_new_job_new("payload", 7);
    delayq_new_job_set_id(job, id);
    delayq_new_job_set_retry_policy(job, policy);
    OK(delayq_queue_enqueue(queue, job, NULL, &err));
    delayq_new_job_free(job);
}

static inline delayq_jobs *pop(size_t wanted) {
    delayq_jobs *jobs;
    OK(delayq_queue_pop(queue, 20, NULL, &jobs, &err));
    CHECK(delayq_jobs_len(jobs) == wanted);
    return jobs;
}

static inline delayq_job_info *get(const char *id, delayq_state wanted) {
    delayq_job_info *info;
    OK(delayq_queue_get(queue, id, &info, &err));
    CHECK(strcmp(delayq_job_info_id(info), id) == 0);
    CHECK(strcmp(delayq_job_info_topic(info), delayq_queue_topic(queue)) == 0);
    CHECK(delayq_job_info_state(info) == wanted);
    CHECK((delayq_job_info_picked_at_ms(info) != -1) == (wanted == DELAYQ_STATE_PROCESSING));
    CHECK((delayq_job_info_lease_until_ms(info) != -1) == (wanted == DELAYQ_STATE_PROCESSING));
    CHECK((delayq_job_info_died_at_ms(info) != -1) == (wanted == DELAYQ_STATE_DEAD));
    CHECK(delayq_job_info_orphaned_at_ms(info) == -1);
    CHECK((delayq_job_info_payload(info) == NULL) == (wanted == DELAYQ_STATE_DONE));
    return info;
}

#endif
