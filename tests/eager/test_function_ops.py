"""Eager operations that call functions: calls, conditionals, switches and loops as single operations."""

import threading

import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode
from tinytf.python.framework.function import Defun

# The eager library keeps the functions, and the session of the process their plans.
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
            except tf.errors.OpError as e:
                errors.append(type(e))

    thread = threading.Thread(target=work)
    thread.start()
    began.wait()
    session.close(cancel_pending=True)
    thread.join()
    assert errors == [tf.errors.CancelledError]
