// The library from C++: owned by unique_ptr, linked as C.
#include <cstring>
#include <exception>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>

#include "check.h"

template <typename T, void (*Free)(T *)>
struct deleter {
    void operator()(T *object) const { Free(object); }
};

template <typename T, void (*Free)(T *)>
using owned = std::unique_ptr<T, deleter<T, Free>>;

// What the standard library throws ends here, as a failure of the job: no exception may get out of a handler.
extern "C" void take(delayq_delivery *delivery, void *user) {
    const char *payload = reinterpret_cast<const char *>(delayq_job_payload(delayq_delivery_job(delivery)));
    try {
        static_cast<std::promise<std::string> *>(user)->set_value(std::string(payload, 2));
        throw std::runtime_error("thrown");
    } catch (const std::exception &problem) {
        delayq_delivery_dead(delivery, problem.what());
    }
}

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

    std::promise<std::string> handled; // outlives the worker
    owned<delayq_worker, delayq_worker_free> worker(delayq_worker_new(nullptr));
    OK(delayq_worker_handle(worker.get(), queue.get(), take, &handled, &err));
    OK(delayq_worker_start(worker.get(), &err));
    delayq_new_job_set_payload(job.get(), "hi", 2);
    delayq_new_job_set_id(job.get(), "handled");
    OK(delayq_queue_enqueue(queue.get(), job.get(), nullptr, &err));
    CHECK(handled.get_future().get() == "hi");
    worker.reset(); // what the handler said is reported

    delayq_job_info *info = nullptr;
    OK(delayq_queue_get(queue.get(), "handled", &info, &err));
    owned<delayq_job_info, delayq_job_info_free> dead(info);
    CHECK(delayq_job_info_state(info) == DELAYQ_STATE_DEAD);
    CHECK(std::strcmp(delayq_job_info_last_error(info), "thrown") == 0);
    return 0;
}
