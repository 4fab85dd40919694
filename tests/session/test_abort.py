"""`Abort` ends the process as its attrs say, and no later code of the program runs."""

import signal

import pytest
from programs import run_program

import tinytf as tf

_PROGRAM = """
import atexit
import tinytf as tf
abort = tf.raw_ops.Abort({attrs})
with tf.control_dependencies([abort]):
    after = tf.constant(1)
atexit.register(lambda: print("registered"))
with tf.Session() as session:
    print(session.run(tf.constant(7)), flush=True)
    session.run({fetch})
print("after")
"""


def _run(attrs, fetch):
    return run_program(_PROGRAM.format(attrs=attrs, fetch=fetch))


@pytest.mark.parametrize("fetch", ["abort", "after"])
def test_abort_aborts_with_its_message(fetch):
    ended = _run("error_msg='so it is'", fetch)
    assert ended.returncode == -signal.SIGABRT
    assert ended.stdout == "7\n"
    assert "Abort_op intentional failure; so it is" in ended.stderr


@pytest.mark.parametrize("fetch", ["abort", "after"])
def test_exit_without_error(fetch):
    ended = _run("exit_without_error=True", fetch)
    assert (ended.returncode, ended.stdout) == (0, "7\n")
    assert "intentional" not in ended.stderr


def test_building_it_does_nothing():
    assert tf.raw_ops.Abort().outputs == []
