"""Schedules the closing of every order, and cancels it when the order is paid.

Usage: producer.py URL SPEED ORDERS < orders.jsonl; writes a line per event: `scheduled ID` or `paid ID OUTCOME`.
"""

import json
import sys
import time
from datetime import datetime

import delayq

PAYMENT_WINDOW = 15 * 60.0  # seconds in the shop


def events(lines):
    """What happens in the shop, in order: (seconds since the first order, what, order)."""
    orders = [json.loads(line) for line in lines]
    times = [(datetime.fromisoformat(order["created_at"]), "created", order) for order in orders]
    times += [(datetime.fromisoformat(order["paid_at"]), "paid", order) for order in orders if order["paid_at"]]
    start = min(at for at, _, _ in times)
    return sorted(((at - start).total_seconds(), what, order["order_id"]) for at, what, order in times)


def main(url: str, speed: float, count: int) -> None:
    with delayq.Client(url) as client:
        queue = client.queue("order_close")
        began = time.monotonic()
        for seconds, what, order_id in events(sys.stdin.readlines()[:count]):
            time.sleep(max(0.0, began + seconds / speed - time.monotonic()))  # the shop's own pace
            closing = f"order:{order_id}:close"
            if what == "created":
                queue.enqueue({"order_id": order_id}, id=closing, delay=PAYMENT_WINDOW / speed)
                print("scheduled", order_id, flush=True)
            else:
                print("paid", order_id, queue.cancel(closing), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
