/* The README's C example. Usage: quickstart [URL] */

/* START quickstart */
#include <delayq.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static const char payload[] = "{\"order\":2}";
    delayq_client *client = NULL;
    delayq_queue *queue = NULL;
    delayq_new_job *job = delayq_new_job_new(payload, sizeof payload - 1);
    delayq_pop_options *wait = delayq_pop_options_new();
    delayq_jobs *due = NULL;
    delayq_error *error = NULL;
    delayq_status status;
    size_t i;

    delayq_new_job_set_id(job, "order:2:close");
    delayq_new_job_set_delay_ms(job, 100);
    delayq_pop_options_set_wait_ms(wait, 5000);

    status = delayq_client_open(argc > 1 ? argv[1] : "embedded:./data", NULL, &client, &error);
    if (status == DELAYQ_OK) status = delayq_client_queue(client, "order_close", NULL, &queue, &error);
    if (status == DELAYQ_OK) status = delayq_queue_enqueue(queue, job, NULL, &error);
    if (status == DELAYQ_OK) status = delayq_queue_pop(queue, 20, wait, &due, &error);
    for (i = 0; status == DELAYQ_OK && i < delayq_jobs_len(due); i++) {
        printf("closing %s\n", delayq_job_id(delayq_jobs_get(due, i)));
        status = delayq_queue_ack(queue, delayq_jobs_get(due, i), NULL, &error);
    }
    if (status != DELAYQ_OK) fprintf(stderr, "%s\n", delayq_error_message(error));

    delayq_error_free(error);
    delayq_jobs_free(due);
    delayq_pop_options_free(wait);
    delayq_new_job_free(job);
    delayq_queue_free(queue);
    delayq_client_free(client);
    return status != DELAYQ_OK;
}
/* END quickstart */
