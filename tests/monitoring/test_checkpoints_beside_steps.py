"""A hook writes checkpoints beside the steps and handles disks that fail."""

import resource
import signal
import threading

import pytest

import tinytf as tf


def _model():
    step = tf.train.get_or_create_global_step()
    return step, tf.assign_add(step, 1)


def _session(folder, saver=None, **more):
    scaffold = tf.train.Scaffold(saver=saver) if saver else None
    more = {"log_step_count_steps": None, "save_summaries_steps": None, "scaffold": scaffold, **more}
    return tf.train.MonitoredTrainingSession(checkpoint_dir=str(folder), **more)


class _Gated(tf.train.Saver):
    """A saver whose thread waits for the test, or fails on demand."""

    def __init__(self, **more):
        super().__init__(async_save=True, **more)
        self.go, self.failures = threading.Event(), []
        self.go.set()

    def export_meta_graph(self, filename=None, **options):
        self.go.wait()
        if self.failures:
            raise self.failures.pop(0)
        return super().export_meta_graph(filename, **options)


class _Listens(tf.train.CheckpointSaverListener):
    def __init__(self):
        self.told = []

    def before_save(self, session, global_step_value):
        self.told.append(("before", int(global_step_value)))

    def after_save(self, session, global_step_value):
        self.told.append(("after", int(global_step_value)))


def test_steps_go_on_while_a_checkpoint_is_written(tmp_path):
    _, up = _model()
    saver, listener = _Gated(), _Listens()
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=5, saver=saver, listeners=[listener])
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        saver.wait()
        saver.go.clear()
        for _ in range(8):
            sess.run(up)
        assert listener.told == [("before", 0), ("after", 0), ("before", 5)]
        assert hook.last_checkpoint.endswith("-0")
        saver.go.set()
        while len(listener.told) < 4:
            sess.run(up, hooks=[hook])
        assert listener.told[3] == ("after", 5)
    last = listener.told[-1][1]
    assert listener.told[-2:] == [("before", last), ("after", last)]
    assert tf.train.load_variable(str(tmp_path), "global_step") == last
    assert sess.report().last_checkpoint.endswith(f"-{last}")


def test_an_option_of_the_training(tmp_path):
    _, up = _model()
    with _session(tmp_path, save_checkpoint_steps=3, async_save=True) as sess:
        for _ in range(10):
            sess.run(up)
        assert sess.graph.get_collection("savers")[0].saves_later
    assert tf.train.load_variable(str(tmp_path), "global_step") == 10


def test_errors_come_with_a_later_step(tmp_path):
    _, up = _model()
    saver = _Gated()
    with pytest.raises(ValueError, match="broken"), _session(tmp_path, saver, save_checkpoint_steps=2) as sess:
        sess.run(up)
        saver.wait()
        saver.failures.append(ValueError("broken"))
        for _ in range(10_000):
            sess.run(up)
    assert sess.stop_reason == "ValueError: broken"


@pytest.mark.parametrize("error", [tf.errors.ResourceExhaustedError, tf.errors.PermissionDeniedError])
def test_a_disk_that_refuses_is_told_of(error, tmp_path, caplog):
    _, up = _model()
    saver = _Gated()
    with _session(tmp_path, saver, save_checkpoint_steps=5) as sess:
        sess.run(up)
        saver.wait()
        saver.failures.append(error(None, None, "not now"))
        for _ in range(20):
            sess.run(up)
    assert caplog.text.count("Training continues without a checkpoint of step 5: not now") == 1
    assert tf.train.load_variable(str(tmp_path), "global_step") == 21


def test_the_last_checkpoint_must_be_written(tmp_path):
    _, up = _model()
    saver = _Gated()
    with pytest.raises(tf.errors.ResourceExhaustedError, match="full"):
        with _session(tmp_path, saver, save_checkpoint_steps=100) as sess:
            sess.run(up)
            saver.wait()
            saver.failures.append(tf.errors.ResourceExhaustedError(None, None, "full"))


def test_a_checkpoint_that_was_lost_is_made_up_for_at_the_end(tmp_path, caplog):
    _, up = _model()
    saves = []

    class Full(tf.train.Saver):
        def save(self, *args, **kwargs):
            saves.append(int(kwargs["global_step"]))
            if len(saves) == 2:
                raise tf.errors.ResourceExhaustedError(None, None, "no space")
            return super().save(*args, **kwargs)

    with _session(tmp_path, Full(), save_checkpoint_steps=4) as sess:
        for _ in range(4):
            sess.run(up)
    assert saves == [0, 4, 4]
    assert "without a checkpoint of step 4: no space" in caplog.text


@pytest.fixture
def _small_files():
    """Limits files to 64 KiB, which simulates a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[0][1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before[0])
    signal.signal(signal.SIGXFSZ, before[1])


@pytest.mark.parametrize("async_save", [False, True])
def test_files_that_cannot_grow(async_save, tmp_path, _small_files, caplog):
    _, up = _model()
    large = tf.get_variable("large", [1 << 16])
    tf.summary.histogram("large", large)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with _session(tmp_path, save_checkpoint_steps=5, async_save=async_save, save_summaries_steps=2) as sess:
        sess.run(up)
        if async_save:
            sess.graph.get_collection("savers")[0].wait()
        _small_files()
        for _ in range(12):
            sess.run(up)
        if async_save:
            sess.graph.get_collection("savers")[0]._files.thread.join()
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "Training continues without a checkpoint of step 5" in caplog.text
    assert tf.train.load_variable(str(tmp_path), "global_step") == 13


def test_threads_save_one_after_the_other(tmp_path):
    """Saves are serialized, because otherwise an older checkpoint could become the latest."""
    _, up = _model()
    entered, release, saved = threading.Event(), threading.Event(), []

    class Slow(tf.train.Saver):
        def save(self, *args, **kwargs):
            if threading.current_thread() is not threading.main_thread():
                entered.set()
                release.wait()
            saved.append(int(kwargs["global_step"]))
            return super().save(*args, **kwargs)

    with _session(tmp_path, Slow(), save_checkpoint_steps=5) as sess:
        thread = threading.Thread(target=lambda: [sess.run(up) for _ in range(5)])
        thread.start()
        entered.wait()
        for _ in range(10):
            sess.run(up)
        assert saved == [0]
        release.set()
        thread.join()
    assert saved == sorted(saved) and saved[-1] == 15
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("-15")
