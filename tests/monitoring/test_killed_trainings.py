"""A training that is killed repeatedly at random moments continues from its last checkpoint and computes the same
as one that was not killed.
"""

import os

from killed import check_kills

_KILLS = int(os.environ.get("TINYTF_KILLS", "20"))
_EVERY = 5
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


def test_killed_trainings_go_on(tmp_path):
    check_kills(_PROGRAM, tmp_path, _KILLS, _EVERY, seed=7)
