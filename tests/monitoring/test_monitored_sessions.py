"""Monitored sessions where they do more than in TensorFlow 1.15, or better."""

import gc
import os
import threading

import pytest
from process_memory import resident_bytes

import tinytf as tf


class Notes(tf.train.SessionRunHook):
    """Records its calls; raises the next of `errors` before a step."""

    def __init__(self, errors=(), fetches=None):
        self.told, self.errors, self.fetches, self.results = [], list(errors), fetches, []

    def after_create_session(self, session, coord):
        self.session = session

    def before_run(self, run_context):
        self.told.append("before")
        if self.errors:
            error = self.errors.pop(0)
            if error is not None:
                raise error
        return tf.train.SessionRunArgs(self.fetches)

    def after_run(self, run_context, run_values):
        self.told.append("after")
        self.results.append(run_values.results)

    def end(self, session):
        self.told.append("end")

    def on_error(self, error):
        self.told.append(error)

    def on_close(self):
        self.told.append("close")


def _aborted():
    return tf.errors.AbortedError(None, None, "gone")


def test_the_session_below():
    v = tf.Variable(1.0)
    hook = Notes()
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        assert type(sess.raw_session()) is tf.Session
        assert sess.raw_session().run(v) == 1.0
        assert not hook.told
    assert sess.raw_session() is None


def test_steps_without_hooks():
    v = tf.Variable(1.0)
    first, second = Notes(), Notes()
    with tf.train.MonitoredSession(hooks=[first, second]) as sess:
        assert sess.run(v, hooks=False) == 1.0
        assert not first.told
        sess.run(v, hooks=[second])
        assert (first.told, second.told) == ([], ["before", "after"])


def test_steps_without_hooks_after_a_stop():
    v, step = tf.Variable(1.0), tf.train.get_or_create_global_step()
    with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(num_steps=0)]) as sess:
        sess.run(step)
        assert sess.should_stop()
        assert sess.run(v, hooks=False) == 1.0
        with pytest.raises(RuntimeError, match="Run called even after should_stop"):
            sess.run(v)


def test_steps_without_hooks_recover():
    v = tf.Variable(1.0)
    failures = [_aborted()]

    def step(step_context):
        if failures:
            raise failures.pop()
        return step_context.session.run(v)

    fails = tf.py_func(lambda: failures.pop() if failures else 2.0, [], tf.float64)
    with tf.train.MonitoredSession() as sess:
        first = sess.raw_session()
        assert sess.run_step_fn(step) == 1.0
        assert sess.raw_session() is not first
        assert sess.recoveries == 1
        assert sess.run(fails, hooks=False) == 2.0


def test_a_step_function_gets_the_new_session():
    v = tf.Variable(1.0)
    seen = []

    def step(step_context):
        seen.append(step_context.session)
        if len(seen) == 1:
            raise _aborted()
        return step_context.session.run(v)

    with tf.train.MonitoredSession() as sess:
        assert sess.run_step_fn(step) == 1.0
        assert seen[1] is sess.raw_session() is not seen[0]


def test_hooks_are_told_of_the_error_and_of_the_close():
    v = tf.Variable(1.0)
    hook, error = Notes(), ValueError("x")
    with pytest.raises(ValueError, match="x"), tf.train.MonitoredSession(hooks=[hook]) as sess:
        sess.run(v)
        raise error
    assert hook.told == ["before", "after", error, "close"]
    hook = Notes()
    with tf.train.MonitoredSession(hooks=[hook]):
        pass
    assert hook.told == ["end", "close"]


def test_errors_of_what_hooks_do_at_an_error_are_logged(caplog):
    class Fails(tf.train.SessionRunHook):
        def on_error(self, error):
            raise KeyError("own")

    tf.Variable(1.0)
    with pytest.raises(ValueError, match="x"), tf.train.MonitoredSession(hooks=[Fails()]):
        raise ValueError("x")
    assert "on_error of Fails failed: 'own'" in caplog.text


def test_the_checkpoint_has_what_hooks_do_at_their_end(tmp_path):
    v, step = tf.Variable(1.0, name="v"), tf.train.get_or_create_global_step()
    up, change = tf.assign_add(step, 1), v.assign(7.0)

    class Changes(tf.train.SessionRunHook):
        def end(self, session):
            session.run(change)

    saver = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=100)
    with tf.train.MonitoredSession(hooks=[saver, Changes()]) as sess:
        sess.run(up)
    assert tf.train.load_variable(str(tmp_path), "v") == 7.0


