"""The process of one peer: `worker.py PEER THREADS`. Reads requests as JSON lines from stdin and writes answers to
stdout.

{"case": name, "seconds": s} sets the case up on its first request and answers {"samples": [cost, …]}; {"drop": name}
frees it. Errors are answered as {"error": text}. The process ends at the end of its input.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any

from case import Case, Measured, all_cases
from peers import PEERS

MIN_SAMPLE_SECONDS = 2e-3
MAX_SAMPLES = 400


def time_calls(step: Callable[[], Any], count: int) -> float:
    """The seconds that `count` calls take."""
    calls = repeat(None, count)
    start = time.perf_counter()
    for _ in calls:
        step()
    return time.perf_counter() - start


def calls_per_sample(step: Callable[[], Any]) -> int:
    """The number of calls per sample that the clock can resolve; also warms the step up."""
    count = 1
    time_calls(step, 2)
    while (seconds := time_calls(step, count)) < MIN_SAMPLE_SECONDS:
        count = max(2 * count, int(count * MIN_SAMPLE_SECONDS / max(seconds, 1e-9)))
    return count


class Workload:
    """A case that has been set up."""

    def __init__(self, case: Case, peer: Any, peer_name: str) -> None:
        self.scope = self._graph(peer)
        with self.scope:
            made = case.programs[peer_name](peer)
        self.work = case.work
        self.step = made.sample if isinstance(made, Measured) else made
        self.measured = isinstance(made, Measured)
        self.count = 1 if self.measured else calls_per_sample(self.step)

    @staticmethod
    def _graph(peer: Any) -> Any:
        tf = getattr(peer, "tf", None)
        return contextlib.nullcontext() if tf is None else tf.Graph().as_default()

    def samples(self, seconds: float) -> Iterator[float]:
        """Yields costs per unit of work: at least one, and more until `seconds` have passed."""
        end = time.perf_counter() + seconds
        for taken in range(MAX_SAMPLES):
            if taken and time.perf_counter() > end:
                return
            yield self.step() if self.measured else time_calls(self.step, self.count) / self.count / self.work


def serve(peer_name: str, threads: int) -> None:
    """Answers requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # output of the library goes to stderr, not among the answers

    def answer(**fields: Any) -> None:
        answers.write(json.dumps(fields) + "\n")
        answers.flush()

    try:
        peer = PEERS[peer_name](threads)
    except ImportError as e:
        answer(missing=str(e))
        return
    answer(version=peer.version)
    cases = {case.name: case for case in all_cases()}
    ready: dict[str, Workload] = {}
    for line in sys.stdin:
        request = json.loads(line)
        if "drop" in request:
            ready.pop(request["drop"], None)
            gc.collect()
            answer()
            continue
        name = request["case"]
        try:
            if name not in ready:
                ready[name] = Workload(cases[name], peer, peer_name)
            answer(samples=list(ready[name].samples(request["seconds"])))
        except Exception as e:  # the peer still runs the other cases; the table reports the error
            answer(error=f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
