"""Valid feeds, and error messages for others."""

import collections
import resource
import types

import numpy as np
import pytest
from process_memory import resident_bytes

import tinytf as tf
from tinytf._src.framework.composites.indexed_slices import IndexedSlicesValue
from tinytf._src.framework.values import tensor_util


def test_keys(sess):
    x = tf.placeholder(tf.float32, name="x")
    y = x + 1
    assert sess.run(y, {x: 1}) == 2
    assert sess.run(y, {"x:0": 2}) == 3
    a, b = tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    assert sess.run(a - b, {(a, b): (5, 3)}) == 2
    assert sess.run(a - b + a, {((a,), b): ([5], 3)}) == 7


def test_of_two_keys_for_one_tensor_the_last_counts(sess):
    x = tf.placeholder(tf.float32, name="x")
    y = x + 1
    for _ in range(2):
        assert sess.run(y, {x: 1, "x:0": 2}) == 3
        assert sess.run([y, x], {"x:0": 2, x: 1}) == [2, 1]
    assert sess.make_callable(y, [x, "x:0"])(1, 7) == 8


def test_structured_keys(sess):
    State = collections.namedtuple("State", "c h")
    state = State(tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2]))
    double = State(state.c * 2, state.h * 3)
    for value in (State([1, 2], [3, 4]), (np.ones(2), np.ones(2)), [[1, 2], np.ones(2, np.float32)]):
        got = sess.run(double, {state: value})
        np.testing.assert_array_equal(got.c, np.multiply(value[0], 2))
        np.testing.assert_array_equal(got.h, np.multiply(value[1], 3))
    x = tf.placeholder(tf.float32)
    assert sess.run(double.c[0] + x, {((state,), x): (((np.ones(2), np.ones(2)),), 5)}) == 7


def test_kinds_of_mappings(sess):
    x = tf.placeholder(tf.float32)
    y = x + 1
    assert sess.run(y, types.MappingProxyType({x: 1})) == 2
    assert sess.run(y, collections.OrderedDict([(x, 1)])) == 2
    for nothing in ({}, None, [], ()):
        assert sess.run(tf.constant(5), nothing) == 5


def test_variables_as_keys(sess):
    ref = tf.get_variable("ref", initializer=1.0, use_resource=False)
    resource = tf.get_variable("resource", initializer=1.0, use_resource=True)
    assert sess.run(ref + 1.0, {ref: 5.0}) == 6  # a fed variable need not be initialized
    assert sess.run(resource, {resource: 5.0}) == 5
    read = resource.value()
    assert sess.run(read + 1.0, {read: 5.0}) == 6


def test_any_tensor_may_be_fed(sess):
    a = tf.constant(1.0)
    b = a * 2
    assert sess.run(b + 1, {b: 10}) == 11
    assert sess.run(b + 1, {a: 10}) == 21
    with tf.control_dependencies([tf.Assert(False, ["never"])]):
        c = tf.identity(a)
    assert sess.run(c + 1, {c: 1}) == 2  # dependencies of a fed tensor do not run


def test_defaults_may_be_fed(sess):
    x = tf.placeholder_with_default(1.0, [])
    assert [sess.run(x + 1.0), sess.run(x + 1.0, {x: 4})] == [2, 5]


def test_one_output_of_several(sess):
    x, y = tf.split(tf.constant([1, 2, 3, 4]), 2)
    np.testing.assert_array_equal(sess.run([x + 0, y + 0], {x: [8, 9]})[1], [3, 4])


def test_values_are_converted(sess):
    i = tf.placeholder(tf.int32)
    assert sess.run(i + 0, {i: [1.9]})[0] == 1
    s = tf.placeholder(tf.string)
    assert sess.run(tf.identity(s), {s: "é"}) == "é".encode()
    np.testing.assert_array_equal(sess.run(tf.identity(s), {s: ["a", b"b"]}), np.array([b"a", b"b"], object))
    np.testing.assert_array_equal(sess.run(tf.identity(s), {s: np.array(["a", "b"])}), np.array([b"a", b"b"], object))
    f = tf.placeholder(tf.float32, [2, 3])
    fortran = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(sess.run(f * 1, {f: fortran}), fortran)
    np.testing.assert_array_equal(
        sess.run(f * 1, {f: np.arange(12, dtype=np.float32).reshape(2, 6)[:, ::2]})[1], [6, 8, 10]
    )


