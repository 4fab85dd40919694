"""A training that is killed repeatedly at random moments continues from its last checkpoint and computes the same
as one that was not killed.
"""

import os
import random
import re
import subprocess
import sys
import tempfile

_KILLS = int(os.environ.get("TINYTF_KILLS", "20"))
_STEPS, _EVERY = 100_000, 5
_PROGRAM = f"""
import sys
import tinytf as tf

tf.set_random_seed(3)
step = tf.train.get_or_create_global_step()
w = tf.get_variable("w", [40], initializer=tf.ones_initializer())
loss = tf.reduce_sum(tf.square(w - tf.sin(tf.cast(step, tf.float32))))
tf.summary.scalar("loss", loss)
with tf.control_dependencies([loss]):
    now = step + 0
    with tf.control_dependencies([now]):
        train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
hooks = [tf.train.StopAtStepHook(last_step=int(sys.argv[2]))]
with tf.train.MonitoredTrainingSession(
    checkpoint_dir=sys.argv[1], save_checkpoint_steps={_EVERY}, save_summaries_steps=3, hooks=hooks
) as sess:
    while not sess.should_stop():
        at, value, _ = sess.run([now, loss, train])
        print(at, repr(float(value)), flush=True)
"""


def _start(folder, last):
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _PROGRAM, folder, str(last)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tempfile.gettempdir(),
    )


def _trace(lines):
    """The printed steps and losses; a line may be truncated, and errors may be in between."""
    steps = (re.fullmatch(r"(\d+) (\S+)\n", line) for line in lines)
    return [(int(step[1]), step[2]) for step in steps if step]


def test_killed_trainings_go_on(tmp_path):
    chance = random.Random(7)
    seen, reached = {}, 0
    for _ in range(_KILLS):
        process = _start(str(tmp_path / "killed"), _STEPS)
        lines = [process.stdout.readline() for _ in range(chance.randrange(1, 4 * _EVERY))]
        process.kill()
        lines += process.stdout
        process.wait()
        process.stdout.close()
        trace = _trace(lines)
        assert trace, lines
        # A saved step may be missing in the output.
        assert reached - _EVERY - 1 <= trace[0][0] <= reached + 2, lines
        assert [at for at, _ in trace] == list(range(trace[0][0], trace[-1][0] + 1))
        for at, value in trace:
            assert seen.setdefault(at, value) == value
        reached = trace[-1][0]
    whole = _start(str(tmp_path / "whole"), reached + 1).communicate()[0]
    trace = dict(_trace(whole.splitlines(keepends=True)))
    assert seen.items() <= trace.items(), whole[-2000:]
    assert len(trace) - len(seen) < _KILLS
