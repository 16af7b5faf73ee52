"""Events of a worker, told by a thread of Python's: to the log, and to the program if it listens."""

from __future__ import annotations

import contextlib
import logging
import threading
from typing import Callable

from .._delayq import Delivery, Event, _Worker
from ._outcomes import Outcome

logger = logging.getLogger("delayq.worker")


class Teller:
    """Tells what happens. Whatever a listener or a log's handler does, the worker goes on."""

    def __init__(self, core: _Worker, listener: Callable[[Event], object] | None, look: Callable[[], None]) -> None:
        self._core = core
        self._listener = listener
        self._look = look
        self.thread = threading.Thread(target=self._serve, name="delayq-events", daemon=True)

    def wants_all(self) -> bool:
        """Whether anybody is told when jobs begin and end well."""
        return self._listener is not None or logger.isEnabledFor(logging.INFO)

    def raised(self, delivery: Delivery, error: BaseException) -> None:
        """A handler raised: at once, since only here is the traceback."""
        with contextlib.suppress(Exception):
            logger.warning("%s: the handler of job %r failed", delivery.topic, delivery.id, exc_info=error)

    def failed(self, delivery: Delivery, outcome: Outcome) -> None:
        """A handler said that its job failed."""
        with contextlib.suppress(Exception):
            logger.warning("%s: the handler of job %r failed: %s", delivery.topic, delivery.id, outcome)

    def _serve(self) -> None:
        while (news := self._core.events(self.wants_all())) is not None:
            events, missed = news
            if missed or any(event.kind not in ("started", "done", "failed") for event in events):
                with contextlib.suppress(Exception):
                    self._look()  # deliveries may have been revoked
            for event in events:
                self._tell(event)
            if missed:
                with contextlib.suppress(Exception):
                    logger.error("%d events were not told: on_event is too slow", missed)

    def _tell(self, event: Event) -> None:
        with contextlib.suppress(Exception):
            log(event)
        if self._listener is None:
            return
        try:
            self._listener(event)
        except BaseException:
            with contextlib.suppress(Exception):
                logger.exception("on_event failed at %r", event)


def log(event: Event) -> None:
    """One line."""
    kind, topic, id = event.kind, event.topic, event.id
    if kind == "started":
        logger.debug("%s: job %r begins, delivery %s", topic, id, event.deliveries)
    elif kind == "done":
        logger.info("%s: job %r is done after %.3f s", topic, id, event.took)
    elif kind == "failed" and event.outcome == "dead":
        logger.error("%s: job %r is dead: %s", topic, id, event.error)
    elif kind == "failed":
        again = "will run again" if event.outcome == "scheduled" else "was done before"
        logger.info("%s: job %r failed and %s: %s", topic, id, again, event.error)
    elif kind == "lease_lost":
        logger.warning("%s: job %r is not ours any more: what its handler says will not count", topic, id)
    elif kind == "released":
        logger.info("%s: job %r was handed back", topic, id)
    elif kind == "lost":
        logger.warning("%s: Redis does not answer as it should; trying on: %s", topic, event.error)
    elif kind == "back":
        logger.warning("%s: Redis answers again", topic)
    else:
        logger.warning("%s: %r", topic, event)