def test_sparse_keys(sess):
    sparse = tf.sparse_placeholder(tf.float32)
    value = (np.array([[0, 1]]), np.array([2.0]), np.array([1, 3]))
    got = sess.run(sparse.values * 2, {sparse: value})
    np.testing.assert_array_equal(got, [4])
    got = sess.run(sparse.values * 2, {sparse: tf.SparseTensorValue(*value)})
    np.testing.assert_array_equal(got, [4])


def test_indexed_slices_as_keys(sess):
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([2]), tf.constant([9]))
    fetched = [slices.values + 0.0, slices.indices + 0, slices.dense_shape + 0]
    assert sess.run(fetched, {slices: ([5.0], [6], [7])}) == [[5], [6], [7]]
    assert sess.run(fetched, {slices: ([5.0], [6])}) == [[5], [6], [9]]  # a shorter value feeds the first components
    assert sess.run(fetched, {slices: IndexedSlicesValue([5.0], [6], [7])}) == [[5], [6], [7]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("é", "é".encode()),
        (b"a\x00b", b"a\x00b"),
        (np.str_("é"), "é".encode()),
        (["a", b"\xff"], [b"a", b"\xff"]),
        ([["a"], ["bc"]], [[b"a"], [b"bc"]]),
        (np.array(["é", "bcd"]), ["é".encode(), b"bcd"]),
        (np.array([b"a", b"bcd"]), [b"a", b"bcd"]),
        (np.array(["é", b"b"], object), ["é".encode(), b"b"]),
        (np.array([], object), []),
    ],
)
def test_strings(sess, value, expected):
    s = tf.placeholder(tf.string)
    got = sess.run(tf.identity(s), {s: value})
    if isinstance(expected, bytes):
        assert got == expected
    else:
        np.testing.assert_array_equal(got, np.array(expected, object))


def _says(sess, feed, error, text, fetch=None):
    with pytest.raises(error) as caught:
        sess.run(tf.no_op() if fetch is None else fetch, feed)
    assert text in str(caught.value)


def test_not_a_mapping(sess):
    _says(sess, [1], TypeError, "input must be a dictionary")
    _says(sess, 3, TypeError, "input must be a dictionary")
    x = tf.placeholder(tf.float32)
    y = x + 1
    sess.run(y, {x: 1})
    _says(sess, [x], TypeError, "input must be a dictionary", y)  # although {x: …} is a cached call
    with tf.Session(graph=tf.Graph()) as empty:
        _says(empty, [x], RuntimeError, "The Session graph is empty.", [])


def test_unequal_structures(sess):
    a, b = tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    _says(
        sess,
        {(a, b): (1, 2, 3)},
        ValueError,
        "Could not flatten dictionary. Key had 2 elements, but value had 3 elements. Key: ",
    )
    _says(sess, {(a, a): (1, 2)}, ValueError, f"Could not flatten dictionary: key {a} is not unique.")
    _says(sess, {(a, b): (1, 2), a: 3}, ValueError, f"Could not flatten dictionary: key {a} is not unique.")
    _says(
        sess,
        {(a, b): 1},
        ValueError,
        f"Could not flatten dictionary. Key had 2 elements, but value had 1 elements. Key: {[a, b]}, value: [1].",
    )


def test_keys_that_are_no_tensors(sess):
    tf.constant(1, name="a")
    _says(
        sess,
        {"a": 1},
        TypeError,
        "Cannot interpret feed_dict key as Tensor: The name 'a' refers to an Operation, not a Tensor. Tensor names must "
        'be of the form "<op_name>:<output_index>".',
    )
    _says(
        sess,
        {"zz": 1},
        TypeError,
        "Cannot interpret feed_dict key as Tensor: The name 'zz' looks like an (invalid) Operation name, not a Tensor. "
        'Tensor names must be of the form "<op_name>:<output_index>".',
    )
    _says(
        sess,
        {"zz:0": 1},
        TypeError,
        "Cannot interpret feed_dict key as Tensor: The name 'zz:0' refers to a Tensor which does not exist. The operation, "
        "'zz', does not exist in the graph.",
    )
    _says(
        sess,
        {tf.no_op(): 1},
        TypeError,
        "Cannot interpret feed_dict key as Tensor: Can not convert a Operation into a Tensor.",
    )
    _says(sess, {3: 1}, TypeError, "Cannot interpret feed_dict key as Tensor: Can not convert a int into a Tensor.")
    with tf.Graph().as_default():
        other = tf.placeholder(tf.float32)
    _says(sess, {other: 1}, TypeError, "is not an element of this graph.")


