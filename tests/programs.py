"""Programs that run in a Python of their own."""

import os
import subprocess
import sys
import tempfile


def run_python(*arguments, cwd=None, timeout=120, environment=None):
    """Runs Python with these arguments, by default away from the sources of the package, which have no engine; what came
    of it, with its output as text."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd or tempfile.gettempdir(),
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def run_program(source, *arguments, flags=(), **options):
    """Runs source text so."""
    return run_python(*flags, "-c", source, *arguments, **options)
