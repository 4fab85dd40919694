"""Known complaints about other eager sessions do not apply here: each has a test in this file or a reference to one.

Covered elsewhere:

a clean-up thread delays the end of the process        test_eager_exit.py, all ways out
errors and crashes at interpreter exit                 test_eager_exit.py: finalizer, cycle, builtins, daemon threads
forks hang                                             test_eager_fork.py
closing while an operation runs crashes                test_close.py: test_close_waits_for_an_operation;
                                                       test_async.py: test_close_cancels_what_has_not_begun
a view that outlives its tensor crashes                test_tensors.py: test_arrays_outlive_tensor_and_session
contents of string tensors leak                        test_tensors.py: test_strings_are_freed_too
the purpose of the strategies is unclear               test_memory.py: test_every_safe_point_frees
data of short-lived threads leaks                      test_memory.py: test_short_threads_leave_nothing
no scopes, or no way to keep a value beyond one        test_scopes.py
results cannot be closed or kept                       test_session_life.py: test_a_detached_value_…
cycles delay the release of memory                     test_tensors.py: test_pressure_of_garbage_collects_it
memory is not returned to the system                   test_given_back.py
variables print errors once their session is closed    test_variable_lifetime.py: test_variables_go_quietly_…
tracebacks pin tensors                                 test_tensors.py: test_an_error_out_of_the_block_…
cryptic errors for graph-only operations               test_builders.py: test_ops_of_graphs_only
"""

import contextvars
import gc
import os
import threading
import weakref

import numpy as np
import pytest
from process_memory import resident_bytes
from process_threads import threads, threads_come_down_to
from watched_sessions import STRATEGIES, Strategy

import tinytf as tf

MIB = 1 << 20


@pytest.mark.parametrize("strategy", [Strategy.IN_BACKGROUND, Strategy.ON_SAFE_POINTS])
def test_a_long_session_does_not_hold_what_the_program_dropped(strategy):
    """Complaint: a session kept strong references to all its results, so that long sessions ran out of memory."""
    with tf.EagerSession(resource_cleanup_strategy=strategy) as session:
        x = tf.ones([1 << 18])  # 1 MiB
        for _ in range(1000):
            x = x * 0.5 + 1.0
        session.flush()
        session.collect()
        assert session.stats().live <= 1
        assert session.stats().peak_bytes <= 300 * MIB
        del x


def test_the_default_session_does_not_grow():
    tf.test.reset_default_session()
    session = tf.EagerSession.get_default()
    with session:
        for _ in range(1000):
            tf.ones([1 << 12]) * 2.0
        session.flush()
        assert session.stats().live == 0
    tf.test.reset_default_session()


@pytest.mark.hooks
def test_threads_that_drop_tensors_do_not_wait_for_each_other():
    """Complaint: a process-wide lock around every free stalled allocations. Dropped values are queued without a
    lock.
    """
    with tf.EagerSession() as session:
        from tinytf import _core

        hold = _core.testing.EagerTesting(session._core)
        hold.pause_reaper()  # the reaper is held; threads that drop values still proceed
        dropped = threading.Barrier(5)

        def work():
            for _ in range(1000):
                tf.constant(1.0)
            dropped.wait()

        for _ in range(4):
            threading.Thread(target=contextvars.copy_context().run, args=(work,)).start()
        dropped.wait()
        assert session.stats().created == 4000
        hold.resume()
        session.flush()


