"""The verbs of delayq for asyncio: the same names, arguments and errors, each a coroutine function.

>>> async with delayq.aio.Client(url) as client:   # doctest: +SKIP
...     queue = client.queue("order_close")
...     for job in await queue.pop(20, wait=5):
...         await queue.ack(job)
"""

from ._client import Client
from ._queue import Queue

__all__ = ["Client", "Queue"]

for _class in (Client, Queue):
    _class.__module__ = __name__  # where users find them
del _class
