"""The definition of a benchmark: one workload, implemented once per peer, and the figure that tinytf must reach."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MODULES = (
    "cases_steps",
    "cases_sessions",
    "cases_monitored",
    "cases_steadiness",
    "cases_graph",
    "cases_process",
    "cases_summaries",
    "cases_arrays",
    "cases_products",
    "cases_training",
    "cases_recurrent",
    "cases_parsing",
    "cases_control_flow",
    "cases_eager",
    "cases_eager_training",
    "cases_saving",
    "cases_input",
    "cases_data",
    "cases_estimators",
)

# Size of each printed unit in seconds (or bytes); "×" is a ratio of two times.
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "×": 1.0, "MB": 1e6, "bytes": 1.0, "faults": 1.0}
# Units that count 10^9 operations or bytes per second.
RATES = ("GFLOP/s", "GB/s")


@dataclass(frozen=True)
class Measured:
    """Returned by a program that does its own timing; `sample()` returns seconds (or bytes, or a ratio) per unit of
    work.
    """

    sample: Callable[[], float]


@dataclass(frozen=True)
class Case:
    """A workload.

    `programs` maps the name of a peer to a function that takes the peer (see peers.py), sets the workload up and
    returns either a function without arguments, whose calls are timed, or a `Measured`. `work` is the amount of work of
    one call: seconds are divided by it, and for rates it counts floating point operations or bytes. `reference` is the
    cost of the fastest peer on the machine that `target` was set on, in the same unit; on other machines the ratio of
    the two is used. `two_threads` replaces both with two or more threads.
    """

    name: str
    title: str
    unit: str
    target: float
    programs: dict[str, Callable[[Any], Any]]
    work: float = 1.0
    reference: float | None = None
    two_threads: tuple[float, float] | None = None
    better_than: str | None = None  # a peer that tinytf must beat, regardless of the target

    def aim(self, threads: int) -> tuple[float, float | None]:
        """The target and the reference at a thread count."""
        return self.two_threads if threads > 1 and self.two_threads else (self.target, self.reference)

    def shown(self, cost: float) -> float:
        """A cost (seconds per unit of work, or bytes) in the case's unit."""
        if self.unit in RATES:
            return 1e-9 / cost if cost else float("inf")
        return cost / UNITS[self.unit]

    def cost(self, shown: float) -> float:
        """The inverse of `shown`."""
        return 1e-9 / shown if self.unit in RATES else shown * UNITS[self.unit]


def sessions(program: Callable[[Any], Any], **others: Callable[[Any], Any]) -> dict[str, Callable[[Any], Any]]:
    """The programs of a case in which tinytf and TensorFlow run the same code."""
    return {"tinytf": program, "tensorflow": program, **others}


def all_cases() -> list[Case]:
    """Every case, in the order of the table."""
    return [case for module in MODULES for case in importlib.import_module(module).CASES]
