"""Hooks of tinytf are called only in steps in which they have work to do, and behave as if they were always called."""

import json
import os
import random
import sys
import threading
import time

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.monitored_session import idling
from tinytf._src.training import training_util


def _model():
    step = tf.train.get_or_create_global_step()
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    loss = tf.reduce_sum(w, name="loss")
    tf.summary.scalar("loss", loss)
    return step, tf.assign_add(step, 1), loss


def _five_hooks_session(folder, loss, *more):
    hooks = [tf.train.StopAtStepHook(last_step=10**6), tf.train.NanTensorHook(loss), *more]
    return tf.train.MonitoredTrainingSession(checkpoint_dir=str(folder), hooks=hooks)


def _calls_of_hooks(run, steps):
    """The names of hook methods called in this many steps."""
    called = []

    def note(frame, event, _):
        name = os.path.basename(frame.f_code.co_filename)
        if event == "call" and name.endswith("_hook.py") and name != "session_run_hook.py":
            called.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        for _ in range(steps):
            run()
    finally:
        sys.setprofile(None)
    return called


def test_idle_hooks_are_not_called_and_run_nothing(tmp_path):
    _, up, loss = _model()
    with _five_hooks_session(tmp_path, loss) as sess:
        for _ in range(3):
            sess.run(up)
        before = sess.raw_session().stats().steps
        assert _calls_of_hooks(lambda: sess.run([up, loss]), 50) == []
        assert _calls_of_hooks(lambda: sess.run({"up": up}), 20) == []
        assert sess.raw_session().stats().steps - before == 70
        assert sess.run(up, hooks=False) == 74


def test_hooks_of_the_program_are_called_beside_them(tmp_path):
    _, up, loss = _model()
    seen = []

    class Sees(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs({"loss": loss})

        def after_run(self, run_context, run_values):
            seen.append(run_values.results["loss"])

    with _five_hooks_session(tmp_path, loss, Sees()) as sess:
        for _ in range(3):
            sess.run(up)
        before = sess.raw_session().stats().steps
        assert _calls_of_hooks(lambda: sess.run(up), 50) == []
        assert sess.raw_session().stats().steps - before == 50
    assert seen == [3.0] * 53


def test_subclasses_that_see_steps_are_called(tmp_path):
    _, up, loss = _model()
    seen = []

    class Own(tf.train.StepCounterHook):
        def after_run(self, run_context, run_values):
            seen.append(int(run_values.results))
            super().after_run(run_context, run_values)

    class Other(tf.train.StepCounterHook):
        def _log_and_record(self, *args):
            logged.append(int(args[-1]))

    logged = []
    patched = tf.train.StepCounterHook()
    patched.before_run = lambda context: seen.append("before")
    patched.after_run = lambda context, values: seen.append("after")
    hooks = [Own(every_n_steps=100), Other(every_n_steps=4), patched]
    with tf.train.MonitoredSession(hooks=hooks) as sess:
        for _ in range(10):
            sess.run(up)
    assert [step for step in seen if not isinstance(step, str)] == list(range(1, 11))
    assert seen.count("before") == seen.count("after") == 10
    assert logged == [5, 9]


class _Traces(tf.train.SessionRunHook):
    """A user-defined hook, which is called in each step."""

    def __init__(self, told, fetches):
        self.told, self.fetches = told, fetches

    def before_run(self, run_context):
        self.told.append(("before", run_context.original_args.fetches is not None))
        return tf.train.SessionRunArgs(self.fetches)

    def after_run(self, run_context, run_values):
        self.told.append(("after", repr(run_values.results), run_context.stop_requested))


def _events(folder):
    found = []
    for name in sorted(os.listdir(folder)):
        if "tfevents" in name:
            for event in tf.train.summary_iterator(os.path.join(folder, name)):
                kind = event.WhichOneof("what")
                tags = [value.tag for value in event.summary.value]
                found.append((kind, event.step, tags, event.session_log.status))
    return found


def _outcome(folder, seed):
    """The log of a random training: hooks with random periods, several forms of steps, feeds and lost sessions."""
    chance = random.Random(seed)
    told = []
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        x = tf.placeholder_with_default(1.0, [], name="x")
        fed = tf.placeholder(tf.float32, [], name="fed")
        loss = x * 2.0 + tf.cast(step, tf.float32) * 0.0
        needs = fed * 3.0
        tf.summary.scalar("loss", loss)
        with tf.control_dependencies(
            [training_util._get_or_create_global_step_read()]
        ):  # otherwise hooks may see either value
            ups = [tf.assign_add(step, n) for n in (1, 1, 2, 0)]
        nothing = tf.no_op()
        losses = []

        class Loses(tf.train.SessionRunHook):
            def before_run(self, run_context):
                if losses:
                    raise losses.pop()

        hooks = [
            tf.train.StepCounterHook(every_n_steps=chance.randrange(1, 9), output_dir=folder),
            tf.train.SummarySaverHook(
                save_steps=chance.randrange(1, 9), output_dir=folder, summary_op=tf.summary.merge_all()
            ),
            tf.train.CheckpointSaverHook(folder, save_steps=chance.randrange(2, 12)),
            tf.train.StopAtStepHook(num_steps=chance.randrange(1, 60)),
            tf.train.NanTensorHook(chance.choice([loss, needs]), fail_on_nan_loss=chance.random() < 0.5),
            tf.train.LoggingTensorHook({"l": loss}, every_n_iter=chance.randrange(1, 7), at_end=True),
            tf.train.GlobalStepWaiterHook(0),
            tf.train.FinalOpsHook(step),
        ]
        chance.shuffle(hooks)
        hooks = hooks[: chance.randrange(1, len(hooks) + 1)]
        if chance.random() < 0.4:
            hooks.insert(chance.randrange(len(hooks) + 1), _Traces(told, chance.choice([loss, [loss, step], None])))
        if chance.random() < 0.3:
            hooks.append(Loses())
        try:
            with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(checkpoint_dir=folder), hooks) as sess:
                for _ in range(60):
                    if sess.should_stop():
                        break
                    up = chance.choice(ups)
                    fetches = chance.choice(
                        [up, up, [up, loss], (up, [loss]), {"u": up, "l": loss}, [up, nothing], nothing]
                    )
                    feeds = chance.choice([None, None, None, {x: chance.random()}, {fed: 1.0}, {x: float("nan")}])
                    more = chance.choice([{}] * 8 + [{"options": tf.RunOptions()}, {"run_metadata": tf.RunMetadata()}])
                    if chance.random() < 0.03 and any(isinstance(hook, Loses) for hook in hooks):
                        losses.append(tf.errors.AbortedError(None, None, "gone"))
                    with_some = chance.random()
                    if with_some < 0.05:
                        more = {"hooks": False}
                    elif with_some < 0.1:
                        more = {"hooks": hooks[:1]}
                    told.append(repr(sess.run(fetches, feeds, **more)))
        except tf.train.NanLossDuringTrainingError:
            told.append("NaN")
        told += [getattr(hook, "final_ops_values", None) for hook in hooks]
        told.append(sess.stop_reason)
    tf.summary.FileWriterCache.clear()
    return told, _events(folder), sorted(name for name in os.listdir(folder) if name.endswith(".index"))