def test_the_user_sees_memory_of_the_engine():
    """Complaint: memory grew and could not be attributed."""
    with tf.EagerSession(track_sites=True) as session:
        kept = tf.zeros([MIB // 4])
        assert session.stats().live_bytes == MIB
        assert tf.memory_info().live_bytes >= MIB
        [site] = session.live_tensors(by="site")
        assert "test_complaints.py" in site
        del kept


def test_operations_of_one_session_on_many_threads():
    """Complaint: executing on several threads crashed."""
    with tf.EagerSession() as session:
        x = tf.constant(np.arange(100.0))
        sums = []

        def work():
            y = x
            for _ in range(300):
                y = tf.reshape(y + 1.0, [10, 10])
                y = tf.reshape(y, [100])
            sums.append(y.numpy().sum())

        workers = [threading.Thread(target=contextvars.copy_context().run, args=(work,)) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert sums == [4950 + 300 * 100] * 8
        assert session.stats().active_ops == 0


def test_a_session_begins_anew():
    """Complaint: a session could not be reset, so programs made one per task."""
    with tf.EagerSession() as session:
        for _ in range(100):
            kept = [tf.zeros([1000]) for _ in range(10)]
            session.reset()
            assert (session.stats().live, session.stats().live_bytes) == (0, 0)
        assert session.stats().invalidated == 1000
        del kept


def test_late_drops_are_silent(capfd):
    """Complaint: dropping a tensor or its session after its end printed errors."""
    with tf.EagerSession() as session:
        x = tf.constant([1.0, 2.0])
        holder = {"x": x, "session": session}
        holder["self"] = holder
    del x, session, holder
    gc.collect()
    assert capfd.readouterr() == ("", "")


def test_cached_kernels_do_not_outlive_their_session():
    """Complaint: a static cache of handles outlived its context and crashed in the next one."""
    for _ in range(5):
        with tf.EagerSession():
            assert (tf.constant([1, 2]) + tf.constant([3, 4])).numpy().tolist() == [4, 6]
            assert tf.reshape(tf.constant([1, 2]), [2, 1]).shape.as_list() == [2, 1]


def test_views_are_read_only_and_copies_are_the_programs_own():
    """Complaint: it was unclear whether an array is a view or a copy."""
    with tf.EagerSession() as session:
        x = tf.constant([1.0, 2.0]) + 0.0
        view, copy = x.numpy(), x.numpy(copy=True)
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 3.0
        copy[0] = 3.0
        assert x.numpy()[0] == 1.0
        assert session.stats().exported_bytes == 8
        del view
        source = np.array([1.0, 2.0])
        y = tf.constant(source)
        source[0] = 7.0  # the tensor has its own copy
        assert y.numpy()[0] == 1.0


def _reshape_that_fails():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.reshape(tf.constant([1.0, 2.0]), [3])


def _gradient():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)


def _function_of_python(number):
    held = [float(number)] * 100
    tf.py_function(lambda x: x + held[0], [tf.constant(1.0)], tf.float32)


LOOPS = {
    "constants": lambda i: tf.constant(np.zeros(100)) + 1.0,
    "operators": lambda i: (tf.constant([1.0, 2.0]) * 2.0 - tf.constant([1.0, 2.0])) / 3.0,
    "slices": lambda i: tf.constant([[1.0, 2.0], [3.0, 4.0]])[0, 1:],
    "exceptions": lambda i: _reshape_that_fails(),
    "new shapes": lambda i: tf.zeros([i % 37 + 1]) + tf.ones([i % 37 + 1]),
    "gradients": lambda i: _gradient(),
    "variables": lambda i: tf.Variable([1.0, 2.0]).assign_add([1.0, float(i)]),
    "functions of Python": _function_of_python,
    "texts": lambda i: tf.constant(["x" * 1000, str(i)]),
}


@pytest.mark.parametrize("step", LOOPS.values(), ids=LOOPS)
def test_loops_do_not_grow(step):
    """Complaint: eager loops grew steadily, and loops that called Python functions kept each of them."""
    with tf.EagerSession() as session:
        for i in range(200):
            step(i)
        session.flush()
        gc.collect()
        objects, resident = len(gc.get_objects()), resident_bytes()
        for i in range(1000):
            step(i)
        session.flush()
        gc.collect()
        assert session.stats().live == 0
        assert len(gc.get_objects()) <= objects + 50
        assert resident_bytes() <= resident + 4 * MIB


def test_what_a_python_function_refers_to_goes_with_it():
    """Complaint: Python functions and everything they refer to were kept forever."""

    class Held:
        pass

    def call():
        held = Held()
        held.value = 2.0
        assert tf.py_function(lambda x: x * held.value, [tf.constant(3.0)], tf.float32).numpy() == 6.0
        return weakref.ref(held)

    with tf.EagerSession():
        gone = [call() for _ in range(10)]
        gc.collect()
        assert [reference() for reference in gone] == [None] * 10


def test_an_interactive_session_goes_when_it_is_closed():
    """Complaint: a closed interactive session was reported as still in use."""
    session = tf.InteractiveSession()
    assert tf.constant(2.0).eval() == 2.0
    gone = weakref.ref(session)
    session.close()
    assert tf.get_default_session() is None
    del session
    gc.collect()
    assert gone() is None


def test_results_of_a_run_outlive_its_session():
    """Complaint: results of runs had to be closed one by one, or ended with the session."""
    with tf.Graph().as_default(), tf.Session() as session:
        array = session.run(tf.constant([1.0, 2.0]) + 1.0)
    assert array.tolist() == [2.0, 3.0]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_close_gives_memory_back(strategy):
    """Complaint: closing a session did not release its memory. The session's free lists are empty after close."""
    before = tf.memory_info().buffers
    with tf.EagerSession(resource_cleanup_strategy=strategy) as session:
        kept = [tf.ones([MIB // 4]) for _ in range(64)]
        for _ in range(64):
            tf.ones([1000])
    stats = session.stats()
    assert (stats.live_bytes, stats.queued_bytes, stats.retained_bytes, stats.pooled_bytes) == (0, 0, 0, 0)
    assert tf.memory_info().buffers == before
    del kept


def test_eager_operations_add_nothing_to_graphs():
    """Complaint: the graph went on growing after its session was closed."""
    with tf.Graph().as_default() as graph:
        before = len(graph.get_operations())
        with tf.EagerSession():
            for _ in range(10):
                tf.constant(1.0) + 1.0
        assert len(graph.get_operations()) == before


def test_a_closed_session_leaves_no_file_and_no_thread():
    before = len(os.listdir("/proc/self/fd")), threads()
    for strategy in STRATEGIES:
        for _ in range(100):
            with tf.EagerSession(resource_cleanup_strategy=strategy):
                tf.constant(1.0)
    assert len(os.listdir("/proc/self/fd")) == before[0]
    assert threads_come_down_to(before[1])


def test_a_tensor_says_that_it_ends_now():
    """Complaint: tracebacks and notebooks kept tensors alive and there was no way to free one."""
    with tf.EagerSession() as session:
        x = tf.ones([MIB])
        output_history = [x]
        assert session.stats().live_bytes == 4 * MIB
        x.close()
        assert session.stats().live_bytes == 0
        assert "closed" in repr(output_history[0])
