"""`tf.app.run` parses flags, runs `main`, and exits with its status."""

import pytest
from programs import run_program

_PROGRAM = """
import sys
import tinytf as tf
tf.app.flags.DEFINE_integer("steps", 3, "a number")

def main(argv):
    print(argv[1:], tf.app.flags.FLAGS.steps)
    {body}

{run}
print("not reached")
"""


def _run(body, *arguments, run="tf.app.run()"):
    return run_program(_PROGRAM.format(body=body, run=run), *arguments)


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ("pass", 0, ""),
        ("return 0", 0, ""),
        ("return 5", 5, ""),
        ("return 'no data'", 1, "no data"),
        ("sys.exit(4)", 4, ""),
        ("raise ValueError('oops')", 1, "ValueError: oops"),
    ],
)
def test_status(body, status, says):
    done = _run(body)
    assert (done.returncode, done.stdout) == (status, "[] 3\n")
    assert done.stderr.strip().endswith(says) and (says or not done.stderr)


def test_main_gets_what_is_no_known_flag():
    done = _run("pass", "--steps=4", "--unknown=3", "file", "--", "--steps=5")
    assert done.stdout == "['--unknown=3', 'file', '--', '--steps=5'] 4\n"


def test_main_and_argv_can_be_given():
    done = _run(
        "pass", "--steps=4", run="tf.app.run(lambda argv: print(argv) or 6, ['p', '--steps=8', 'rest', '--x=1'])"
    )
    assert (done.returncode, done.stdout) == (6, "['p', 'rest', '--x=1']\n")


def test_help():
    done = _run("pass", "--help")
    assert done.returncode == 1 and "--steps: a number" in done.stdout


def test_values_that_are_none():
    done = _run("pass", "--steps=many")
    assert done.returncode == 1 and "flag --steps=many: invalid literal for int()" in done.stderr


def test_by_tensorflows_module_paths():
    program = """
import sys
assert "absl" not in sys.modules
import tinytf as tf
tf.logging.info("nothing")
assert "absl" not in sys.modules
from tinytf.python.platform import app, flags
import tinytf.python.platform.flags as same
assert same is flags and flags.FLAGS is tf.app.flags.FLAGS and app.run is tf.app.run
"""
    done = run_program(program)
    assert done.returncode == 0, done.stderr
