"""Benchmarks of importing the library: time and memory, measured in fresh interpreters."""

from __future__ import annotations

import subprocess
import sys

from case import Case, Measured

MODULES = {"tinytf": "tinytf", "tensorflow": "tensorflow.compat.v1", "torch": "torch", "onnxruntime": "onnxruntime"}

_IMPORT_SECONDS = """
import numpy, time
start = time.perf_counter()
import {module}
print(time.perf_counter() - start)
"""
_RESIDENT_BYTES = """
import numpy, resource, {module}
pages = int(open("/proc/self/statm").read().split()[1])
print(pages * resource.getpagesize())
"""


def _asked(module, source):
    command = [sys.executable, "-c", source.format(module=module)]

    def sample():
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return lambda peer: Measured(sample)


CASES = [
    Case(
        "import_time",
        "import, over NumPy's",
        "s",
        0.1,
        {peer: _asked(module, _IMPORT_SECONDS) for peer, module in MODULES.items()},
    ),
    Case(
        "import_rss",
        "resident memory after import",
        "MB",
        60,
        {peer: _asked(module, _RESIDENT_BYTES) for peer, module in MODULES.items()},
    ),
]
