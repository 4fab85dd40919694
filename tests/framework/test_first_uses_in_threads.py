"""Parts of the package that load or register on first use work when several threads use them first."""

import json
import os
from pathlib import Path

from programs import run_python

_PROGRAM = Path(__file__).with_name("first_uses.py")
_ROUNDS = int(os.environ.get("TINYTF_FIRST_USES", "1"))


def test_first_uses_in_threads():
    for seed in range(_ROUNDS):
        done = run_python("-W", "ignore", str(_PROGRAM), str(seed), timeout=600)
        assert done.returncode == 0, done.stderr
        count, raised = json.loads(done.stdout.splitlines()[-1])
        assert count >= 40
        assert not raised, "\n".join(raised)
