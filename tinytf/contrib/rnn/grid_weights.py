"""The variables of one block of a grid LSTM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import tinytf as tf


@dataclass
class GridWeights:
    """The variables of the LSTM along frequency or along time.

    `diagonals` has the peephole weights of each gate for both cell states; it is empty without peepholes.
    """

    kernel: Any
    bias: Any
    diagonals: dict[str, tuple[Any, Any]]

    def gates(self, x: Any, count: int) -> list[Any]:
        """Returns the gate inputs for `x`; the third one, of the forget gate, is None if `count` is 3."""
        sums = tf.nn.bias_add(tf.matmul(x, self.kernel), self.bias)
        gates = tf.split(value=sums, num_or_size_splits=count, axis=1)
        return gates if count == 4 else [*gates[:2], None, gates[2]]

    def gate(self, name: str, x: Any, c_freq: Any, c_time: Any) -> Any:
        """Returns a gate's activation for the input `x` and both cell states."""
        if self.diagonals:
            of_freq, of_time = self.diagonals[name]
            x = x + of_freq * c_freq + of_time * c_time
        return tf.sigmoid(x)


def grid_diagonals(along: str, block: int, gates: str, units: int, dtype: Any) -> dict[str, tuple[Any, Any]]:
    """Creates the peephole weights of one LSTM for these gates."""

    def made(gate: str, seen: str) -> Any:
        return tf.get_variable(f"W_{gate}_diag_{along}{seen}_{block}", [units], dtype=dtype)

    return {gate: (made(gate, "f"), made(gate, "t")) for gate in gates}
