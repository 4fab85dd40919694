"""Rows of ops that draw random numbers: the moments and the range of the numbers, instead of a reference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from op_table import Row, _apply, _constant, graph_of, inputs_of

from tinytf._src import protos
from tinytf._src.session.session import Session

_ERRORS = 6  # accepted difference of a mean, in standard errors


@dataclass(frozen=True)
class RandomRow(Row):
    """One op that draws. All inputs are in `fixed`; `attrs` have the seeds, unless `seed_input` is the number of an input.

    typed: the attr of the type of the numbers; its value in `attrs` is one of the types.
    mean, deviation: of the numbers.
    low, high: their limits, inclusive.
    """

    typed: str = "dtype"
    seed_input: int = 1
    mean: float = 0
    deviation: float = 1
    low: float = -np.inf
    high: float = np.inf

    def drawn(self, dtype: str, seed: int, runs: int = 1, threads: int = 0) -> list[np.ndarray]:
        """The numbers of this seed, in so many runs of a session."""
        row, inputs = self, inputs_of(self, dtype, self.shapes[0])
        attrs: dict[str, Any] = {self.typed: dtype} if self.typed in self.attrs else {}
        if "seed" in self.attrs:
            attrs["seed"] = seed
        else:
            inputs[self.seed_input] = np.array([seed, 5], np.int64)
        row = replace(self, attrs={**self.attrs, **attrs})
        config = protos.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)
        with graph_of(row).as_default() as graph, Session(graph=graph, config=config) as session:
            (fetched,) = _apply(row, [_constant(value) for value in inputs])
            return [np.asarray(session.run(fetched)) for _ in range(runs)]


def check_numbers(row: RandomRow, dtype: str) -> None:
    """Checks type, range and moments of the numbers."""
    (found,) = row.drawn(dtype, 1)
    assert found.dtype.name == dtype
    numbers = found.astype(np.float64)
    assert row.low <= numbers.min() and numbers.max() <= row.high
    assert abs(numbers.mean() - row.mean) < _ERRORS * row.deviation / np.sqrt(numbers.size)
    assert abs(numbers.std() / row.deviation - 1) < 0.1


def check_sequences(row: RandomRow, dtype: str) -> None:
    """A seed determines the numbers of all runs, for any number of threads; the state of the op is carried on."""
    first, second = row.drawn(dtype, 1, runs=2)
    for threads in (1, 4):
        again = row.drawn(dtype, 1, runs=2, threads=threads)
        np.testing.assert_array_equal(again[0], first)
        np.testing.assert_array_equal(again[1], second)
    assert np.array_equal(first, second) == row.repeats
    assert not np.array_equal(row.drawn(dtype, 2)[0], first)