def test_a_tensor_is_no_value(sess):
    x = tf.placeholder(tf.float32, name="x")
    _says(
        sess,
        {x: tf.constant(1.0)},
        TypeError,
        "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, strings, lists, "
        "numpy ndarrays, or TensorHandles. For reference, the tensor object was ",
    )


def test_the_first_failing_check_speaks(sess):
    x = tf.placeholder(tf.int32, [2], name="x")
    sess.graph.prevent_feeding(x)
    c = tf.constant(1.5)
    for fetch in (None, x):  # also if no step is needed
        _says(sess, {x: c}, TypeError, f"the tensor object was {c} which was passed to the feed with key {x}.", fetch)
        _says(sess, {x: 2**40}, TypeError, "Type of feed value 1099511627776 with type <class 'int'>", fetch)
        _says(sess, {x: "a"}, ValueError, "invalid literal for int()", fetch)
        _says(sess, {x: 3}, ValueError, "Cannot feed value of shape () for Tensor 'x:0', which has shape '(2,)'", fetch)
        _says(sess, {x: [3, 4]}, ValueError, f"Tensor {x} may not be fed.", fetch)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("int32", 2**40),
        ("uint8", -1),
        ("int8", 300),
        ("uint64", -1),
        ("float16", 10**400),
        ("bool", 2),
        ("string", 3),
    ],
)
def test_integers_that_do_not_fit(sess, dtype, value):
    x = tf.placeholder(tf.as_dtype(dtype))
    _says(
        sess,
        {x: value},
        TypeError,
        f"Type of feed value {value} with type <class 'int'> is not compatible with Tensor type {x.dtype.as_numpy_dtype}. "
        "Try explicitly setting the type of the feed tensor to a larger type (e.g. int64).",
    )
    _says(sess, {x: value}, TypeError, "is not compatible with Tensor type", x)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [("int64", 2**63), ("int64", -(2**63) - 1), ("int32", 2**63), ("uint8", 2**70), ("uint64", 2**64)],
)
def test_integers_of_more_than_64_bits(sess, dtype, value):
    x = tf.placeholder(tf.as_dtype(dtype))
    for fed in (value, [value], [value, 1]):
        with pytest.raises(OverflowError):
            sess.run(tf.identity(x), {x: fed})
        with pytest.raises(OverflowError):
            tf.constant(fed, x.dtype)


def test_numbers_that_are_cast_silently(sess):
    i, b = tf.placeholder(tf.int32), tf.placeholder(tf.bool)
    assert sess.run(i + 0, {i: -1.9}) == -1
    assert sess.run(i + 0, {i: np.int64(2**32 + 7)}) == 7
    assert sess.run(i + 0, {i: True}) == 1
    np.testing.assert_array_equal(sess.run(i + 0, {i: np.array([2.9, -2.9])}), [2, -2])
    assert sess.run(tf.identity(b), {b: 1}) and sess.run(tf.identity(b), {b: 2.5})
    assert not sess.run(tf.identity(b), {b: 0})
    f = tf.placeholder(tf.float32)
    assert sess.run(f + 0, {f: 3}) == 3 and sess.run(f + 0, {f: True}) == 1


@pytest.mark.parametrize(
    ("value", "name"), [(object(), "object"), (None, "NoneType"), ([1.5], "float"), (["a", 3], "int")]
)
def test_objects_that_are_no_strings(sess, value, name):
    s = tf.placeholder(tf.string, name="s")
    with pytest.raises(tf.errors.InternalError) as caught:
        sess.run(tf.identity(s), {s: value})
    assert caught.value.message == f"Unsupported object type {name}"


def test_shapes(sess):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    _says(
        sess,
        {x: np.zeros([3])},
        ValueError,
        "Cannot feed value of shape (3,) for Tensor 'x:0', which has shape '(?, 3)'",
    )
    _says(sess, {x: np.zeros([2, 4])}, ValueError, "Cannot feed value of shape (2, 4) for Tensor 'x:0'")


