"""Runs programs in forked processes that end with a normal interpreter exit; a script for test_random_exits.py.

Reads JSON from stdin: a list of (program, path of its stderr). Writes one line of JSON for each: the exit code and the
seconds between the program's last line and the end of the process.
"""

import json
import os
import sys
import threading  # noqa: F401 (for the programs)
import time

import tinytf as tf  # noqa: F401 (for the programs: this process makes no session and has no thread of the engine)
import tinytf.eager  # noqa: F401

for program, path in json.load(sys.stdin):
    sys.stdout.flush()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), 2)

        def ends(write=write):
            os.write(write, f"{time.monotonic()}\n".encode())

        exec(compile(program, "<program>", "exec"), globals())
        break
    os.close(write)
    with open(read) as times:  # blocks until the process ends
        text = times.read()
    _, status = os.waitpid(child, 0)
    ended = time.monotonic()
    print(json.dumps([os.waitstatus_to_exitcode(status), ended - float(text) if text else None]))
