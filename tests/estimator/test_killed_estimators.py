"""An estimator killed repeatedly at random moments continues from its last checkpoint and ends with the same result
as one that was not killed.
"""

import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

import tinytf as tf

_KILLS = int(os.environ.get("TINYTF_KILLS", "6"))
_LAST, _EVERY = 60, 4
_PROGRAM = f"""
import sys
import numpy as np
import tinytf as tf

def model(features, labels, mode):
    step = tf.cast(tf.train.get_global_step(), tf.float32)
    w = tf.get_variable("w", [10], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.square(w - tf.sin(features + step)))
    with tf.control_dependencies([loss]):
        train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

class Say(tf.train.SessionRunHook):
    def before_run(self, run_context):
        return tf.train.SessionRunArgs("global_step/add:0")

    def after_run(self, run_context, run_values):
        print("at", run_values.results, flush=True)

config = tf.estimator.RunConfig(sys.argv[1], tf_random_seed=5, save_checkpoints_steps={_EVERY})
estimator = tf.estimator.Estimator(model, config=config)
estimator.train(lambda: tf.constant(np.arange(10.0), tf.float32), hooks=[Say()], max_steps={_LAST})
"""


def _start(folder):
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _PROGRAM, folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tempfile.gettempdir(),
    )


def _values(folder):
    reader = tf.train.load_checkpoint(folder)
    return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


def test_killed_estimators_go_on(tmp_path):
    chance = random.Random(11)
    killed, whole = str(tmp_path / "killed"), str(tmp_path / "whole")
    reached = 0
    for _ in range(_KILLS):
        process = _start(killed)
        wanted, steps = chance.randrange(1, 3 * _EVERY), []
        for line in process.stdout:
            steps += map(int, re.findall(r"^at (\d+)$", line))
            if len(steps) >= wanted:
                break
        process.kill()
        steps += map(int, re.findall(r"^at (\d+)$", process.stdout.read(), re.MULTILINE))
        process.wait()
        process.stdout.close()
        assert steps, "it has not begun"
        assert steps[0] <= reached + 2  # the checkpoint of a step may have been written without its line
        reached = max(reached, steps[-1])
        if reached >= _LAST - 1:
            break
    for folder in (killed, whole):
        output = _start(folder).communicate()[0]
        assert tf.train.latest_checkpoint(folder) == f"{folder}/model.ckpt-{_LAST}", output
    ours, theirs = _values(killed), _values(whole)
    assert ours.keys() == theirs.keys() and int(ours["global_step"]) == _LAST
    for name, value in ours.items():
        np.testing.assert_array_equal(value, theirs[name], name)