def test_shape_errors_come_also_from_a_call_that_worked_before(sess):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = x * 2
    sess.run(y, {x: np.zeros([1, 3], np.float32)})
    _says(sess, {x: np.zeros([2, 4], np.float32)}, ValueError, "Cannot feed value of shape (2, 4) for Tensor 'x:0'", y)


def test_ragged_and_not_numeric(sess):
    x = tf.placeholder(tf.float32)
    for value in ([[1, 2], [3]], "abc"):
        with pytest.raises((ValueError, TypeError)):
            sess.run(x * 1, {x: value})


def test_unfeedable(sess):
    x = tf.placeholder(tf.float32, name="x")
    sess.graph.prevent_feeding(x)
    _says(sess, {x: 1}, ValueError, 'Tensor Tensor("x:0", dtype=float32) may not be fed.')
    _says(sess, {x: 1}, ValueError, 'Tensor Tensor("x:0", dtype=float32) may not be fed.', x)


def test_what_the_graph_was_built_on_may_not_be_fed(sess):
    rank = tf.constant(1)
    assert sess.run(rank + 0, {rank: 5}) == 5
    known = tf.constant([1, 2])
    assert tensor_util.constant_value(known).tolist() == [1, 2]
    _says(sess, {known: [3, 4]}, ValueError, "may not be fed.", known + 0)


def test_a_placeholder_that_is_not_fed(sess):
    x = tf.placeholder(tf.float32, [2, None], name="x")
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(x * 1)
    text = "You must feed a value for placeholder tensor 'x' with dtype float and shape [2,?]"
    assert text in caught.value.message
    assert caught.value.op is x.op
    y = tf.placeholder(tf.int32, name="y")
    with pytest.raises(tf.errors.InvalidArgumentError, match="placeholder tensor 'y' with dtype int32\n"):
        sess.run(y * 1)


# -- Copies ------------------------------------------------------------------------------------------------------------

_BIG = 16 * 2**20  # number of floats; 64 MB


@pytest.mark.parametrize("writeable", [True, False])
@pytest.mark.parametrize("offset", [0, 1])
def test_a_large_feed_is_not_copied(sess, writeable, offset):
    base = np.ones(_BIG + 1, np.float32)
    array = base[offset : offset + _BIG]  # with offset 1 the array is aligned only to its elements
    array.flags.writeable = writeable
    x = tf.placeholder(tf.float32, [_BIG])
    total = tf.reduce_sum(tf.reshape(x, [-1, 1024]))
    assert sess.run(total, {x: array}) == _BIG
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = resident_bytes()
    for _ in range(3):
        assert sess.run(total, {x: array}) == _BIG
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak
    assert grown * 1024 < 16 * 2**20, f"the peak grew by {grown} KiB"
    assert resident_bytes() - before < 16 * 2**20


def test_a_fed_array_is_let_go_after_the_step(sess):
    import sys

    x = tf.placeholder(tf.float32, [4])
    array = np.ones(4, np.float32)
    before = sys.getrefcount(array)
    for _ in range(10):
        sess.run(x * 2, {x: array})
    y = x * 2
    for _ in range(10):
        sess.run(y, {x: array})
    assert sys.getrefcount(array) == before


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (tf.float32, 2**24 + 1),
        (tf.float32, -(2**24) - 1),
        (tf.float32, 2**200),
        (tf.float16, 2049),
    ]
    + [(tf.complex64, 2**24 + 1), (tf.float64, 10**400)],
)
def test_whole_numbers_that_the_type_does_not_have_are_refused(dtype, value):
    p = tf.placeholder(dtype)
    with tf.Session() as sess:
        with pytest.raises(TypeError, match="is not compatible with Tensor type"):
            sess.run(tf.identity(p), {p: value})
        assert sess.run(tf.identity(p), {p: 2**11}) == 2**11
        assert sess.run(tf.identity(p), {p: [float(2**11)]}) == 2**11


def test_whole_numbers_that_the_type_has():
    p, d = tf.placeholder(tf.float32), tf.placeholder(tf.float64)
    with tf.Session() as sess:
        assert sess.run([p + 0.0, d + 0.0], {p: 2**100, d: 2**60}) == [2.0**100, 2.0**60]