@pytest.mark.parametrize("seed", range(int(os.environ.get("TINYTF_IDLE_TRAININGS", "40"))))
def test_a_training_does_what_it_does_when_all_hooks_are_called(seed, tmp_path, caplog, monkeypatch):
    caplog.set_level("INFO", logger="tinytf")
    monkeypatch.setattr("tinytf._src.monitored_session.step_counter_hook._warnings", 0)

    def outcome(name):
        caplog.clear()
        folder = tmp_path / name
        folder.mkdir()
        result = _outcome(str(folder), seed)
        log = [
            record.getMessage().replace(str(folder), "").split(" (")[0].split("/sec:")[0] for record in caplog.records
        ]
        return *result, log

    idle = outcome("idle")
    monkeypatch.setattr(idling, "may_idle", lambda hook: False)
    monkeypatch.setattr("tinytf._src.monitored_session.step_counter_hook._warnings", 0)
    for one, other in zip(idle, outcome("called"), strict=True):
        assert repr(one) == repr(other)  # by text, because NaN != NaN


@pytest.mark.parametrize("seconds", [0.05, 1e6])
def test_what_is_due_by_the_clock_is_done(seconds, tmp_path, caplog):
    """Hooks with a time period run repeatedly, but not more often than the period allows."""
    caplog.set_level("INFO", logger="tinytf")
    _, up, loss = _model()
    hooks = [
        tf.train.CheckpointSaverHook(str(tmp_path), save_secs=seconds),
        tf.train.SummarySaverHook(save_secs=seconds, output_dir=str(tmp_path), summary_op=tf.summary.merge_all()),
        tf.train.LoggingTensorHook({"l": loss}, every_n_secs=seconds),
    ]
    with tf.train.MonitoredSession(hooks=hooks) as sess:

        def counts():
            hooks[1]._summary_writer.flush()
            summaries = sum(kind == "summary" for kind, *_ in _events(tmp_path))
            return caplog.text.count("Saving checkpoints for"), caplog.text.count("l = 3.0"), summaries

        for _ in range(1000):
            sess.run(up)
        while seconds < 1 and min(counts()) < 4:
            for _ in range(100):
                sess.run(up)
        assert seconds < 1 or counts() == (1, 1, 1)  # of the first step


