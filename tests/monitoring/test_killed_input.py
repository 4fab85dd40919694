"""A training with an input pipeline that is killed repeatedly at random moments reads the elements, and has the losses,
of one that was not killed.
"""

import os

from killed import check_kills

_KILLS = int(os.environ.get("TINYTF_KILLS", "12"))
_EVERY = 4
_PROGRAM = f"""
import sys
import tinytf as tf

tf.set_random_seed(3)
step = tf.train.get_or_create_global_step()
numbers = tf.data.Dataset.range(60).shuffle(25, seed=7)
squares = numbers.map(lambda x: tf.cast(x, tf.float32) ** 2 / 1000, num_parallel_calls=2)
windows = squares.window(6, shift=4, drop_remainder=True).shuffle(3, seed=2)
inner = windows.interleave(lambda w: w.shuffle(6, seed=5), cycle_length=2, block_length=2)
batches = inner.batch(5).prefetch(4).repeat()
values = tf.data.make_one_shot_iterator(batches).get_next()
w = tf.get_variable("w", [], initializer=tf.ones_initializer())
loss = tf.reduce_sum(tf.square(w * values - 1.0))
with tf.control_dependencies([loss]):
    now = step + 0
    with tf.control_dependencies([now]):
        train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
hooks = [tf.train.StopAtStepHook(last_step=int(sys.argv[2]))]
with tf.train.MonitoredTrainingSession(
    checkpoint_dir=sys.argv[1], save_checkpoint_steps={_EVERY}, save_summaries_steps=None, hooks=hooks,
    save_input_state=True,
) as sess:
    while not sess.should_stop():
        at, value, read, _ = sess.run([now, loss, values, train])
        print(at, repr(float(value)), ",".join(map(repr, map(float, read))), flush=True)
"""


def test_killed_trainings_read_what_others_read(tmp_path):
    check_kills(_PROGRAM, tmp_path, _KILLS, _EVERY, seed=13)
