"""The README's Python example. Usage: quickstart.py [URL]"""

import sys

# START quickstart
import delayq

url = sys.argv[1] if len(sys.argv) > 1 else "embedded:./data"  # a private server; or "redis://127.0.0.1:6379/0"
client = delayq.Client(url)
queue = client.queue("order_close", lease=30.0)

queue.enqueue({"order": 1}, id="order:1:close", delay=900)  # in 15 minutes …
queue.cancel("order:1:close")  # … unless it is paid
queue.enqueue({"order": 2}, id="order:2:close", delay=0.1)

for job in queue.pop(20, wait=5.0):  # up to 20 jobs that are due; [] when the wait is over
    print("closing order", job.json()["order"])
    queue.ack(job)
# END quickstart

client.close()