def test_a_clock_of_the_program_s_own_counts(monkeypatch, caplog):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    caplog.set_level("INFO", logger="tinytf")
    _, up, loss = _model()
    with tf.train.MonitoredSession(hooks=[tf.train.LoggingTensorHook({"l": loss}, every_n_secs=10)]) as sess:
        for _ in range(25):
            sess.run(up)
            now[0] += 1.0
    assert caplog.text.count("l = 3.0") == 3


def test_threads_run_steps_while_hooks_idle_and_wake(tmp_path):
    step = tf.train.get_or_create_global_step()
    up = tf.get_variable("v", initializer=0.0, use_resource=True).assign_add(1.0)
    counted = tf.assign_add(step, 1, use_locking=True)
    hooks = [
        tf.train.CheckpointSaverHook(str(tmp_path), save_steps=50),
        tf.train.LoggingTensorHook([up], every_n_iter=20),
        tf.train.SummarySaverHook(7, output_dir=str(tmp_path), summary_op=tf.constant(b"")),
    ]
    with tf.train.MonitoredSession(hooks=hooks) as sess:
        threads = [threading.Thread(target=lambda: [sess.run([up, counted]) for _ in range(100)]) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sess.run(step) == 600
    assert hooks[1]._iter_count == 601
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("-600")


def test_steps_are_traced_and_recorded_while_hooks_idle(tmp_path):
    _, up, loss = _model()
    with _five_hooks_session(tmp_path / "run", loss) as sess:
        for _ in range(3):
            sess.run(up)
        with sess.raw_session().trace(tmp_path / "trace.json"):
            assert sess.run(up) == 4
        assert "AssignAdd" in (tmp_path / "trace.json").read_text()
        assert sess.run(up) == 5
        assert _calls_of_hooks(lambda: sess.run(up), 10) == []
        sess.raw_session().watch_nan()
        assert sess.run(up) == 16


def test_steps_are_traced_from_the_first_one_on(tmp_path):
    _, up, loss = _model()
    with _five_hooks_session(tmp_path / "run", loss) as sess:
        with sess.raw_session().trace(tmp_path / "trace.json"):
            for _ in range(20):
                sess.run(up)
        events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
        assert sum(event.get("args", {}).get("op") == "AssignAdd" for event in events) == 20


def test_steps_whose_costs_are_counted():
    _, up, _ = _model()
    config = tf.ConfigProto(graph_options=tf.GraphOptions(build_cost_model=1))
    hook = tf.train.StopAtStepHook(last_step=100)
    with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(config=config), [hook]) as sess:
        steps = sess.raw_session()._steps
        before = sum(steps.cache.counts.values())
        for _ in range(20):
            sess.run(up)
        assert sum(steps.cache.counts.values()) == before + 20


def test_a_large_last_step():
    _, up, _ = _model()
    for last in (2**70, float("inf"), 1e18, np.int64(2**62)):
        with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(last_step=last)]) as sess:
            for _ in range(5):
                sess.run(up)
            assert not sess.should_stop()
    with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(last_step=3.5)]) as sess:
        while not sess.should_stop():
            last = sess.run(up)
    assert last == 4


def test_other_kinds_of_losses_and_steps():
    step = tf.Variable(0, dtype=tf.int32, trainable=False, name="global_step", collections=["global_step", "variables"])
    up = tf.assign_add(step, 1)
    for loss in (tf.constant([1.0]), tf.constant(1.0, tf.float16), tf.constant(1.0, tf.float64), "c/Const:0"):
        if isinstance(loss, str):
            with tf.name_scope("c"):
                tf.constant(1.0)
        hooks = [tf.train.NanTensorHook(loss), tf.train.StopAtStepHook(num_steps=5)]
        with tf.train.MonitoredSession(hooks=hooks) as sess:
            while not sess.should_stop():
                last = sess.run(up)
        assert last == 5
    w = tf.placeholder_with_default(np.float64("nan"), [])
    with pytest.raises(tf.train.NanLossDuringTrainingError):
        with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(w)]) as sess:
            for _ in range(5):
                sess.run(up, {w: 1.0})
            sess.run(up)


