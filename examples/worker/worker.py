"""A worker that closes unpaid orders. Usage: worker.py [URL]; Ctrl-C stops it."""

import logging
import sys

import delayq

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")

url = sys.argv[1] if len(sys.argv) > 1 else "embedded:./data"  # a private server; or "redis://127.0.0.1:6379/0"
client = delayq.Client(url)
queue = client.queue("order_close", lease=30.0)


def close_order(job):
    order = job.json()["order"]
    if order % 5 == 0 and job.deliveries == 1:
        return delayq.Release(delay=0.5)  # not now, which is no failure
    if order % 7 == 0:
        raise delayq.Dead(f"there is no order {order}")  # no retry will help
    if not job.is_mine():  # e.g. paid and cancelled meanwhile
        return None
    print("closing order", order, flush=True)
    if order == 20:
        worker.stop()  # the last one of this example
    return None


worker = delayq.Worker(queue, close_order, concurrency=4)
queue.enqueue_many(
    delayq.NewJob({"order": n}, id=f"order:{n}:close", delay=n / 20, ignore_done=True) for n in range(1, 21)
)
worker.run(deadline=10.0)  # until Ctrl-C, SIGTERM or worker.stop()
client.close()
