"""A failed asynchronous checkpoint is reported even if no further step follows."""

import sys
import threading

import pytest

import tinytf as tf
from tinytf._src.checkpoint.checkpoint_writer import CheckpointWriter


class _Saver(tf.train.Saver):
    """A saver whose thread waits for the test, and fails on demand."""

    def __init__(self):
        super().__init__(async_save=True)
        self.go, self.failures = threading.Event(), {}
        self.go.set()
        self._write = CheckpointWriter.write

    def write(self, writer):
        self.go.wait()
        error = self.failures.pop(int(writer.names.path.rpartition("-")[2]), None)
        if error is not None:
            raise error
        return self._write(writer)


@pytest.fixture
def saver(monkeypatch):
    step = tf.train.get_or_create_global_step()
    tf.assign_add(step, 1, name="up")
    made = _Saver()
    monkeypatch.setattr(CheckpointWriter, "write", lambda writer: made.write(writer))
    yield made
    made.go.set()
    made.wait()


def _session(folder, saver, hooks=(), kind=tf.train.MonitoredSession, **more):
    hook = tf.train.CheckpointSaverHook(str(folder), save_steps=2, saver=saver)
    return kind(hooks=[*hooks, hook], **more)


def _said(caplog):
    return [record.getMessage() for record in caplog.records if "was not written" in record.getMessage()]


def _text(folder, step, cause):
    return f"The checkpoint {folder}/model.ckpt-{step} was not written: {cause}"


@pytest.mark.parametrize("kind", [tf.train.MonitoredSession, tf.train.SingularMonitoredSession])
@pytest.mark.parametrize("always_end", [False, True])
def test_an_error_ends_the_block(tmp_path, saver, caplog, kind, always_end):
    error = KeyError("of the program")
    with pytest.raises(KeyError, match="of the program") as raised:
        with _session(tmp_path, saver, kind=kind, always_end=always_end) as sess:
            saver.failures[2] = ValueError("broken")
            sess.run("up")
            sess.run("up")
            saver._files.thread.join()
            raise error
    assert raised.value is error and error.__cause__ is None and error.__context__ is None
    assert _said(caplog) == [_text(tmp_path, 2, "ValueError: broken")]
    assert [record.levelname for record in caplog.records if "not written" in record.getMessage()] == ["WARNING"]
    if sys.version_info >= (3, 11):
        assert error.__notes__ == _said(caplog)
    written = f"{tmp_path}/model.ckpt-{2 if always_end else 0}"  # the save at the end replaces it
    assert tf.train.latest_checkpoint(str(tmp_path)) == sess.report().last_checkpoint == written


def test_what_was_written_is_not_told_of(tmp_path, saver, caplog):
    with pytest.raises(KeyError) as raised, _session(tmp_path, saver) as sess:
        sess.run("up")
        sess.run("up")
        saver._files.thread.join()
        raise KeyError
    assert not _said(caplog) and not hasattr(raised.value, "__notes__")
    assert sess.report().last_checkpoint == f"{tmp_path}/model.ckpt-2"


def test_what_is_still_being_written_tells_of_itself(tmp_path, saver, caplog):
    """The program's error is raised without waiting for the disk."""
    with pytest.raises(KeyError), _session(tmp_path, saver) as sess:
        saver.wait()
        saver.go.clear()
        saver.failures[2] = ValueError("broken")
        sess.run("up")
        sess.run("up")
        raise KeyError
    assert saver.is_saving() and not _said(caplog)
    saver.go.set()
    saver.wait()  # the error was already reported, so it raises nothing
    assert _said(caplog) == [_text(tmp_path, 2, "ValueError: broken")]


def test_an_error_of_a_hook_ends_the_session(tmp_path, saver, caplog):
    class Ends(tf.train.SessionRunHook):
        def end(self, session):
            raise RuntimeError("of the hook")

    with pytest.raises(RuntimeError, match="of the hook"), _session(tmp_path, saver, [Ends()]) as sess:
        saver.failures[2] = tf.errors.ResourceExhaustedError(None, None, "full")
        sess.run("up")
        sess.run("up")
        saver._files.thread.join()
    assert _said(caplog) == [_text(tmp_path, 2, "ResourceExhaustedError: full")]


@pytest.mark.parametrize("kind", [ValueError, tf.errors.ResourceExhaustedError])
def test_a_lost_session_goes_on(tmp_path, saver, caplog, kind):
    losses = [tf.errors.AbortedError(None, None, "gone")]

    class Loses(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            if losses and run_context.session.run("global_step:0") == 3:
                saver._files.thread.join()
                raise losses.pop()

    creator = tf.train.ChiefSessionCreator(checkpoint_dir=str(tmp_path), scaffold=tf.train.Scaffold(saver=saver))
    with _session(tmp_path, saver, [Loses()], session_creator=creator) as sess:
        saver.failures[2] = ValueError("broken") if kind is ValueError else kind(None, None, "broken")
        for _ in range(4):
            sess.run("up")
        assert sess.recoveries == 1
    assert _said(caplog) == [_text(tmp_path, 2, f"{kind.__name__}: broken")]
    last = tf.train.latest_checkpoint(str(tmp_path))
    assert last == f"{tmp_path}/model.ckpt-2" == sess.report().last_checkpoint  # two steps after step 0


def test_a_session_that_stays_lost(tmp_path, saver, caplog):
    class Loses(tf.train.SessionRunHook):
        def before_run(self, run_context):
            if run_context.session.run("global_step:0") == 2:
                saver._files.thread.join()
                raise tf.errors.AbortedError(None, None, "gone")

    policy = tf.experimental.RecoveryPolicy(most_failures=0)
    with pytest.raises(tf.experimental.RecoveryError) as raised:
        with _session(tmp_path, saver, [Loses()], recovery=policy) as sess:
            saver.failures[2] = ValueError("broken")
            for _ in range(3):
                sess.run("up")
    assert _said(caplog) == [_text(tmp_path, 2, "ValueError: broken")]
    if sys.version_info >= (3, 11):
        assert raised.value.__notes__ == _said(caplog)


def test_a_supervisor_tells_of_it(tmp_path, saver, caplog):
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), saver=saver, save_model_secs=0, save_summaries_secs=0)
    with supervisor.managed_session() as sess:
        saver.failures[7] = ValueError("broken")
        saver.save(sess, f"{tmp_path}/model.ckpt", 7)
        saver._files.thread.join()
    assert _said(caplog) == [_text(tmp_path, 7, "ValueError: broken")]
