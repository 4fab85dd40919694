"""Continued training: checkpoints, disks and hooks of `MonitoredTrainingSession` where TensorFlow 1.15 differs."""

import os
import time

import numpy as np
import pytest

import tinytf as tf


def _model():
    step = tf.train.get_or_create_global_step()
    return step, tf.assign_add(step, 1)


def _train(folder, up, steps, **more):
    more = {"log_step_count_steps": None, "save_summaries_steps": None, **more}
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(folder), **more) as sess:
        return [int(sess.run(up)) for _ in range(steps)]


def test_the_checkpoint_that_was_restored_is_not_written_again(tmp_path):
    _, up = _model()
    _train(tmp_path, up, 3)
    index = tmp_path / "model.ckpt-3.index"
    before = index.stat().st_mtime_ns, index.stat().st_ino
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), log_step_count_steps=None) as sess:
        assert sess.run("global_step:0") == 3
    assert (index.stat().st_mtime_ns, index.stat().st_ino) == before


@pytest.mark.parametrize("listeners", [[], [tf.train.CheckpointSaverListener()]], ids=["alone", "with a listener"])
def test_the_first_checkpoint_has_the_graph_as_it_is(tmp_path, listeners):
    """This also holds if the graph was written to the folder's events just before."""
    tf.train.get_or_create_global_step()
    tf.get_variable("w", [2])
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=10, listeners=listeners)
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path), chief_only_hooks=[hook], save_checkpoint_secs=None, save_summaries_steps=None
    ) as session:
        [saver] = session.graph.get_collection(tf.GraphKeys.SAVERS)
        written = tf.MetaGraphDef.FromString((tmp_path / "model.ckpt-0.meta").read_bytes())
        with session.graph.as_default():
            assert written == saver.export_meta_graph()
        assert written.saver_def == saver.saver_def and len(written.graph_def.node) == len(
            session.graph.get_operations()
        )


def test_a_damaged_checkpoint_is_passed_over(tmp_path):
    _, up = _model()
    _train(tmp_path, up, 4, save_checkpoint_steps=2)
    (tmp_path / "model.ckpt-4.index").write_bytes(b"")
    assert _train(tmp_path, up, 1)[0] == 3


def test_a_state_file_that_is_lost(tmp_path):
    _, up = _model()
    _train(tmp_path, up, 4)
    (tmp_path / "checkpoint").unlink()
    assert _train(tmp_path, up, 1) == [5]


def test_a_disk_that_is_full_does_not_end_the_training(tmp_path, caplog):
    step, up = _model()
    saves = []

    class Full(tf.train.Saver):
        def save(self, *args, **kwargs):
            saves.append(kwargs["global_step"])
            if len(saves) in (2, 3):
                raise tf.errors.ResourceExhaustedError(None, None, "no space")
            return super().save(*args, **kwargs)

    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path),
        save_checkpoint_steps=2,
        scaffold=tf.train.Scaffold(saver=Full()),
        log_step_count_steps=None,
    ) as sess:
        for _ in range(7):
            sess.run(up)
    assert [int(step) for step in saves] == [0, 2, 4, 6, 7]
    assert "Training continues without a checkpoint of step 2: no space" in caplog.text
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("-7")


def test_the_first_checkpoint_must_be_written(tmp_path):
    _model()

    class Full(tf.train.Saver):
        def save(self, *args, **kwargs):
            raise tf.errors.PermissionDeniedError(None, None, "not here")

    with pytest.raises(tf.errors.PermissionDeniedError):
        tf.train.MonitoredTrainingSession(
            checkpoint_dir=str(tmp_path), scaffold=tf.train.Scaffold(saver=Full()), log_step_count_steps=None
        )


def test_a_speed_without_time(tmp_path, caplog, monkeypatch):
    _, up = _model()
    monkeypatch.setattr(time, "monotonic", lambda: 5.0)
    monkeypatch.setattr(time, "time", lambda: 5.0)
    caplog.set_level("INFO", logger="tinytf")
    with tf.train.MonitoredSession(hooks=[tf.train.StepCounterHook(every_n_steps=1)]) as sess:
        for _ in range(3):
            sess.run(up)
    assert "global_step/sec: 1e+09" in caplog.text


