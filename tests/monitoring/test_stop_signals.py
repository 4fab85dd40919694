"""SIGTERM and Ctrl-C end a training in order: the step finishes or is interrupted, and the training is saved."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import weakref

import pytest

import tinytf as tf
from tinytf._src.monitored_session import stop_signals

_HEAD = """
import os, signal, sys, threading, time
import tinytf as tf
folder = sys.argv[1]
step = tf.train.get_or_create_global_step()
up = tf.assign_add(step, 1)
"""
_LOOP = """
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, log_step_count_steps=None) as sess:
    sess.run(up)
    print("runs", flush=True)
    while not sess.should_stop():
        last = sess.run(up)
print("not reached")
"""


def _ended_by(number, program, folder):
    """Exit status and output of a program that gets a signal after its first line of output."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _HEAD + program, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tempfile.gettempdir(),
    )
    first = process.stdout.readline()
    assert first == "runs\n", first + process.stdout.read()
    process.send_signal(number)
    rest = process.communicate()[0]
    return process.returncode, rest


def _saved_step(folder):
    return tf.train.load_variable(str(folder), "global_step")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, -signal.SIGINT)])
def test_a_training_is_saved(number, status, tmp_path):
    code, shown = _ended_by(number, _LOOP, tmp_path)
    assert code == status, shown
    assert "not reached" not in shown
    assert _saved_step(tmp_path) > 0
    again = _LOOP.replace("sess.run(up)\n", 'print("at", sess.run(step), flush=True); sys.exit()\n', 1)
    shown = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _HEAD + again, str(tmp_path)], capture_output=True, text=True, cwd="/"
    ).stdout
    assert shown.startswith(f"at {_saved_step(tmp_path)}\n")


def test_a_loop_that_does_not_ask(tmp_path):
    program = """
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder) as sess:
    try:
        while True:
            if sess.run(up) == 10:
                print("runs", flush=True)
    finally:
        print("last", sess.stop_reason, flush=True)
"""
    code, shown = _ended_by(signal.SIGTERM, program, tmp_path)
    assert code == 143, shown
    assert "last signal SIGTERM" in shown
    assert _saved_step(tmp_path) > 0


def test_a_step_comes_to_its_end(tmp_path):
    program = """
def slow():
    if os.path.exists(folder + "/go"):
        print("runs", flush=True)
        while sess.stop_reason is None:
            time.sleep(0.01)
    return 1.0
with tf.control_dependencies([tf.py_func(slow, [], tf.float64)]):
    up = tf.assign_add(step, 1)
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder) as sess:
    open(folder + "/go", "w").close()
    print("gives", sess.run(up), flush=True)
    sess.run(up)
"""
    code, shown = _ended_by(signal.SIGTERM, program, tmp_path)
    assert code == 143, shown
    assert "gives 1" in shown
    assert _saved_step(tmp_path) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_step_that_waits_is_cut(number, tmp_path):
    """After Ctrl-C a waiting step is interrupted after a tenth of a second; a second signal interrupts it
    immediately.
    """
    program = """
def tell():
    while not sess.raw_session().stats().active_runs:
        time.sleep(0.01)
    print("runs", flush=True)
    while sess.stop_reason is None:
        time.sleep(0.01)
    if sess.stop_reason == "signal SIGTERM":
        os.kill(os.getpid(), signal.SIGTERM)
element = tf.FIFOQueue(1, tf.float32).dequeue()
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder) as sess:
    sess.run(up)
    threading.Thread(target=tell).start()
    sess.run(element)
"""
    code, shown = _ended_by(number, program, tmp_path)
    assert code == (-signal.SIGINT if number == signal.SIGINT else 143), shown
    assert "A step was interrupted" in shown
    assert _saved_step(tmp_path) == 1


def test_outside_of_steps_the_block_ends_at_once(tmp_path):
    program = """
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder) as sess:
    sess.run(up)
    print("runs", flush=True)
    threading.Event().wait()
"""
    code, shown = _ended_by(signal.SIGTERM, program, tmp_path)
    assert code == 143, shown
    assert _saved_step(tmp_path) == 1


def test_a_program_may_go_without(tmp_path):
    code, shown = _ended_by(signal.SIGTERM, _LOOP.replace("folder,", "folder, handle_signals=False,"), tmp_path)
    assert code == -signal.SIGTERM, shown
    assert _saved_step(tmp_path) == 0


def test_sessions_without_checkpoints_leave_signals_alone():
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    tf.train.get_or_create_global_step()
    for make in (tf.train.MonitoredTrainingSession, tf.train.MonitoredSession, tf.train.SingularMonitoredSession):
        with make():
            assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


@pytest.fixture
def _usual_handlers():
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL), signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGTERM, before[0])
    signal.signal(signal.SIGINT, before[1])


def test_handlers_come_back(_usual_handlers, tmp_path):
    tf.train.get_or_create_global_step()
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)):
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_handlers_of_the_program_stay(_usual_handlers):
    def own(number, frame):
        pass

    tf.train.get_or_create_global_step()
    signal.signal(signal.SIGTERM, own)
    with tf.train.MonitoredSession(handle_signals=True):
        assert signal.getsignal(signal.SIGTERM) is own
        signal.signal(signal.SIGINT, own)
    assert signal.getsignal(signal.SIGTERM) is own
    assert signal.getsignal(signal.SIGINT) is own


