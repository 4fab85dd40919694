"""Signals end a wait on the Python main thread, which in a forked child is the thread that forked."""

import subprocess
import sys

import pytest

_PROGRAM = """
import os, signal, sys, threading
import tinytf as tf

element = tf.FIFOQueue(1, tf.int32).dequeue()

class Interrupted(Exception):
    pass

ticks = []

def interrupt(number, frame):
    ticks.append(number)
    if len(ticks) == 4:  # by then the step waits
        raise Interrupted

def waits_until_interrupted():
    signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        with tf.Session(graph=element.graph) as sess:
            sess.run(element)
    except Interrupted:
        signal.setitimer(signal.ITIMER_REAL, 0)
        return 7
    return 1

def fork():
    child = os.fork()
    if child == 0:
        os._exit(waits_until_interrupted())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
_WAYS = {
    "in the program": "print(waits_until_interrupted())",
    "in a child": "fork()",
    "in a child of another thread": "thread = threading.Thread(target=fork); thread.start(); thread.join()",
}


@pytest.mark.parametrize("way", _WAYS)
def test_a_signal_ends_a_wait(tmp_path, way):
    program = f"{_PROGRAM}\n{_WAYS[way]}\n"
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]  # about forks with threads
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "7\n", "")
