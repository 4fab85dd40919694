"""The worker's side of `row_worker.RowWorker`. Import it before NumPy."""

import os
import resource
import sys
from collections.abc import Callable

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the buffers of its threads would use up the memory limit

_MEMORY = 1 << 30

Report = Callable[[str], None]


def answer(check: Callable[[str, Report, Report], None], memory: int = _MEMORY) -> None:
    """Calls `check` for each line of stdin with two functions that report an attempt and a failure. Limits this
    process to `memory` bytes beyond its current size. Redirects standard output to standard error.
    """
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + memory,) * 2)

    def line(mark: str) -> Report:
        return lambda text: print(mark, text.replace("\n", " "), file=answers)

    print(".", file=answers)
    for request in sys.stdin:
        check(request.strip(), line("?"), line("!"))
        print(".", file=answers)
