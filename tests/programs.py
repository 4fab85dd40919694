"""Runs programs in a new Python process."""

import os
import subprocess
import sys
import tempfile


def run_python(*arguments, cwd=None, timeout=120, environment=None):
    """Runs Python with these arguments and returns the completed process with its output as text. By default it
    runs outside of the source folder, where the package has no engine.
    """
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
    """Runs source text with `run_python`."""
    return run_python(*flags, "-c", source, *arguments, **options)
