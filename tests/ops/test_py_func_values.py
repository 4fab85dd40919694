"""Arguments and results of `tf.py_func` functions."""

import numpy as np
import pytest

import tinytf as tf

_TYPES = [
    tf.float16, tf.float32, tf.float64, tf.bfloat16, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16,
    tf.uint32, tf.uint64, tf.bool, tf.complex64, tf.complex128,
]  # fmt: skip


@pytest.fixture
def run():
    """`run(func, inputs, Tout)` returns the value of one step."""
    with tf.Session() as sess:
        yield lambda func, inputs, types, **kwargs: sess.run(tf.py_func(func, inputs, types, **kwargs))


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (4, 5), (50, 60)])
@pytest.mark.parametrize("dtype", _TYPES, ids=lambda dtype: dtype.name)
def test_values_of_every_type_come_and_go(run, dtype, shape):
    given = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype.as_numpy_dtype)
    seen = []

    def func(x):
        seen.append((type(x), x.dtype, x.shape, x.tolist()))
        return x

    result = run(func, [tf.constant(given)], dtype)
    kind = np.ndarray if shape else given.dtype.type
    assert seen == [(kind, given.dtype, shape, given.tolist())]
    assert type(result) is kind and result.dtype == given.dtype and result.tolist() == given.tolist()


@pytest.mark.parametrize(
    ("returned", "dtype", "expected"),
    [
        (b"h\0", tf.string, b"h\0"),
        ("hé", tf.string, "hé".encode()),
        (np.str_("hé"), tf.string, "hé".encode()),
        (np.array(["a", "bé"]), tf.string, [b"a", "bé".encode()]),
        (np.array([b"a", b"bb"]), tf.string, [b"a", b"bb"]),
        (np.array([b"a\0", "b"], object), tf.string, [b"a\0", b"b"]),
        (([b"a\0", b"b"],), tf.string, [b"a\0", b"b"]),
        (([["a", "b"], ["c", "d"]],), tf.string, [[b"a", b"b"], [b"c", b"d"]]),
        (np.empty([0, 2], object), tf.string, np.empty([0, 2]).tolist()),
        (True, tf.bool, True),
        (1, tf.int64, 1),
        (2**63, tf.uint64, 2**63),
        (1.5, tf.float64, 1.5),
        (1j, tf.complex128, 1j),
        (np.float32(1.5), tf.float32, 1.5),
        (([[1, 2], [3, 4]],), tf.int64, [[1, 2], [3, 4]]),
        ([1.5], tf.float64, 1.5),
        (np.ones(2, np.longlong), tf.int64, [1, 1]),
        (np.ones(2, np.ulonglong), tf.uint64, [1, 1]),
        (bytearray(b"ab"), tf.uint8, [97, 98]),
        (range(3), tf.int64, [0, 1, 2]),
        (np.arange(6.0).reshape(2, 3).T, tf.float64, [[0, 3], [1, 4], [2, 5]]),
        (np.arange(6.0)[::-2], tf.float64, [5, 3, 1]),
        (np.arange(3).astype(">f8"), tf.float64, [0, 1, 2]),
        (np.broadcast_to(np.float32(7), [2, 2]), tf.float32, [[7, 7], [7, 7]]),
    ],
    ids=lambda value: getattr(value, "name", None) or type(value).__name__,
)
def test_whatever_numpy_makes_an_array_of(run, returned, dtype, expected):
    result = run(lambda: returned, [], dtype)
    assert getattr(result, "tolist", lambda: result)() == expected


def test_text_arrives_as_bytes(run):
    seen = []

    def func(x, y):
        seen.append((x, y.tolist(), y.dtype))
        return 0

    run(func, [tf.constant("hé"), tf.constant([b"a\0", b""])], tf.int64)
    assert seen == [("hé".encode(), [b"a\0", b""], np.dtype(object))]


def test_several_outputs(run):
    one, two, three = run(lambda x: (x, [x, x], "s"), [tf.constant(1.5)], [tf.float32, tf.float32, tf.string])
    assert (one, two.tolist(), three) == (1.5, [1.5, 1.5], b"s")
    assert run(lambda: [1], [], [tf.int64]) == [1]
    assert run(lambda: np.arange(3), [], [tf.int64])[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("returned", [None, (), []])
def test_no_outputs(returned):
    calls = []

    def func(x):
        calls.append(int(x))
        return returned

    op = tf.py_func(func, [tf.constant(3)], [])
    assert isinstance(op, tf.Operation) and op.type == "PyFunc"
    with tf.Session() as sess:
        assert sess.run(op) is None
        with tf.control_dependencies([op]):
            assert sess.run(tf.constant(5) + 0) == 5
    assert calls == [3, 3]


def test_values_become_tensors(run):
    a, b, c = run(lambda a, b, c: (a, b, c), [1.5, [1, 2], "s"], [tf.float32, tf.int32, tf.string])
    assert (a, b.tolist(), c) == (1.5, [1, 2], b"s")


def test_a_value_of_a_variable(run):
    for use_resource in (False, True):
        v = tf.get_variable(f"v{use_resource}", initializer=np.arange(1000.0), use_resource=use_resource)
        total = tf.py_func(np.sum, [v], tf.float64)
        with tf.Session() as sess:
            sess.run(v.initializer)
            assert sess.run(total) == 499500


class _Callable:
    __slots__ = ()

    def __call__(self, x):
        return x + 1

    def method(self, x):
        return x + 2


@pytest.mark.parametrize(
    ("func", "expected"),
    [(np.sin, np.sin(1.0)), (np.add.reduce, 1), (_Callable(), 2), (_Callable().method, 3), (np.float64, 1), (abs, 1)],
)
def test_whatever_can_be_called(run, func, expected):
    assert run(func, [np.float64(1.0) if func is not np.add.reduce else np.ones(1)], tf.float64) == expected
