"""Importing the package in a subinterpreter raises ImportError, whether or not the main interpreter imported it."""

import subprocess
import sys
import tempfile

import pytest

PROGRAM = """
{first}
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
interpreters.run_string(interpreters.create(), '''
try:
    import tinytf
except ImportError as error:
    print(error, flush=True)
''')
"""


@pytest.mark.parametrize("first", ["", "import tinytf"], ids=["alone", "after the first"])
def test_the_import_is_refused(first):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(first=first)],
        cwd=tempfile.gettempdir(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "cannot be imported by a subinterpreter" in done.stdout
