// The library from C++: owned by unique_ptr, linked as C.
#include <cstring>
#include <memory>
#include <string>

#include "check.h"

template <typename T, void (*Free)(T *)>
struct deleter {
    void operator()(T *object) const { Free(object); }
};

template <typename T, void (*Free)(T *)>
using owned = std::unique_ptr<T, deleter<T, Free>>;

int main(int argc, char **argv) {
    CHECK(argc == 2);
    delayq_error *err = nullptr;
    delayq_client *opened = nullptr;
    OK(delayq_client_open(argv[1], nullptr, &opened, &err));
    owned<delayq_client, delayq_client_free> client(opened);

    delayq_queue *handle = nullptr;
    OK(delayq_client_queue(client.get(), "raii", nullptr, &handle, &err));
    owned<delayq_queue, delayq_queue_free> queue(handle);

    const std::string payload("one\0two", 7);
    owned<delayq_new_job, delayq_new_job_free> job(delayq_new_job_new(payload.data(), payload.size()));
    delayq_new_job_set_mode(job.get(), DELAYQ_MODE_KEEP);
    OK(delayq_queue_enqueue(queue.get(), job.get(), nullptr, &err));

    delayq_jobs *popped = nullptr;
    OK(delayq_queue_pop(queue.get(), 5, nullptr, &popped, &err));
    owned<delayq_jobs, delayq_jobs_free> jobs(popped);
    CHECK(delayq_jobs_len(jobs.get()) == 1);
    const delayq_job *got = delayq_jobs_get(jobs.get(), 0);
    CHECK(std::string(reinterpret_cast<const char *>(delayq_job_payload(got)), delayq_job_payload_len(got)) == payload);
    OK(delayq_queue_ack(queue.get(), got, nullptr, &err));
    return 0;
}
