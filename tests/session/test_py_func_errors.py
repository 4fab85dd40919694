"""Failing `tf.py_func` functions: the step's error, its code, text and cause."""

import traceback

import numpy as np
import pytest

import tinytf as tf


class _Own(Exception):
    pass


def _raiser(error):
    def func(*args):
        raise error

    return func


def _error(func, inputs=(), types=tf.float32):
    y = tf.py_func(func, list(inputs), types, name="call")
    with tf.Session() as sess, pytest.raises(tf.errors.OpError) as caught:
        sess.run(y)
    assert caught.value.op is (y if isinstance(y, tf.Operation) else y[0].op if isinstance(y, list) else y.op)
    return caught.value


@pytest.mark.parametrize(
    ("raised", "kind", "text"),
    [
        (ValueError("bad"), tf.errors.InvalidArgumentError, "ValueError: bad"),
        (TypeError("bad"), tf.errors.InvalidArgumentError, "TypeError: bad"),
        (StopIteration(), tf.errors.OutOfRangeError, "StopIteration: "),
        (MemoryError("much"), tf.errors.ResourceExhaustedError, "MemoryError: much"),
        (NotImplementedError("later"), tf.errors.UnimplementedError, "NotImplementedError: later"),
        (KeyError("k"), tf.errors.UnknownError, "KeyError: 'k'"),
        (RuntimeError("ünï"), tf.errors.UnknownError, "RuntimeError: ünï"),
        (_Own("x", 1), tf.errors.UnknownError, "_Own: ('x', 1)"),
        (IndexError("i"), tf.errors.UnknownError, "IndexError: i"),
        (tf.errors.OutOfRangeError(None, None, "end"), tf.errors.UnknownError, "OutOfRangeError: end"),
        (tf.errors.InvalidArgumentError(None, None, "i"), tf.errors.UnknownError, "InvalidArgumentError: i"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_exceptions(raised, kind, text):
    e = _error(_raiser(raised))
    assert type(e) is kind and e.__cause__ is raised
    head, _, rest = e.message.partition("\nTraceback (most recent call last):\n\n")
    assert head == text
    assert rest.startswith(f'  File "{__file__}", line ') and ", in func\n    raise error\n" in rest
    last = traceback.format_exception_only(raised)[-1]
    assert f"\n{last}\n\n\t [[node call (defined at " in rest


def test_the_cause_is_shown_with_its_lines():
    e = _error(_raiser(ValueError("bad")))
    shown = "".join(traceback.format_exception(e))
    assert shown.index("ValueError: bad") < shown.index("direct cause of the following exception")
    assert e.__cause__.__traceback__.tb_frame.f_code.co_name == "func"  # no frames of the package


def test_an_exception_whose_text_fails():
    class Silent(Exception):
        def __str__(self):
            raise KeyError

    e = _error(_raiser(Silent()))
    assert type(e) is tf.errors.UnknownError and e.message.startswith("Silent: <exception str() failed>\n")


def test_an_exception_whose_text_is_no_text():
    e = _error(_raiser(FileNotFoundError(2, "No such file", "a\udcffb")))
    assert e.message.startswith("FileNotFoundError: [Errno 2] No such file: 'a\\udcffb'\n")
    e = _error(_raiser(RuntimeError("a\udcffb")))
    assert e.message.startswith("RuntimeError: a\\udcffb\n") and e.__cause__.args == ("a\udcffb",)


def test_an_exception_that_has_a_cause():
    def func():
        try:
            raise KeyError("inner")
        except KeyError as e:
            raise ValueError("outer") from e

    e = _error(func)
    assert "KeyError: 'inner'" in e.message and isinstance(e.__cause__.__cause__, KeyError)


def test_wrong_arguments_for_the_function():
    e = _error(lambda x: x)
    assert type(e) is tf.errors.InvalidArgumentError
    assert e.message.startswith("TypeError: ") and "missing 1 required positional argument: 'x'" in e.message


@pytest.mark.parametrize("way", ["callable", "partial_run", "list", "options"])
def test_causes_whatever_the_way_to_run(sess, way):
    raised = ValueError("bad")
    y = tf.py_func(_raiser(raised), [], tf.float32)
    handle = sess.partial_run_setup([y]) if way == "partial_run" else None
    call = {
        "callable": sess.make_callable(y),
        "partial_run": lambda: sess.partial_run(handle, y),
        "list": lambda: sess.run([y, y.op]),
        "options": lambda: sess.run(y, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)),
    }[way]
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        call()
    assert caught.value.__cause__ is raised


@pytest.mark.parametrize(
    ("returned", "types", "text"),
    [
        ((1.0, 2.0), [tf.float64], "{} returns 2 values, but expects to see 1 values."),
        ((1.0,), [tf.float64] * 2, "{} returns 1 values, but expects to see 2 values."),
        (None, tf.float64, "{} returns 0 values, but expects to see 1 values."),
        (3, [], "{} returns 1 values, but expects to see 0 values."),
        (["a", "b"], tf.string, "{} returns 2 values, but expects to see 1 values."),
        (np.ones([2, 3]), [tf.float64] * 2, "{} returns 1 values, but expects to see 2 values."),
        (np.float32(1), tf.int64, "0-th value returned by {} is float, but expects int64"),
        (1.0, tf.float32, "0-th value returned by {} is double, but expects float"),
        (1, tf.int32, "0-th value returned by {} is int64, but expects int32"),
        ((1, 1.0), [tf.int64] * 2, "1-th value returned by {} is double, but expects int64"),
        ("a", tf.float32, "0-th value returned by {} is string, but expects float"),
        (([],), tf.float32, "0-th value returned by {} is double, but expects float"),
    ],
)
def test_values_that_do_not_fit(returned, types, text):
    e = _error(lambda: returned, [], types)
    assert type(e) is tf.errors.InvalidArgumentError and e.__cause__ is None
    assert e.message.startswith(text.format(e.op.get_attr("token").decode()) + "\n\t [[node call ")


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        (np.array([b"a", 3], object), "Unsupported object type int"),
        (object(), "Unsupported object type object"),
        ({"a": 1}, "Unsupported object type dict"),
        ({1}, "Unsupported object type set"),
        ((x for x in "ab"), "Unsupported object type generator"),
        (2**70, "Unsupported object type int"),
        (np.datetime64("2020-01-01"), "Unsupported numpy type: NPY_DATETIME"),
        (np.timedelta64(1, "s"), "Unsupported numpy type: NPY_TIMEDELTA"),
        (np.longdouble(1), "Unsupported numpy type: NPY_LONGDOUBLE"),
        (np.clongdouble(1), "Unsupported numpy type: NPY_CLONGDOUBLE"),
        (np.zeros(2, [("a", "f4")]), "Unsupported numpy data type"),
    ],
)
@pytest.mark.parametrize("dtype", [tf.string, tf.float32], ids=lambda dtype: dtype.name)
def test_values_that_no_tensor_holds(returned, text, dtype):
    e = _error(lambda: returned, [], dtype)
    assert type(e) is tf.errors.InternalError and e.message.startswith(f"{text}\n\t [[node call ")


