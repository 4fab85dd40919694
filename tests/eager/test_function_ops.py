"""Eager operations that call functions: calls, conditionals, switches and loops as single operations."""

import gc
import threading

import pytest

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.context.execution import eager_mode
from tinytf.python.framework.function import Defun

# The session of the process keeps the plans of functions as long as these live.
pytestmark = [pytest.mark.usefixtures("eager_session_of_the_process"), pytest.mark.keeps_state]

FLOAT = tf.TensorSpec([], tf.float32)


@pytest.fixture(autouse=True)
def _eager():
    with eager_mode():
        yield


def _concrete(function):
    return tf.function(function, autograph=False).get_concrete_function(FLOAT)


def _call(function, *args, out=tf.float32):
    return tf.raw_ops.PartitionedCall(args=list(args), Tout=[out], f=function)[0]


def test_calls():
    f = _concrete(lambda x: x + 1.0)
    assert _call(f, 3.0).numpy() == 4
    assert _call(f.name, 4.0).numpy() == 5  # as in TensorFlow, functions are known by their names
    assert tf.raw_ops.StatefulPartitionedCall(args=[5.0], Tout=[tf.float32], f=f)[0].numpy() == 6


def test_control_flow():
    more, twice, is_small = (_concrete(f) for f in (lambda x: x + 1.0, lambda x: x * 2.0, lambda x: x < 10.0))
    for cond, value in ((True, 4), (False, 6)):
        found = tf.raw_ops.If(cond=cond, input=[3.0], Tout=[tf.float32], then_branch=more, else_branch=twice)
        assert found[0].numpy() == value
    found = tf.raw_ops.Case(branch_index=1, input=[3.0], Tout=[tf.float32], branches=[more, twice])
    assert found[0].numpy() == 6
    assert tf.raw_ops.While(input=[3.0], cond=is_small, body=twice)[0].numpy() == 12


def test_functions_of_functions():
    @Defun(tf.float32)
    def inner(x):
        return x - 1.0

    @Defun(tf.float32)
    def outer(x):
        return inner(x) * 2.0

    assert _call(outer, 4.0).numpy() == 6


def test_captured_variables():
    v = tf.Variable(1.0)
    add = _concrete(lambda x: v.assign_add(x, read_value=True))
    for expected in (3, 5):
        found = tf.raw_ops.StatefulPartitionedCall(args=[2.0, *add.captured_inputs], Tout=[tf.float32], f=add)
        assert found[0].numpy() == expected
    assert v.numpy() == 5


def test_python_functions_are_called():
    seen = []
    f = _concrete(lambda x: tf.py_function(lambda y: seen.append(y.numpy()) or y * 3.0, [x], tf.float32))
    assert _call(f, 2.0).numpy() == 6
    assert seen == [2]


def test_random_state_belongs_to_the_session():
    f = _concrete(lambda x: x * 0.0 + tf.random.uniform([], seed=7))
    values = []
    for _ in range(2):
        with tf.EagerSession():
            values.append([float(_call(f, 1.0)) for _ in range(2)])
    assert values[0] == values[1]
    assert values[0][0] != values[0][1]


def test_asynchronous_sessions():
    f = _concrete(lambda x: x + 1.0)
    with tf.EagerSession(async_=True):
        x = tf.constant(1.0)
        for _ in range(50):
            x = _call(f, x)
        assert x.numpy() == 51


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: _call("nope", 1.0), tf.errors.NotFoundError, "Function nope is not defined"),
        (lambda f: _call(lambda x: x, 1.0), TypeError, "Don't know how to convert"),
        (lambda f: _call(f, 1.0, 2.0), tf.errors.InvalidArgumentError, "has 1 args, not 2"),
        (lambda f: _call(f, 1), tf.errors.InvalidArgumentError, "to be float but int32 is provided"),
        (lambda f: _call(f, 1.0, out=tf.int32), tf.errors.InvalidArgumentError, "is float, but expects int32"),
    ],
)
def test_wrong_calls(call, error, message):
    with pytest.raises(error, match=message):
        call(_concrete(lambda x: x + 1.0))