def test_errors_of_steps_while_hooks_idle(tmp_path):
    _, up, loss = _model()
    x = tf.placeholder(tf.float32, [2], name="x")
    with _five_hooks_session(tmp_path, loss) as sess:
        for _ in range(3):
            sess.run([up, x], {x: [1.0, 2.0]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value for placeholder"):
            sess.run(x)
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            sess.run([up, x], {x: [1.0]})
        with pytest.raises(TypeError):
            sess.run([up, None])
        assert sess.run(up) == 4


def test_a_thread_misses_no_steps_that_others_run_while_its_hooks_are_called():
    _, up, loss = _model()
    entered, release = threading.Event(), threading.Event()

    class Waits(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            if threading.current_thread() is thread:
                entered.set()
                release.wait()

    log = tf.train.LoggingTensorHook([loss], every_n_iter=1000)
    with tf.train.MonitoredSession(hooks=[Waits(), log]) as sess:
        thread = threading.Thread(target=sess.run, args=[up])
        thread.start()
        entered.wait()
        for _ in range(10):
            sess.run(up)
        release.set()
        thread.join()
    assert log._iter_count == 11


def test_timers_of_the_program_s_own_have_their_say(caplog):
    caplog.set_level("INFO", logger="tinytf")
    _, up, loss = _model()

    class Always(tf.train.SecondOrStepTimer):
        def should_trigger_for_step(self, step):
            return True

    log = tf.train.LoggingTensorHook({"l": loss}, every_n_iter=1000)
    log._timer = Always(every_steps=1000)
    with tf.train.MonitoredSession(hooks=[log]) as sess:
        for _ in range(5):
            sess.run(up)
    assert caplog.text.count("l = 3.0") == 5


def test_hooks_without_calls_around_steps_may_have_any_attributes():
    _, up, _ = _model()

    class Own(tf.train.SessionRunHook):
        _slept = _idle = None

    with tf.train.MonitoredSession(hooks=[Own(), tf.train.StopAtStepHook(last_step=5)]) as sess:
        while not sess.should_stop():
            last = sess.run(up)
    assert last == 5


def test_a_session_remembers_one_request_of_summaries(tmp_path):
    _, up, loss = _model()
    hook = tf.train.SummarySaverHook(1, output_dir=str(tmp_path), summary_op=tf.summary.merge_all())
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        asked = [hook.before_run(None) for _ in range(3) if sess.run(up)]
    assert all(each is asked[0] for each in asked)


def test_a_hook_that_is_given_twice_is_called_twice_in_each_step():
    _, up, loss = _model()
    log = tf.train.LoggingTensorHook([loss], every_n_iter=1000)
    with tf.train.MonitoredSession(hooks=[log, log]) as sess:
        for _ in range(10):
            sess.run(up)
    assert log._iter_count == 20


def test_hooks_of_several_sessions_count_the_steps_of_all(caplog):
    caplog.set_level("INFO", logger="tinytf")
    _, up, loss = _model()
    log = tf.train.LoggingTensorHook({"l": loss}, every_n_iter=10)
    with tf.train.MonitoredSession(hooks=[log]) as first, tf.train.MonitoredSession(hooks=[log]) as second:
        for _ in range(20):
            first.run(up)
            second.run(up)
        assert log._iter_count == 40
        assert caplog.text.count("l = 3.0") == 4
    log = type("NoKey", (tf.train.LoggingTensorHook,), {"__hash__": None})({"l": loss}, every_n_iter=10)
    for _ in range(2):  # one after the other; the hook can skip steps
        with tf.train.MonitoredSession(hooks=[log]) as sess:
            sess.run(up)
            assert _calls_of_hooks(lambda: sess.run(up), 5) == []


def test_summaries_of_a_step_that_others_overtake(tmp_path):
    _, up, _ = _model()
    entered, release, errors = threading.Event(), threading.Event(), []

    class Waits(tf.train.SessionRunHook):
        def before_run(self, run_context):
            if threading.current_thread() is thread:
                entered.set()
                release.wait()

    def work():
        try:
            sess.run(up)
        except Exception as error:
            errors.append(error)

    save = tf.train.SummarySaverHook(100, output_dir=str(tmp_path), summary_op=tf.summary.merge_all())
    with tf.train.MonitoredSession(hooks=[save, Waits()]) as sess:
        thread = threading.Thread(target=work)
        thread.start()
        entered.wait()
        for _ in range(3):
            sess.run(up)
        release.set()
        thread.join()
    assert not errors
    assert [step for kind, step, *_ in _events(tmp_path) if kind == "summary"] == [1, 4]