def test_other_threads_have_no_handlers(_usual_handlers):
    tf.train.get_or_create_global_step()
    graph = tf.get_default_graph()

    def make():
        with graph.as_default(), tf.train.MonitoredSession(handle_signals=True):
            found.append(signal.getsignal(signal.SIGTERM))

    found = []
    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    assert found == [signal.SIG_DFL]


def test_in_one_process(_usual_handlers, tmp_path):
    up = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    with pytest.raises(tf.experimental.Terminated) as caught:
        with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as sess:
            sess.run(up)
            os.kill(os.getpid(), signal.SIGTERM)
            while True:
                sess.run(up)
    assert caught.value.code == 143
    assert sess.stop_reason == "signal SIGTERM"
    assert _saved_step(tmp_path) >= 1
    sess = tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            sess.run(up)
    with pytest.raises(KeyboardInterrupt):
        sess.run(up, hooks=False)
    assert sess.should_stop()
    with pytest.raises(KeyboardInterrupt):
        sess.close()


def _sends(number=signal.SIGTERM):
    """An operation that sends the signal each time it runs."""

    def send():
        os.kill(os.getpid(), number)
        return 1.0

    return tf.py_func(send, [], tf.float64)


def test_a_session_without_hooks(_usual_handlers):
    value, more = _sends(), tf.constant(2.0)
    with pytest.raises(tf.experimental.Terminated), tf.train.MonitoredSession(handle_signals=True) as sess:
        assert sess.run(value) == 1.0
        assert sess.should_stop()
        sess.run(more)
        pytest.fail("There was one more step")


def test_a_step_function(_usual_handlers):
    value = _sends()
    ends = []
    hook = tf.train.FinalOpsHook(tf.constant(1.0))
    for kind in (tf.train.MonitoredSession, tf.train.SingularMonitoredSession):
        with pytest.raises(tf.experimental.Terminated), kind(hooks=[hook], handle_signals=True) as sess:
            ends.append(sess.run_step_fn(lambda step_context: step_context.run_with_hooks(value)))
            assert sess.should_stop()
    assert ends == [1.0, 1.0]


def test_several_sessions_are_saved(_usual_handlers, tmp_path):
    graphs = tf.Graph(), tf.Graph()
    with pytest.raises(tf.experimental.Terminated), graphs[0].as_default():
        up = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path / "a")) as outer:
            outer.run(up)
            with graphs[1].as_default():
                up = tf.assign_add(tf.train.get_or_create_global_step(), 2)
                with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path / "b")) as inner:
                    inner.run(up)
                    os.kill(os.getpid(), signal.SIGTERM)
    assert (_saved_step(tmp_path / "a"), _saved_step(tmp_path / "b")) == (1, 2)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_the_session_that_is_closed_last_has_handlers_to_its_end(_usual_handlers):
    first, second = (tf.train.MonitoredSession(handle_signals=True) for _ in range(2))
    first.close()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    assert first.stop_reason is None and second.stop_reason == "signal SIGINT"
    with pytest.raises(KeyboardInterrupt):
        second.close()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_sessions_that_are_forgotten_or_closed_elsewhere(_usual_handlers):
    sess = tf.train.MonitoredSession(handle_signals=True)
    thread = threading.Thread(target=sess.close)
    thread.start()
    thread.join()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    assert sess.stop_reason is None
    sess = tf.train.MonitoredSession(handle_signals=True)
    sess.raw_session().close()
    gone = weakref.ref(sess)
    del sess
    gc.collect()
    assert gone() is None
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    with tf.train.MonitoredSession(handle_signals=True):
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_while_a_session_begins_to_end(_usual_handlers, monkeypatch, tmp_path):
    """The session is still saved and closed, and the signal is not lost."""
    up = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    end = stop_signals.StopSignals.end

    def interrupted(signals):
        os.kill(os.getpid(), signal.SIGTERM)
        end(signals)

    monkeypatch.setattr(stop_signals.StopSignals, "end", interrupted)
    with pytest.raises(tf.experimental.Terminated):
        with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as sess:
            sess.run(up)
    assert sess.raw_session() is None
    assert _saved_step(tmp_path) == 1
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_block_that_another_error_ends(_usual_handlers):
    value = _sends()
    with pytest.raises(tf.experimental.Terminated) as caught, tf.train.MonitoredSession(handle_signals=True) as sess:
        sess.run(value)
        raise ValueError("own")
    assert isinstance(caught.value.__context__, ValueError)


def test_a_signal_that_comes_again_too_late(_usual_handlers):
    """The signal was sent again to interrupt a running step, but arrives after the session ended; it is ignored."""
    with tf.train.MonitoredSession(handle_signals=True) as sess:
        handlers = stop_signals._handlers
        sess._signals.end()
        handlers._insisted = [sess._signals]
        os.kill(os.getpid(), signal.SIGTERM)
        assert handlers._insisted is None and sess.stop_reason is None


def test_forked_processes_have_no_handlers(tmp_path):
    program = """
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder) as sess:
    child = os.fork()
    if child == 0:
        os.kill(os.getpid(), signal.SIGTERM)
        os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGTERM
    print("runs", flush=True)
    while True:
        sess.run(up)
"""
    code, shown = _ended_by(signal.SIGTERM, program, tmp_path)
    assert code == 143, shown