def test_the_reason_of_the_stop():
    queue, step = tf.FIFOQueue(1, tf.float32), tf.train.get_or_create_global_step()
    close, element = queue.close(), queue.dequeue(name="element")
    with tf.train.MonitoredSession() as sess:
        assert sess.stop_reason is None
        sess.run(close)
        sess.run(element)
    assert sess.stop_reason == "element has no more input"
    with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(num_steps=0)]) as sess:
        sess.run(step)
    assert sess.stop_reason == "StopAtStepHook requested the stop"
    with tf.train.MonitoredSession() as sess:
        sess.run_step_fn(lambda step_context: step_context.request_stop())
    assert "iterations to stop" in sess.stop_reason


def test_closing_twice():
    v = tf.Variable(1.0)
    hook = Notes()
    sess = tf.train.MonitoredSession(hooks=[hook])
    sess.close()
    with pytest.raises(RuntimeError, match="^Session is already closed.$"):
        sess.close()
    assert hook.told == ["end", "close"]
    for call in (
        lambda: sess.run(v),
        lambda: sess.run(v, hooks=False),
        lambda: sess.run_step_fn(lambda step_context: 1),
    ):
        with pytest.raises(RuntimeError, match="on a monitored session that is closed"):
            call()
    assert sess.should_stop()


def test_a_block_that_closes_its_session_ends_with_its_own_error():
    with pytest.raises(ValueError, match="mine"), tf.train.MonitoredSession() as sess:
        sess.close()
        raise ValueError("mine")


@pytest.mark.parametrize("place", ["before_run", "after_run"])
def test_a_hook_that_ends_the_block_as_the_end_of_the_input_would_is_told(caplog, place):
    class Ends(tf.train.SessionRunHook):
        pass

    def end(self, *unused):
        raise tf.errors.OutOfRangeError(None, None, "no more pages")

    setattr(Ends, place, end)
    with tf.train.MonitoredSession(hooks=[Ends()]) as sess:
        sess.run(tf.get_default_graph().get_operations()[0])
    assert (
        "Ends.end raised OutOfRangeError, which ends the session's `with` block" in caplog.text
        and "no more pages" in caplog.text
    )


def test_the_end_of_the_input_is_no_hook_s(caplog):
    queue = tf.FIFOQueue(1, tf.float32)
    close, taken = queue.close(), queue.dequeue()
    with tf.train.MonitoredSession(hooks=[Notes()]) as sess:
        sess.run(close)
        sess.run(taken)
    assert "which ends the session" not in caplog.text


def test_the_session_s_own_graph_is_open_again():
    graph = tf.Graph()
    with graph.as_default():
        tf.Variable(1.0)
        sess = tf.train.MonitoredSession()
    assert graph.finalized
    sess.close()
    assert not graph.finalized


