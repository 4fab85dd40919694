"""`SecondOrStepTimer` uses the clock with which a program replaces `time.time` or `time.monotonic`."""

import time

import pytest
from programs import run_program

import tinytf as tf


class _Clock:
    """A clock with a settable time."""

    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now


@pytest.mark.parametrize("name", ["time", "monotonic"])
def test_another_clock_counts(monkeypatch, name):
    clock = _Clock(1484695987.209386)
    monkeypatch.setattr(time, name, clock)
    timer = tf.train.SecondOrStepTimer(every_secs=2.0)
    assert timer.update_last_triggered_step(1) == (None, None)
    clock.now += 1.9
    assert not timer.should_trigger_for_step(2)
    clock.now += 0.2
    assert timer.should_trigger_for_step(2) and not timer.should_trigger_for_step(1)
    seconds, steps = timer.update_last_triggered_step(2)
    assert seconds == pytest.approx(2.1) and steps == 1


@pytest.mark.parametrize("name", ["time", "monotonic"])
def test_a_clock_that_comes_later_counts_on(monkeypatch, name):
    timer = tf.train.SecondOrStepTimer(every_secs=1000.0)
    timer.update_last_triggered_step(1)
    now = getattr(time, name)()
    monkeypatch.setattr(time, name, _Clock(now + 990.0))
    assert not timer.should_trigger_for_step(2)
    monkeypatch.setattr(time, name, _Clock(now + 1001.0))
    assert timer.should_trigger_for_step(2)


@pytest.mark.parametrize("name", ["time", "monotonic"])
def test_a_clock_that_is_older_than_the_package_counts(name):
    program = f"""
import time
now = [1000.0]
time.{name} = lambda: now[0]
import tinytf as tf
timer = tf.train.SecondOrStepTimer(every_secs=10)
timer.update_last_triggered_step(1)
now[0] += 9
assert not timer.should_trigger_for_step(2)
now[0] += 2
assert timer.should_trigger_for_step(2)
"""
    done = run_program(program)
    assert done.returncode == 0, done.stderr


class _Notes(tf.train.CheckpointSaverListener):
    """Collects the steps at which checkpoints are saved."""

    def __init__(self):
        self.saved = []

    def after_save(self, session, global_step_value):
        self.saved.append(int(global_step_value))


@pytest.mark.parametrize("name", ["time", "monotonic"])
def test_idle_hooks_see_a_clock_that_comes_later(monkeypatch, tmp_path, name):
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    notes = _Notes()
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_secs=1000, listeners=[notes])
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        for _ in range(3):
            sess.run(step)
        with monkeypatch.context() as patch:
            clock = _Clock(getattr(time, name)())
            patch.setattr(time, name, clock)
            for _ in range(3):
                clock.now += 1001
                sess.run(step)
        sess.run(step)
    assert notes.saved == [0, 4, 5, 6, 7]
    tf.summary.FileWriterCache.clear()


def test_hooks_see_it(monkeypatch, tmp_path):
    clock = _Clock(1484695987.0)
    monkeypatch.setattr(time, "time", clock)
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    notes = _Notes()
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_secs=10, listeners=[notes])
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        for seconds in (1, 1, 9, 1, 1, 20):
            sess.run(step)
            clock.now += seconds
        sess.run(step)
    assert notes.saved == [0, 4, 7]
    tf.summary.FileWriterCache.clear()
