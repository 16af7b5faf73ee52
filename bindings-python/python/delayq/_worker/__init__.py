"""The worker: `delayq.Worker` and what belongs to it."""

from ._outcomes import Dead, Fail, Leave, Outcome, Release
from ._worker import Health, Worker

__all__ = ["Dead", "Fail", "Health", "Leave", "Outcome", "Release", "Worker"]

for _class in (Dead, Fail, Health, Leave, Outcome, Release, Worker):
    _class.__module__ = "delayq"  # where users find them
del _class