def test_errors_inside_name_their_node():
    f = _concrete(lambda x: tf.debugging.check_numerics(x, "no number", name="check"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="no number"):
        _call(f, float("nan"))


def test_threads_share_functions():
    f = _concrete(lambda x: tf.py_function(lambda y: y + 1.0, [x], tf.float32))
    found = []

    def work():
        with eager_mode():
            found.append([float(_call(f, float(i))) for i in range(20)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[i + 1 for i in range(20)]] * 4


def _names():
    """The functions of the eager library that still have owners."""
    gc.collect()
    return set(_core.eager_functions())


def test_functions_leave_with_their_owner():
    before, counts = _names(), set()
    for i in range(20):
        f = _concrete(lambda x, i=i: x + float(i))
        assert _call(f, 3.0).numpy() == 3 + i
        assert _names() == before | {f.name.decode()}
        del f
        assert _names() == before
        counts.add(_core.eager_function_count())  # with the one of the latest kernel
    assert len(counts) == 1


def _calling_another():
    @tf.function(input_signature=[FLOAT], autograph=False)
    def inner(x):
        return x - 1.0

    return _concrete(lambda x: inner(x) * 2.0)


def test_functions_that_others_call_stay():
    f = _calling_another()
    more = _concrete(lambda x: x + 1.0)
    name = more.name
    assert _call(f, 4.0).numpy() == 6
    assert tf.raw_ops.If(cond=True, input=[3.0], Tout=[tf.float32], then_branch=more, else_branch=f)[0].numpy() == 4
    del more
    assert name.decode() not in _names()
    with pytest.raises(tf.errors.NotFoundError, match="is not defined"):
        _call(name, 3.0)
    assert _call(f, 4.0).numpy() == 6


def test_names_are_free_when_their_function_has_left():
    def make(factor):
        @Defun(tf.float32, func_name="scaled_eagerly")
        def scaled(x):
            return x * factor

        return scaled

    scaled = make(2.0)
    assert _call(scaled, 3.0).numpy() == 6
    with pytest.raises(tf.errors.InvalidArgumentError, match="a different function with the same name already exists"):
        _call(make(3.0), 3.0)
    assert _call(scaled, 3.0).numpy() == 6
    again = make(2.0)
    assert _call(again, 4.0).numpy() == 8
    del scaled
    assert "scaled_eagerly" in _names()
    assert _call(again, 5.0).numpy() == 10
    del again
    assert "scaled_eagerly" not in _names()
    assert _call(make(3.0), 3.0).numpy() == 9


def test_queued_operations_keep_their_functions():
    began, goes_on = threading.Event(), threading.Event()

    def wait(x):
        began.set()
        goes_on.wait()
        return x

    waiting = _concrete(lambda x: tf.numpy_function(wait, [x], tf.float32))
    with tf.EagerSession(async_=True):
        x = _call(waiting, 2.0)
        began.wait()
        f = _concrete(lambda x: x * 3.0)
        name = f.name.decode()
        y = _call(f, x)
        del f
        assert name not in _names()
        goes_on.set()
        assert y.numpy() == 6


def test_threads_make_functions_of_their_own():
    before, found = _names(), []

    def work():
        with eager_mode():
            for i in range(15):
                f = _concrete(lambda x, i=i: x + float(i))
                found.append(float(_call(f, 1.0)) == 1 + i)
                del f
                gc.collect()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 60
    assert _names() == before


_FUNCTIONS = {
    "numpy_function": lambda note, x: tf.numpy_function(note, [x], tf.float32),
    "py_function": lambda note, x: tf.py_function(note, [x], tf.float32),
    "py_function that computes": lambda note, x: tf.py_function(lambda y: note(y * 1.0), [x], tf.float32),
}
_LOOPS = {
    "While": lambda body: tf.raw_ops.While(
        input=[3.0], cond=_concrete(lambda x: x >= 0.0), body=_concrete(lambda x: tf.reshape(body(x), []))
    ),
    "while_loop": lambda body: tf.function(
        lambda x: tf.while_loop(lambda y: y >= 0.0, lambda y: tf.reshape(body(y), []), [x])
    )(tf.constant(3.0)),
}


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("function", _FUNCTIONS)
@pytest.mark.parametrize("loop", _LOOPS)
def test_close_ends_a_loop(loop, function, is_async):
    """A loop is cancelled like what waits, also if a function that it calls can no longer use the session."""
    began, errors = threading.Event(), []

    def note(x):
        began.set()
        return x

    session = tf.EagerSession(async_=is_async)

    def work():
        with eager_mode(), session:
            try:
                [result] = _LOOPS[loop](lambda x: _FUNCTIONS[function](note, x))
                result.numpy()
            except (tf.errors.OpError, tf.eager.SessionClosedError) as e:
                errors.append(type(e))

    thread = threading.Thread(target=work)
    thread.start()
    began.wait()
    session.close(cancel_pending=True)
    thread.join()
    # The result of a queued loop is gone if the session is closed before the thread waits for it.
    assert errors == [tf.errors.CancelledError] or (is_async and errors == [tf.eager.SessionClosedError])
