"""Runs rows of the op table with fed integers that change while the op runs: another process alternately writes valid
and hostile numbers into the array's memory. A kernel must not read a value again after it was checked.

Runs in a separate process (`changing_worker.py`), because a failure crashes or hangs it. Any value is accepted, as is
any of TensorFlow's errors.
"""

from __future__ import annotations

import mmap
import os
import signal
import time

import hostile_cases
import numpy as np
import op_table
from op_table import Row

from tinytf._src.session.session import Session

_RUNS = 60
_LARGEST = 4096  # maximal size of an array in bytes


class ChangingMemory:
    """An array whose elements another process continuously switches between the values of two arrays."""

    def __init__(self) -> None:
        shared = np.frombuffer(mmap.mmap(-1, 4 * _LARGEST), np.uint8).reshape(4, _LARGEST)
        self._seen, self._two = shared[0], shared[1:3]
        self._process = os.fork()
        if self._process == 0:
            try:
                _change(os.getppid(), *shared[:3])
            finally:
                os._exit(0)

    def between(self, right: np.ndarray, other: np.ndarray) -> np.ndarray:
        """An array of their shape and dtype with the values of either or a mixture; valid until the next call."""
        for place, array in zip(self._two, (right, other), strict=True):
            place[: right.nbytes] = np.frombuffer(array.tobytes(), np.uint8)
        return self._seen[: right.nbytes].view(right.dtype).reshape(right.shape)

    def stop(self) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


def _change(parent: int, seen: np.ndarray, one: np.ndarray, other: np.ndarray) -> None:
    while os.getppid() == parent:
        until = time.monotonic() + 0.1
        while time.monotonic() < until:
            seen[:] = one
            seen[:] = other


def check_row(row: Row, memory: ChangingMemory, starts: hostile_cases.Report, wrong: hostile_cases.Report) -> None:
    """Reports each attempt to `starts` and each failure to `wrong`."""
    dtype, shapes = hostile_cases._case(row)
    inputs = hostile_cases._widened(row, op_table.inputs_of(row, dtype, shapes))
    for place, hostile in hostile_cases._hostile_inputs(inputs):
        i, k = place
        right = inputs[i] if k is None else inputs[i][k]
        if right.nbytes > _LARGEST:
            continue
        with op_table.graph_of(row).as_default() as graph, Session(graph=graph) as sess:
            tensors = op_table._of_unknown_shape(row, inputs)
            outputs = op_table._apply(row, tensors)
            feeds = dict(zip(op_table._flat([tensors]), op_table._flat([inputs]), strict=True))
            fed = tensors[i] if k is None else tensors[i][k]
            for array in hostile:
                text = f"{row.op}{row.attrs}, input {i} between {right.tolist()} and {array.tolist()}"
                starts(text)
                feeds[fed] = memory.between(right, array)
                for _ in range(_RUNS):
                    hostile_cases._run(sess, outputs, feeds, text, wrong)
