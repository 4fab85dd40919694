"""One random case of a row with state: mutated inputs and attrs. (row, seed, number) determine a case."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from mutations import mutated_attr, mutated_inputs
from random_cases import _free_attrs
from state_cases import Changes, check_changed, contents_of
from state_table import StateRow


def check_state(name: str, row: StateRow, seed: int, number: int, starts: Any, wrong: Any) -> None:
    """Reports each attempt to `starts` and each failure to `wrong`."""
    text = f"{name}, seed {seed}, case {number}"
    starts(f"{text}, made")
    rng = np.random.default_rng([zlib.crc32(name.encode()), seed, number])
    inputs, before = contents_of(row)
    inputs = [[np.asarray(v) for v in value] if isinstance(value, list) else np.asarray(value) for value in inputs]
    attrs: dict[str, Any] = {}
    for _ in range(int(rng.integers(1, 4))):
        kinds = [kind for kind in _free_attrs(row.op) if kind[0] in row.attrs]
        if inputs and (not kinds or rng.random() < 0.7):
            inputs = mutated_inputs(rng, inputs)
        elif kinds:
            attr, kind, default = kinds[int(rng.integers(len(kinds)))]
            attrs[attr] = mutated_attr(rng, kind, row.attrs.get(attr, default))
    check_changed(row, Changes(inputs, attrs), before, text, starts, wrong)