def test_values_that_no_array_holds():
    class Odd:
        def __array__(self, dtype=None, copy=None):
            raise KeyError("no")

    ragged = [[1, 2], [3]]
    with pytest.raises((ValueError, Warning)) as of_numpy:  # before 1.24 a warning, which is an error in these tests
        np.asarray(ragged)
    assert type(_error(lambda: (ragged,)).__cause__) is of_numpy.type
    assert type(_error(lambda: Odd()).__cause__) is KeyError
    assert type(_error(lambda: "\ud800", types=tf.string).__cause__) is UnicodeEncodeError
    e = _error(lambda: tf.constant(1.0))
    assert type(e) is tf.errors.UnimplementedError and "Cannot convert a symbolic Tensor" in e.message


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_ends_more_than_the_step_comes_out_as_it_is(sess, kind):
    raised = kind(3)
    y = tf.py_func(_raiser(raised), [], tf.float32)
    with pytest.raises(kind) as caught:
        sess.run(y)
    assert caught.value is raised
    with pytest.raises(kind):
        sess.make_callable(y)()
    assert sess.run(tf.constant(1)) == 1


def test_the_rest_of_the_step_does_not_run(sess):
    calls = []
    failing = tf.py_func(_raiser(ValueError()), [], [])
    with tf.control_dependencies([failing]):
        after = tf.py_func(lambda: calls.append(1), [], [])
    with pytest.raises(tf.errors.InvalidArgumentError):
        sess.run(after)
    assert calls == []


_TEXTS = """
import numpy as np

def raiser(error):
    def func(*args):
        raise error
    return func

def outcome(func, types):
    with tf.Graph().as_default(), tf.Session() as sess:
        y = tf.py_func(func, [], types, name="call")
        token = y.op if hasattr(y, "op") else y[0].op
        token = token.get_attr("token").decode()
        try:
            value = sess.run(y)
        except tf.errors.OpError as e:
            text = e.message.partition("Node: 'call'\\n")[2] or e.message
            text = text.partition("\\nTraceback")[0].partition("\\n\\t [[")[0].partition("\\nHint")[0]
            return type(e).__name__, text.replace(token, "TOKEN")
        return repr(value)

result = [outcome(func, types) for func, types in [
    (raiser(ValueError("bad")), tf.float32),
    (raiser(StopIteration("end")), tf.float32),
    (raiser(MemoryError()), tf.float32),
    (raiser(NotImplementedError("n")), tf.float32),
    (raiser(KeyError("k")), tf.float32),
    (raiser(tf.errors.NotFoundError(None, None, "nf")), tf.float32),
    (lambda: (1.0, 2.0), [tf.float64]),
    (lambda: None, tf.float64),
    (lambda: 1.0, tf.float32),
    (lambda: object(), tf.string),
    (lambda: {"a": 1}, tf.float32),
    (lambda: np.datetime64("2020-01-01"), tf.float32),
    (lambda: np.zeros(2, [("a", "f4")]), tf.float32),
    (lambda: ("s", [b"a", b"b"]), [tf.string, tf.string]),
    (lambda: (np.array(["a", "b"]), 1), [tf.string, tf.int64]),
    (lambda: np.arange(6.0).reshape(2, 3).T, tf.float64),
]]
"""


@pytest.mark.oracle
def test_texts_are_tensorflows(oracle):
    names = {"tf": tf}
    exec(_TEXTS, names)
    assert names["result"] == oracle(_TEXTS)
