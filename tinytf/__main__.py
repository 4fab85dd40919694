"""`python -m tinytf program.py`: runs a program that says `import tensorflow`, as it is, on tinytf.

`python -m tinytf inspect-checkpoint`, `show-model` and `run-model` look at checkpoints and models, and run these.
"""

from __future__ import annotations

import argparse
import importlib
import os
import runpy
import sys

import tinytf
from tinytf._src.api.program_check import missing_in

_TOOLS = {name: name.replace("-", "_") for name in ("inspect-checkpoint", "run-model", "show-model")}


def main() -> int:
    """Returns the exit status: 1 if `--check` found something missing."""
    if len(sys.argv) > 1 and sys.argv[1] in _TOOLS:
        tool = importlib.import_module(f"tinytf._src.tools.{_TOOLS[sys.argv[1]]}")
        return tool.main(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m tinytf", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="do not run the program, only list the names that it uses and tinytf lacks"
    )
    parser.add_argument("program", help="path of a Python file")
    parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, help="arguments of the program; with --check, more programs"
    )
    options = parser.parse_args()
    if options.check:
        return 1 if sum(_check(program) for program in [options.program, *options.arguments]) else 0
    importlib.import_module("tinytf.as_tensorflow")  # which installs itself
    sys.argv[:] = [options.program, *options.arguments]
    if not getattr(sys.flags, "safe_path", False):  # which Python has since 3.11
        sys.path[0] = os.path.dirname(os.path.abspath(options.program))
    runpy.run_path(options.program, run_name="__main__")
    return 0


def _check(program: str) -> int:
    with open(program, encoding="utf-8") as file:
        found = missing_in(file.read(), tinytf)
    for missing in found:
        print(f"{program}:{missing.line}: {missing.name}: {missing.reason}")
    if not found:
        print(f"{program}: all names that it uses exist in tinytf")
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
