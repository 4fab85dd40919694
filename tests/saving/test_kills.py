"""Processes that are killed while they save leave a checkpoint that is whole, and never an older one than was told of."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

import tinytf as tf

_KILLS = int(os.environ.get("TINYTF_SAVE_KILLS", "4"))  # of each kind

# Saves under names that are always new, or under one name again and again. Says each number when `save` has returned.
_PROGRAM = """
import sys, numpy as np, tinytf as tf
folder, again = sys.argv[1], sys.argv[2] == "again"
v = [tf.get_variable(f"v{i}", [2000], initializer=tf.zeros_initializer()) for i in range(4)]
with tf.device("/cpu:1"):
    w = tf.get_variable("w", [2000], initializer=tf.zeros_initializer())
saver = tf.train.Saver(max_to_keep=2, sharded=sys.argv[3] == "sharded", async_save=sys.argv[3] == "async")
value = tf.placeholder(tf.float32, [])
fill = [tf.assign(x, tf.fill([2000], value)) for x in [*v, w]]
with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as sess:
    sess.run(tf.global_variables_initializer())
    first = saver.restore_latest(sess, folder)
    begin = 0 if first is None else int(sess.run(w)[0]) + 1
    for number in range(begin, begin + 10000):
        sess.run(fill, {value: number})
        saver.save(sess, folder + "/m", None if again else number)
        if sys.argv[3] == "async":  # the one before is there
            number -= 1
        if number >= begin:
            print(number, flush=True)
"""


def _checked(folder):
    """The number that the newest checkpoint has in all variables; -1 if there is none."""
    with tf.Graph().as_default(), tf.Session() as sess:
        variables = [tf.get_variable(name, [2000]) for name in ("v0", "v1", "v2", "v3", "w")]
        if tf.train.Saver().restore_latest(sess, folder) is None:
            return -1
        [number] = {number for value in sess.run(variables) for number in value.tolist()}
        return int(number)


@pytest.mark.parametrize("names", ["new", "again"])
@pytest.mark.parametrize("kind", ["plain", "sharded", "async"])
def test_killed_at_any_time(tmp_path, names, kind, caplog):
    random.seed(names + kind)
    for _ in range(_KILLS):
        child = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(tmp_path), names, kind],
            stdout=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
        told = [int(child.stdout.readline()) for _ in range(random.randint(1, 12))]
        time.sleep(random.random() * 0.01)  # anywhere in a save: no state is waited for
        child.send_signal(signal.SIGKILL)
        told += map(int, child.stdout.read().split())
        child.wait()
        child.stdout.close()
        assert _checked(str(tmp_path)) >= told[-1]
    assert not caplog.records  # nothing was passed over
