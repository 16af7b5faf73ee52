"""One delivery: from what a handler returned or raised to the verdict."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Callable

from .._delayq import Delivery, _Verdict
from ._outcomes import DONE, Dead, Fail, Outcome, failed

if TYPE_CHECKING:
    from ._events import Teller


def returned(delivery: Delivery, result: Any, teller: Teller) -> _Verdict:
    """The verdict of a handler that returned."""
    if result is None:
        return DONE
    if isinstance(result, Outcome):
        return raised(delivery, result, teller)
    if isinstance(result, type) and issubclass(result, Outcome):
        make: Callable[[], Outcome] = result
        try:
            return raised(delivery, make(), teller)
        except TypeError as e:  # it needs a message
            return raised(delivery, e, teller)
    if inspect.isawaitable(result):
        if inspect.iscoroutine(result):
            result.close()
        return raised(delivery, TypeError("the handler returned an awaitable; make it an async def"), teller)
    return DONE


def raised(delivery: Delivery, error: BaseException, teller: Teller) -> _Verdict:
    """The verdict of a handler that raised."""
    if not isinstance(error, Outcome):
        teller.raised(delivery, error)
        return failed(error)
    if isinstance(error, (Fail, Dead)):
        teller.failed(delivery, error)
    return error._verdict