def test_a_step_that_is_profiled_again(tmp_path):
    step, up = _model()
    back = tf.assign(step, 1)
    hook = tf.train.ProfilerHook(save_secs=0, output_dir=str(tmp_path))
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        for _ in range(3):
            sess.run(up)
        sess.run(back, hooks=False)
        for _ in range(3):
            sess.run(up)
    tf.summary.FileWriterCache.clear()
    [events] = [name for name in os.listdir(tmp_path) if "tfevents" in name]
    tags = [event.tagged_run_metadata.tag for event in tf.train.summary_iterator(str(tmp_path / events))]
    assert {"step_2", "step_2_2", "step_3", "step_3_2"} <= set(tags)


def test_a_session_is_made_quickly(tmp_path):
    _, up = _model()
    x = tf.placeholder(tf.float32, [None, 64])
    logits = tf.matmul(x, tf.get_variable("w", [64, 10]))
    loss = tf.reduce_mean(tf.square(logits))
    train = tf.train.AdamOptimizer().minimize(loss)
    feed = {x: np.zeros([1, 64], np.float32)}
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as sess:
        sess.run([train, up], feed)
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-1")


def test_the_loss_trace_after_a_restart_is_the_uninterrupted_one(tmp_path):
    step, up = _model()
    w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.square(w - tf.cast(step, tf.float32)))
    with tf.control_dependencies([loss]):
        train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)

    def trace(folder, pieces):
        losses = []
        for steps in pieces:
            with tf.train.MonitoredTrainingSession(checkpoint_dir=str(folder), log_step_count_steps=None) as sess:
                losses += [sess.run([loss, train])[0] for _ in range(steps)]
        return losses

    assert trace(tmp_path / "a", [12]) == trace(tmp_path / "b", [5, 1, 6])


def test_several_pieces_of_a_kind():
    for _ in range(2):
        tf.add_to_collection("init_op", tf.no_op())
    with pytest.raises(RuntimeError, match=r'in the collection "init_op".*tf.Scaffold\(init_op=item to use\)'):
        tf.train.Scaffold().finalize()


def test_what_local_initializers_are_fed():
    p = tf.placeholder(tf.float32, [])
    v = tf.Variable(p, collections=["local_variables"], name="v")
    scaffold = tf.train.Scaffold(local_init_feed_dict={p: 6.0})
    with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold)) as sess:
        assert sess.run(v) == 6.0


def test_hooks_wait_for_steps_that_feed_what_they_need(tmp_path, caplog):
    step, up = _model()
    x = tf.placeholder(tf.float32, [], name="x")
    loss = x * 2.0
    tf.summary.scalar("loss", loss)
    caplog.set_level("INFO", logger="tinytf")
    feeds = tf.train.FeedFnHook(lambda: {x: 3.0})
    hooks = [
        tf.train.SummarySaverHook(save_steps=1, output_dir=str(tmp_path), summary_op=tf.summary.merge_all()),
        tf.train.LoggingTensorHook({"own": loss}, every_n_iter=1),
        tf.train.NanTensorHook(loss),
    ]
    with tf.train.MonitoredSession(hooks=hooks) as sess:
        sess.run(up)
        sess.run(up)
        assert "own = " not in caplog.text
        assert sess.run([loss, up], {x: 4.0})[0] == 8.0
        assert "own = 8.0" in caplog.text
        sess.run(up)
        sess.run(up, {loss: 5.0})
        assert "own = 5.0" in caplog.text
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value for placeholder"):
            sess.run(loss)
        with pytest.raises(tf.train.NanLossDuringTrainingError):
            sess.run(up, {x: float("nan")})
    for hook in hooks:
        text = f"{type(hook).__name__} is skipped in steps that do not feed x."
        assert caplog.text.count(text) == 1
    with tf.train.MonitoredSession(hooks=[*hooks[1:], feeds]) as sess:
        sess.run(up)
        assert "own = 6.0" in caplog.text


def test_a_graph_is_written_once(tmp_path):
    _, up = _model()

    class Loses(tf.train.SessionRunHook):
        def before_run(self, run_context):
            if losses:
                raise losses.pop()

    losses = [tf.errors.AbortedError(None, None, "gone")]
    hooks = [tf.train.CheckpointSaverHook(str(tmp_path), save_steps=2), Loses()]
    with tf.train.MonitoredSession(hooks=hooks) as sess:
        sess.run(up)
    assert sess.recoveries == 1
    tf.summary.FileWriterCache.clear()
    [events] = [name for name in os.listdir(tmp_path) if "tfevents" in name]
    kinds = [event.WhichOneof("what") for event in tf.train.summary_iterator(str(tmp_path / events))]
    assert kinds.count("graph_def") == 2  # one from the writer, one from the hook