def test_a_stop_survives_the_loss_of_the_session():
    v = tf.Variable(1.0)
    kept = []

    class Stops(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            kept.append(coord)

        def after_run(self, run_context, run_values):
            run_context.request_stop()

    with tf.train.MonitoredSession(hooks=[Stops()]) as sess:
        sess.run(v)
        kept[-1].request_stop(_aborted())
        assert sess.should_stop()
    assert len(kept) == 1


def test_losses_in_a_row_are_limited(opened):
    v = tf.Variable(1.0)
    policy = tf.experimental.RecoveryPolicy(first_wait_secs=0.001, most_failures=3)
    hook = Notes([_aborted() for _ in range(9)])
    with pytest.raises(tf.experimental.RecoveryError, match="lost 4 times in a row: gone") as caught:
        with tf.train.MonitoredSession(hooks=[hook], recovery=policy) as sess:
            sess.run(v)
    assert isinstance(caught.value.__cause__, tf.errors.AbortedError)
    assert not opened()


def test_losses_between_steps_that_succeed_are_no_row():
    v = tf.Variable(1.0)
    policy = tf.experimental.RecoveryPolicy(most_failures=1)
    hook = Notes([_aborted() if i % 2 else None for i in range(20)])
    with tf.train.MonitoredSession(hooks=[hook], recovery=policy) as sess:
        for _ in range(10):
            sess.run(v)
        assert sess.recoveries == 9


def test_the_time_of_losses_is_limited():
    class NoSession(tf.train.SessionCreator):
        def create_session(self):
            raise tf.errors.UnavailableError(None, None, "away")

    policy = tf.experimental.RecoveryPolicy(first_wait_secs=0.01, deadline_secs=0.1)
    with pytest.raises(tf.experimental.RecoveryError, match="could not be recovered in .* seconds: away"):
        tf.train.MonitoredSession(NoSession(), recovery=policy)


_LOSSES = int(os.environ.get("TINYTF_LOSSES", "200"))


def test_losses_of_a_training_leave_nothing(tmp_path, opened):
    """Losing a session repeatedly leaks no memory, threads or files; each recovery reads a checkpoint and makes new
    sessions.
    """
    step = tf.train.get_or_create_global_step()
    v = tf.get_variable("v", [1 << 16])
    queue = tf.FIFOQueue(3, tf.float32)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(tf.reduce_sum(v))]))
    up, element = tf.assign_add(step, 1), queue.dequeue()
    hook = Notes()
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path), save_checkpoint_steps=1000, hooks=[hook, tf.train.NanTensorHook(element)]
    ) as sess:

        def lose(times):
            for _ in range(times):
                hook.errors.append(_aborted())
                sess.run([up, element])

        lose(_LOSSES // 4)
        gc.collect()
        before = threading.active_count(), len(os.listdir("/proc/self/fd")), resident_bytes()
        lose(_LOSSES)
        gc.collect()
        assert threading.active_count() <= before[0]
        assert len(os.listdir("/proc/self/fd")) <= before[1]
        assert resident_bytes() - before[2] < 16 << 20  # the variables took _LOSSES / 4 MiB in total
        assert len(opened()) == 1
        assert sess.recoveries == _LOSSES // 4 + _LOSSES


def test_a_thousand_losses_leave_nothing(opened):
    queue, v = tf.FIFOQueue(3, tf.float32), tf.Variable(1.0)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(v)]))
    element = queue.dequeue()
    hook = Notes([_aborted() if i % 2 else None for i in range(2000)])
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        sess.run(element)
        threads = threading.active_count()
        files = len(os.listdir("/proc/self/fd"))
        for _ in range(1000):
            sess.run(element)
        assert threading.active_count() <= threads
        assert len(opened()) == 1
        assert len(os.listdir("/proc/self/fd")) <= files
    assert sess.recoveries == 1000
    gc.collect()


def test_a_session_that_hooks_refuse_is_closed(opened):
    class Refuses(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            raise KeyError("no")

    queue = tf.FIFOQueue(3, tf.float32)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)]))
    with pytest.raises(KeyError):
        tf.train.MonitoredSession(hooks=[Refuses()])
    assert not opened()
    assert not [thread for thread in threading.enumerate() if "QueueRunner" in thread.name]


def test_a_session_that_is_not_ready_is_closed(opened):
    tf.Variable(1.0)
    manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
    with pytest.raises(RuntimeError, match="Init operations did not make model ready"):
        manager.prepare_session("", init_op=tf.no_op())
    with pytest.raises(ValueError, match="Can not provide both"):
        manager.prepare_session("", checkpoint_dir="a", checkpoint_filename_with_path="b")
    assert not opened()


def test_the_program_s_options_stay_as_they_are():
    v = tf.Variable(1.0)

    class Traces(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs(None, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE))

    options = tf.RunOptions(timeout_in_ms=60000)
    with tf.train.MonitoredSession(hooks=[Traces()]) as sess:
        sess.run(v, options=options)
    assert options == tf.RunOptions(timeout_in_ms=60000)


def test_a_hook_that_is_listed_twice_sees_its_own_values():
    v = tf.Variable(1.0)
    hook = Notes(fetches=v)
    with tf.train.MonitoredSession(hooks=[hook, hook]) as sess:
        sess.run(v)
    assert hook.results == [1.0, 1.0]


def test_fetches_of_any_structure():
    v = tf.Variable(1.0)
    for fetches in (v, [v, [v]], (v, {"a": v}), {"a": [v]}, [], [v], "Variable:0", [[]]):
        with tf.train.MonitoredSession(hooks=[Notes(fetches=v)]) as sess:
            with_hooks, without = sess.run(fetches), sess.raw_session().run(fetches)
            assert with_hooks == without
            assert type(with_hooks) is type(without)


