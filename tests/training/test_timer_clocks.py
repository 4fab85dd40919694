"""`SecondOrStepTimer` uses the clock with which a program replaces `time.time` or `time.monotonic`."""

import time

import pytest

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


def test_hooks_see_it(monkeypatch, tmp_path):
    clock = _Clock(1484695987.0)
    monkeypatch.setattr(time, "time", clock)
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    saved = []

    class Notes(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            saved.append(int(global_step_value))

    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_secs=10, listeners=[Notes()])
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        for seconds in (1, 1, 9, 1, 1, 20):
            sess.run(step)
            clock.now += seconds
        sess.run(step)
    assert saved == [0, 4, 7]
    tf.summary.FileWriterCache.clear()
