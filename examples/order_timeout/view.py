"""The live view: a table that is redrawn in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time

from rich.live import Live
from rich.table import Table
from shop import Shop

PLAIN_EVERY_SECONDS = 2.0


class View:
    def __init__(self, shop: Shop, plain: bool) -> None:
        self.shop, self.plain = shop, plain
        self.next_line = time.monotonic()
        self.live = None if plain else Live(self._table(), refresh_per_second=10, transient=True)

    def __enter__(self) -> View:
        if self.live:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.live:
            self.live.stop()

    def update(self) -> None:
        if self.live:
            self.live.update(self._table())
        elif time.monotonic() >= self.next_line:
            self.next_line += PLAIN_EVERY_SECONDS
            shop = self.shop
            paid, closed = len(shop.payments), len(shop.closed)
            print(
                f"created {len(shop.scheduled):4}   paid {paid:4}   closed {closed:4}   {dict(shop.closed_by)}",
                flush=True,
            )

    def _table(self) -> Table:
        table = Table(title="order timeout", show_header=False, min_width=72)
        for label, value in self.shop.rows():
            table.add_row(label, value)
        return table