def test_as_the_default_session():
    v = tf.Variable(1.0)
    hook = Notes()
    with tf.train.MonitoredSession(hooks=[hook]) as sess, sess.as_default():
        assert tf.get_default_session() is sess
        assert v.eval() == 1.0
    assert hook.told[:2] == ["before", "after"]


def test_queue_runners_were_started(caplog):
    tf.Variable(1.0)
    with tf.train.MonitoredSession() as sess:
        assert tf.train.start_queue_runners(sess) == []
    assert "starts its queue runners when it is created" in caplog.text


def test_savers_take_monitored_sessions(tmp_path):
    v = tf.Variable(1.0)
    up, saver = v.assign_add(1.0), tf.train.Saver()
    hook = Notes()
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        path = saver.save(sess, str(tmp_path / "m"))
        sess.run(up, hooks=False)
        saver.restore(sess, path)
        assert sess.run(v, hooks=False) == 1.0
        assert not hook.told
    with pytest.raises(TypeError, match="must be a Session"):
        saver.save(sess, str(tmp_path / "m"))


def test_many_threads_run_steps():
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    up = v.assign_add(1.0)
    hook = Notes(fetches=up)
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        threads = [threading.Thread(target=lambda: [sess.run(up) for _ in range(50)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sess.run(v, hooks=False) == 400.0


def test_the_report():
    v = tf.Variable(1.0)
    first = Notes(errors=[None, _aborted(), None])
    with tf.train.MonitoredSession(hooks=[first, Notes(), tf.train.FinalOpsHook(v)]) as sess:
        for _ in range(3):
            sess.run(v)
        report = sess.report()
    assert report.sessions_created == 2
    assert report.causes == ("AbortedError: gone",)
    assert report.stop_reason is None and report.last_checkpoint is None
    assert list(report.hook_seconds) == ["Notes 1", "Notes 2", "FinalOpsHook"]
    assert report.hook_calls["Notes 1"] >= 3 and report.hook_seconds["Notes 1"] > 0
    text = str(sess.report())
    assert text.startswith("2 sessions\nlost: AbortedError: gone\nrunning\nlast checkpoint: none\nNotes 1: ")


def test_the_report_tells_of_checkpoints(tmp_path, monkeypatch):
    step = tf.train.get_or_create_global_step()
    up = tf.assign_add(step, 1)

    def refuse(*args):
        raise tf.errors.PermissionDeniedError(None, None, "not this one")

    scaffold = tf.train.Scaffold(saver=tf.train.Saver(max_to_keep=1))
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path),
        save_checkpoint_steps=1,
        scaffold=scaffold,
        hooks=[tf.train.StopAtStepHook(num_steps=2)],
    ) as sess:
        assert sess.report().last_checkpoint.endswith("-0")
        with monkeypatch.context() as patch:
            patch.setattr("tinytf._src.checkpoint.checkpoint_list.remove_checkpoint", refuse)
            sess.run(up)
        assert [name[-2:] for name in sess.report().pending_deletions] == ["-0"]
        sess.run(up)
        assert not sess.report().pending_deletions
    assert "stopped: StopAtStepHook requested the stop\nlast checkpoint: " in str(sess.report())
    assert not list(tmp_path.glob("model.ckpt-0*"))


def test_hooks_end_after_an_error_if_that_is_wanted(caplog):
    v = tf.Variable(1.0)
    hook, error = Notes(), ValueError("x")

    class Fails(tf.train.SessionRunHook):
        def end(self, session):
            raise KeyError("own")

    for kind in (tf.train.MonitoredSession, tf.train.SingularMonitoredSession):
        hook.told.clear()
        with pytest.raises(ValueError, match="x"), kind(hooks=[Fails(), hook], always_end=True) as sess:
            sess.run(v)
            raise error
        assert hook.told == ["before", "after", error, "end", "close"]
    assert "end of Fails failed: 'own'" in caplog.text


def test_hooks_end_by_their_priorities():
    tf.Variable(1.0)
    order = []

    class Ends(tf.train.SessionRunHook):
        def __init__(self, name, priority=None):
            self.name = name
            if priority is not None:
                self.end_priority = priority

        def end(self, session):
            order.append(self.name)

    hooks = [Ends("late", 5), Ends("plain"), Ends("first", -1), Ends("other")]
    with tf.train.MonitoredSession(hooks=hooks):
        pass
    assert order == ["first", "plain", "other", "late"]
