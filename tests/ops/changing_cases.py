"""Rows of the op table with fed integers that change while the op runs: another process writes right and hostile numbers
into the array's memory by turns. What a kernel has checked it must not read again.

Runs in a process of its own (`changing_worker.py`), for what is looked for ends or stops a process. The values are
whatever they are; they must be there, or an error of TensorFlow's classes.
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

from tinytf._src.framework.graph import Graph
from tinytf._src.session.session import Session

_RUNS = 60
_LARGEST = 4096  # bytes of an array


class ChangingMemory:
    """An array whose elements another process changes all the time, from those of one array to those of another."""

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
        """Of their shape and type, and one or the other in turn, or some of both; until the next call."""
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
    """Tells `starts` what is tried next, and `wrong` what went wrong."""
    dtype, shapes = hostile_cases._case(row)
    inputs = hostile_cases._widened(row, op_table.inputs_of(row, dtype, shapes))
    for place, hostile in hostile_cases._hostile_inputs(inputs):
        i, k = place
        right = inputs[i] if k is None else inputs[i][k]
        if right.nbytes > _LARGEST:
            continue
        with Graph().as_default() as graph, Session(graph=graph) as sess:
            tensors = [op_table._map(lambda a: op_table._placeholder(a, None), v) for v in inputs]
            outputs = op_table._apply(row, tensors)
            feeds = dict(zip(op_table._flat([tensors]), op_table._flat([inputs]), strict=True))
            fed = tensors[i] if k is None else tensors[i][k]
            for array in hostile:
                text = f"{row.op}{row.attrs}, input {i} between {right.tolist()} and {array.tolist()}"
                starts(text)
                feeds[fed] = memory.between(right, array)
                for _ in range(_RUNS):
                    hostile_cases._run(sess, outputs, feeds, text, wrong)
