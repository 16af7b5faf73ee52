"""Writes orders.jsonl: half an hour in a shop with a payment window of fifteen minutes. Same output every time."""

import json
import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

START = datetime(2026, 11, 27, 9, 0, tzinfo=timezone.utc)
WINDOW = 15 * 60
ORDERS = 400


def main() -> None:
    rng = random.Random(20261127)
    lines = []
    for number, offset in enumerate(sorted(rng.uniform(0, 1800) for _ in range(ORDERS)), 1):
        fate = rng.random()
        if fate < 0.65:  # paid in time, with a minute to spare so that the demo has no photo finish
            paid = offset + rng.uniform(20, WINDOW - 60)
        elif fate < 0.70:  # paid too late: the payment is refused, the order stays closed
            paid = offset + WINDOW + rng.uniform(120, 300)
        else:
            paid = None
        order = {
            "order_id": f"{202611270000 + number}",
            "created_at": (START + timedelta(seconds=round(offset, 1))).isoformat(timespec="milliseconds"),
            "paid_at": paid and (START + timedelta(seconds=round(paid, 1))).isoformat(timespec="milliseconds"),
            "amount_cents": rng.randrange(900, 30000),
        }
        lines.append(json.dumps(order))
    (Path(__file__).parent / "orders.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
