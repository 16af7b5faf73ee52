"""The shop's books: what should happen to each order, what was seen to happen, and whether the two agree."""

from __future__ import annotations

import collections
import math

from producer import PAYMENT_WINDOW, events


class Shop:
    def __init__(self, lines: list[str]) -> None:
        timeline = events(lines)
        created = {order: at for at, what, order in timeline if what == "created"}
        paid = {order: at for at, what, order in timeline if what == "paid"}
        self.orders = set(created)
        self.paid_in_time = {order for order, at in paid.items() if at < created[order] + PAYMENT_WINDOW}
        self.unpaid = self.orders - self.paid_in_time
        self.late_payments = set(paid) - self.paid_in_time
        self.length_seconds = max(max(created.values()) + PAYMENT_WINDOW, *paid.values(), 0.0)

        self.scheduled: collections.Counter[str] = collections.Counter()
        self.payments: dict[str, str] = {}
        self.closed: collections.Counter[str] = collections.Counter()
        self.closed_by: collections.Counter[str] = collections.Counter()
        self.lateness_ms: list[int] = []
        self.failures: list[str] = []

    def note(self, who: str, line: str) -> None:
        """A line of the producer or of a consumer."""
        word, order, *rest = line.split()
        if word == "scheduled":
            self.scheduled[order] += 1
        elif word == "paid":
            self.payments[order] = rest[0]
        elif word == "closed" and rest[1] == "acked":
            self.closed[order] += 1
            self.closed_by[who] += 1
            self.lateness_ms.append(int(rest[0]))
        else:
            self.fail(f"{who} said {line.strip()!r}")

    def fail(self, sentence: str) -> None:
        self.failures.append(sentence)

    def is_over(self) -> bool:
        everything_paid = len(self.payments) == len(self.paid_in_time) + len(self.late_payments)
        return everything_paid and len(self.scheduled) == len(self.orders) and self.closed.keys() >= self.unpaid

    def lateness(self, share: float) -> float:
        """The lateness that this share of the closings did not exceed (nearest rank)."""
        ordered = sorted(self.lateness_ms)
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan

    def problems(self) -> list[str]:
        def listed(what: str, orders) -> list[str]:
            return [f"{len(orders)} {what}: {', '.join(sorted(orders)[:5])}"] if orders else []

        refused = {order for order, outcome in self.payments.items() if outcome != "scheduled"}
        return [
            *self.failures,
            *listed(
                "orders were not scheduled once",
                {o for o in self.orders if self.scheduled[o] != 1},
            ),
            *listed("unpaid orders were never closed", self.unpaid - self.closed.keys()),
            *listed(
                "orders were closed more than once",
                {o for o, n in self.closed.items() if n > 1},
            ),
            *listed("paid orders were closed", self.closed.keys() & self.paid_in_time),
            *listed("payments in time were refused", refused & self.paid_in_time),
            *listed("late payments were accepted", self.late_payments - refused),
        ]

    def rows(self) -> list[tuple[str, str]]:
        by = ", ".join(f"{who} {n}" for who, n in sorted(self.closed_by.items())) or "nobody yet"
        accepted = sum(outcome == "scheduled" for outcome in self.payments.values())
        return [
            ("orders created (Python)", f"{len(self.scheduled)} of {len(self.orders)}"),
            (
                "paid in time, closing cancelled (Python)",
                f"{accepted} of {len(self.paid_in_time)}",
            ),
            (
                "paid too late, refused (Python)",
                f"{len(self.payments) - accepted} of {len(self.late_payments)}",
            ),
            ("unpaid, closed", f"{len(self.closed)} of {len(self.unpaid)}"),
            ("closed by", by),
            ("lateness p50 / p99 / max", self._lateness_text()),
        ]

    def _lateness_text(self) -> str:
        if not self.lateness_ms:
            return "-"
        return f"{self.lateness(0.5)} / {self.lateness(0.99)} / {max(self.lateness_ms)} ms"

    def summary(self) -> str:
        verdict = "Every unpaid order was closed exactly once, no paid one was." if not self.problems() else ""
        return "\n".join([*(f"{label:42} {value}" for label, value in self.rows()), verdict]).rstrip()
