"""Benchmarks of monitored sessions: the time they add to a step, their creation and their recovery."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from itertools import repeat

from case import Case, Measured, sessions

ROUNDS = 15  # per sample; the minimum of each kind counts
CALLS = 300  # per round


def _seconds(step):
    start = time.perf_counter()
    for _ in repeat(None, CALLS):
        step()
    return (time.perf_counter() - start) / CALLS


def _added(monitored, fetches):
    """The time that a step of a monitored session takes beyond a step of the raw session below it."""
    raw = monitored._coordinated_creator.tf_sess

    def sample():
        turns = [(_seconds(lambda: raw.run(fetches)), _seconds(lambda: monitored.run(fetches))) for _ in range(ROUNDS)]
        least_raw, least_monitored = map(min, zip(*turns))
        return max(least_monitored - least_raw, 0.0)

    return Measured(sample)


def _counter(tf):
    """A step that only increments the global step, and a loss."""
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_sum(tf.get_variable("w", initializer=[1.0, 2.0]))
    tf.summary.scalar("loss", loss)
    return tf.assign_add(step, 1), loss


def _without_hooks(peer):
    up, _ = _counter(peer.tf)
    creator = peer.tf.train.ChiefSessionCreator(config=peer.config)
    return _added(peer.tf.train.MonitoredSession(creator), up)


def _five_idle_hooks(peer):
    tf = peer.tf
    up, loss = _counter(tf)
    folder = tempfile.mkdtemp(prefix="monitored-")
    sess = tf.train.MonitoredTrainingSession(
        checkpoint_dir=folder,
        hooks=[tf.train.StopAtStepHook(last_step=10**9), tf.train.NanTensorHook(loss)],
        save_summaries_steps=10**9,
        log_step_count_steps=10**9,
        config=peer.config,
    )
    shutil.rmtree(folder)
    return _added(sess, up)


def _digits(tf):
    """A model of the size of the demo's: two convolutions, two dense layers, Adam."""
    x = tf.placeholder(tf.float32, [None, 8, 8, 1])
    y = tf.placeholder(tf.int64, [None])
    hidden = x
    for channels_in, channels_out in ((1, 16), (16, 32)):
        kernel = tf.Variable(tf.truncated_normal([3, 3, channels_in, channels_out], stddev=0.1))
        bias = tf.Variable(tf.zeros([channels_out]))
        hidden = tf.nn.relu(tf.nn.conv2d(hidden, kernel, strides=[1, 1, 1, 1], padding="SAME") + bias)
        hidden = tf.nn.max_pool(hidden, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    hidden = tf.reshape(hidden, [-1, 128])
    for size_in, size_out in ((128, 64), (64, 10)):
        weights = tf.Variable(tf.truncated_normal([size_in, size_out], stddev=0.1))
        hidden = tf.matmul(hidden, weights) + tf.Variable(tf.zeros([size_out]))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=hidden))
    tf.summary.scalar("loss", loss)
    step = tf.train.get_or_create_global_step()
    return tf.train.AdamOptimizer().minimize(loss, global_step=step)


def _making(peer):
    """The minimal time to create a training session on a new graph, including its first checkpoint."""
    tf = peer.tf

    def once():
        folder = tempfile.mkdtemp(prefix="monitored-")
        with tf.Graph().as_default():
            _digits(tf)
            start = time.perf_counter()
            sess = tf.train.MonitoredTrainingSession(checkpoint_dir=os.path.join(folder, "run"), config=peer.config)
            seconds = time.perf_counter() - start
            sess.close()
        tf.summary.FileWriterCache.clear()
        shutil.rmtree(folder)
        return seconds

    return Measured(lambda: min(once() for _ in range(5)))


def _recovery(peer):
    """The time to recover a lost session with a model of 100 MB, beyond the time to read its checkpoint."""
    tf = peer.tf
    step = tf.train.get_or_create_global_step()
    for i in range(25):
        tf.get_variable(f"w{i}", [1000, 1000], initializer=tf.zeros_initializer())
    up = tf.assign_add(step, 1)
    folder = tempfile.mkdtemp(prefix="monitored-")
    failures = []

    class Fails(tf.train.SessionRunHook):
        def before_run(self, run_context):
            if failures:
                raise failures.pop()

    sess = tf.train.MonitoredTrainingSession(
        checkpoint_dir=folder, hooks=[Fails()], save_summaries_steps=None, log_step_count_steps=None, config=peer.config
    )
    sess.run(up)
    path = tf.train.latest_checkpoint(folder)
    saver = sess.graph.get_collection("savers")[0]

    def once():
        raw = sess._coordinated_creator.tf_sess
        start = time.perf_counter()
        saver.restore(raw, path)
        restoring = time.perf_counter() - start
        failures.append(tf.errors.AbortedError(None, None, "gone"))
        start = time.perf_counter()
        sess.run(up)
        return max(time.perf_counter() - start - restoring, 0.0)

    return Measured(lambda: min(once() for _ in range(3)))


CASES = [
    Case("monitored_plain", "added by a monitored session", "µs", 1, sessions(_without_hooks)),
    Case("monitored_idle", "added by five idle hooks", "µs", 3, sessions(_five_idle_hooks)),
    Case("monitored_making", "making a training session (digits)", "ms", 10, sessions(_making)),
    Case("monitored_recovery", "recovery of 100 MB beyond reading", "ms", 200, sessions(_recovery)),
]
