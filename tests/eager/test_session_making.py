"""Creating a session fails, is repeated, or is interrupted; sessions cannot be copied; interrupts in the finalizer."""

import copy
import gc
import pickle
import sys
import threading
import warnings

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.eager import session as sessions
from tinytf._src.eager.session_settings import SessionSettings

BAD_OPTIONS = [
    ({"async_": "no"}, TypeError),
    ({"async_": 1}, TypeError),
    ({"track_sites": "yes"}, TypeError),
    ({"soft_bytes": -1}, tf.errors.InvalidArgumentError),
    ({"soft_handles": -1}, tf.errors.InvalidArgumentError),
    ({"hard_bytes": -1}, tf.errors.InvalidArgumentError),
    ({"hard_handles": -5}, tf.errors.InvalidArgumentError),
    ({"memory_limit_bytes": -1}, tf.errors.InvalidArgumentError),
    ({"safe_point_budget_us": -1}, tf.errors.InvalidArgumentError),
    ({"retained_warning_bytes": -1}, tf.errors.InvalidArgumentError),
    ({"gc_pressure_bytes": -1}, tf.errors.InvalidArgumentError),
    ({"soft_bytes": 1.5}, TypeError),
    ({"memory_limit_bytes": True}, TypeError),
    ({"soft_bytes": 2, "hard_bytes": 1}, tf.errors.InvalidArgumentError),
    ({"soft_handles": 2, "hard_handles": 1}, tf.errors.InvalidArgumentError),
]


@pytest.mark.parametrize(("options", "error"), BAD_OPTIONS, ids=[str(options) for options, _ in BAD_OPTIONS])
def test_options_that_make_no_sense(options, error):
    with pytest.raises(error, match=next(iter(options))):
        tf.EagerSession(**options)


def test_the_setters_refuse_too():
    options = tf.EagerSession.options()
    for refused, error in [
        (lambda: options.async_("no"), TypeError),
        (lambda: options.soft_marks(-1, 0), tf.errors.InvalidArgumentError),
        (lambda: options.hard_marks(1, -1), tf.errors.InvalidArgumentError),
        (lambda: options.memory_limit_bytes(-1), tf.errors.InvalidArgumentError),
        (lambda: options.soft_marks(10, 10).hard_marks(5, 5).build(), tf.errors.InvalidArgumentError),
    ]:
        with pytest.raises(error):
            refused()


def test_options_that_make_sense():
    options = tf.EagerSession.options().async_(np.bool_(True)).soft_marks(0, 0).hard_marks(0, np.int64(0))
    with options.build() as session:
        assert session.is_async is True
        assert (tf.constant(1.0) + 1.0).numpy() == 2.0


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickle.dumps], ids=lambda way: way.__name__)
def test_a_session_is_not_copied(way):
    with tf.EagerSession() as session:
        with pytest.raises(TypeError, match="cannot be copied"):
            way(session)
        gc.collect()
        assert (tf.constant(1.0) + 1.0).numpy() == 2.0
    assert session.closed


def test_a_session_is_initialised_once():
    with tf.EagerSession() as session:
        with pytest.raises(RuntimeError, match="cannot be initialized again"):
            session.__init__()
        assert tf.constant(1.0).numpy() == 1.0


def interrupted_at(line, run, *codes):
    """Runs the function and raises KeyboardInterrupt at the given line event in frames of one of the codes; returns
    whether that line was reached.
    """
    seen = 0

    def trace(frame, event, arg):
        nonlocal seen
        if frame.f_code not in codes:
            return None
        if event == "line":
            seen += 1
            if seen == line:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return seen >= line


def test_an_interrupt_anywhere_in_the_constructor(monkeypatch):
    """Nothing is printed, and no thread stays; the fixture of all tests checks the latter."""
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda event: told.append(repr(event.exc_value)))
    parts = tf.EagerSession.__init__, SessionSettings.__init__, SessionSettings.new_core
    codes = [part.__code__ for part in parts]
    line = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        while interrupted_at(line := line + 1, tf.EagerSession, *codes):
            gc.collect()
        gc.collect()
    assert line > 20
    assert told == []


def test_an_interrupt_anywhere_in_the_finalizer(monkeypatch):
    """Python prints only the interrupt itself, and no thread stays."""
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda event: told.append(type(event.exc_value)))
    line = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        while True:
            box = [tf.EagerSession()]
            line += 1
            interrupted_at(line, box.clear, tf.EagerSession.__del__.__code__)
            if len(told) < line:
                break
    assert line > 3
    assert set(told) == {KeyboardInterrupt}


def test_figures_of_the_process_while_sessions_come_and_go():
    done, failed = threading.Event(), []

    def make():
        while not done.is_set():
            sessions_made = [tf.EagerSession() for _ in range(3)]
            for session in sessions_made:
                session.close()

    def look():
        try:
            for _ in range(300):
                assert tf.memory_info().sessions >= 0
                assert sessions.open_sessions() is not None
        except RuntimeError as error:
            failed.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    makers = [threading.Thread(target=make) for _ in range(2)]
    for thread in makers:
        thread.start()
    try:
        look()
    finally:
        done.set()
        for thread in makers:
            thread.join()
        sys.setswitchinterval(before)
    assert not failed
