"""Programs that run in a Python of their own."""

import os
import subprocess
import sys
import tempfile


def run_program(source, *arguments, flags=(), timeout=120, environment=None):
    """Runs source text, away from the sources of the package; what came of it, with its output as text."""
    return subprocess.run(
        [sys.executable, *flags, "-c", source, *arguments],
        cwd=tempfile.gettempdir(),
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
