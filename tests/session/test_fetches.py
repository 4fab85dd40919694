"""What `Session.run` returns for what it is asked for."""

import collections
import dataclasses

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture
def sess():
    with tf.Session() as made:
        yield made


def test_leaves(sess):
    a = tf.constant([1.0, 2.0], name="a")
    op = tf.group(a)
    assert sess.run(op) is None
    np.testing.assert_array_equal(sess.run(a), [1, 2])
    np.testing.assert_array_equal(sess.run("a:0"), [1, 2])
    assert sess.run("a") is None


def test_sparse_leaves(sess):
    sparse = tf.SparseTensor(np.array([[0, 1]], np.int64), np.array([2.5], np.float32), np.array([2, 3], np.int64))
    value = sess.run(sparse)
    assert type(value).__name__ == "SparseTensorValue"
    np.testing.assert_array_equal(value.indices, [[0, 1]])
    np.testing.assert_array_equal(value.dense_shape, [2, 3])
    slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([3]))
    value = sess.run(slices)
    assert type(value).__name__ == "IndexedSlicesValue"
    np.testing.assert_array_equal(value.indices, [3])
    assert value.dense_shape is None


def test_structures_come_back_as_they_were(sess):
    a, b = tf.constant(1), tf.constant(2)
    Point = collections.namedtuple("Point", "x y")
    assert sess.run([a, [b, (a, b)]]) == [1, [2, (1, 2)]]
    assert sess.run((a, b)) == (1, 2)
    assert sess.run(Point(a, b)) == Point(1, 2)
    assert sess.run({"k": a, "l": [b]}) == {"k": 1, "l": [2]}
    ordered = sess.run(collections.OrderedDict([("z", a), ("a", b)]))
    assert type(ordered) is collections.OrderedDict and list(ordered.items()) == [("z", 1), ("a", 2)]

    class MyList(list):
        pass

    assert type(sess.run(MyList([a]))) is list


def test_dataclasses_are_rebuilt(sess):
    @dataclasses.dataclass
    class Pair:
        first: object
        second: object

    assert sess.run(Pair(tf.constant(1), tf.constant(2))) == Pair(1, 2)


def test_empty_structures_run_nothing(sess):
    tf.placeholder(tf.float32)
    assert sess.run([]) == []
    assert sess.run({}) == {}
    assert sess.run(()) == ()
    assert sess.run([[], {"a": ()}]) == [[], {"a": ()}]


def test_the_same_tensor_twice_is_one_array(sess):
    a = tf.constant([1.0, 2.0])
    first, second = sess.run([a, a])
    assert first is second


def test_a_fed_tensor_is_answered_with_the_fed_value(sess):
    x = tf.placeholder(tf.float32, [2])
    got = sess.run(x, {x: [1, 2]})
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, [1, 2])
    got, double = sess.run([x, x * 2], {x: [1, 2]})
    np.testing.assert_array_equal(double, 2 * got)


@pytest.mark.parametrize(
    ("fetch", "error", "text"),
    [
        (None, TypeError, "Fetch argument None has invalid type <class 'NoneType'>"),
        ([None], TypeError, "Fetch argument None has invalid type <class 'NoneType'>"),
        (
            3,
            TypeError,
            "Fetch argument 3 has invalid type <class 'int'>, must be a string or Tensor. (Can not convert a int into a "
            "Tensor or Operation.)",
        ),
        (
            "b:0",
            ValueError,
            "Fetch argument 'b:0' cannot be interpreted as a Tensor. (\"The name 'b:0' refers to a Tensor which does not "
            "exist. The operation, 'b', does not exist in the graph.\")",
        ),
        (
            "a:5",
            ValueError,
            "The name 'a:5' refers to a Tensor which does not exist. The operation, 'a', exists but only has 1 outputs.",
        ),
        ("b", ValueError, "The name 'b' refers to an Operation not in the graph."),
        ("a:x", ValueError, 'Tensor names must be of the form "<op_name>:<output_index>".'),
        ("^a", ValueError, "The name '^a' refers to an Operation not in the graph."),
    ],
)
def test_bad_fetches(sess, fetch, error, text):
    tf.constant(1.0, name="a")
    with pytest.raises(error) as caught:
        sess.run(fetch)
    assert text in str(caught.value)


def test_elements_of_another_graph(sess):
    tf.constant(1)
    with tf.Graph().as_default():
        other = tf.constant(1)
    with pytest.raises(ValueError, match="is not an element of this graph") as caught:
        sess.run(other)
    assert "cannot be interpreted as a Tensor" in str(caught.value)
    with pytest.raises(ValueError, match="is not an element of this graph"):
        sess.run(other.op)


def test_unfetchable_operations(sess):
    op = tf.no_op(name="inside")
    sess.graph.prevent_fetching(op)
    with pytest.raises(ValueError, match="Operation 'inside' has been marked as not fetchable"):
        sess.run(op)


# -- Values ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "uint16", "int32", "int64", "bool", "complex64", "complex128"]
)
def test_scalars_are_numpy_scalars(sess, dtype):
    value = sess.run(tf.cast(tf.constant(1), tf.as_dtype(dtype)))
    assert isinstance(value, np.generic) and value.dtype == dtype and value.shape == ()


def test_bfloat16(sess):
    value = sess.run(tf.constant([1.5, -2.0], dtype=tf.bfloat16))
    assert value.dtype.name == "bfloat16"
    np.testing.assert_array_equal(value.astype(np.float32), [1.5, -2.0])


def test_strings_are_bytes(sess):
    assert sess.run(tf.constant("héllo")) == "héllo".encode()
    value = sess.run(tf.constant([["a", b"b\x00c"]]))
    assert value.dtype == object and value.shape == (1, 2) and value[0, 1] == b"b\x00c"


def test_empty_arrays_keep_their_shape(sess):
    assert sess.run(tf.zeros([3, 0, 2])).shape == (3, 0, 2)
    assert sess.run(tf.constant([], dtype=tf.string)).shape == (0,)


def test_results_can_be_written_without_changing_the_graph(sess):
    a = tf.constant([1.0, 2.0])
    got = sess.run(a)
    got[:] = 9
    np.testing.assert_array_equal(sess.run(a), [1, 2])
    x = tf.placeholder(tf.float32, [2])
    fed = np.array([1, 2], np.float32)
    got = sess.run(tf.identity(x), {x: fed})
    got[:] = 7
    np.testing.assert_array_equal(fed, [1, 2])


def test_results_outlive_the_session():
    with tf.Session() as sess:
        value = sess.run(tf.fill([1000], 3.0))
    np.testing.assert_array_equal(value, np.full(1000, 3))


def test_outputs_beyond_the_65536th_are_told_apart(sess):
    x = tf.placeholder(tf.float32, [66000])
    tf.no_op()
    rows = tf.unstack(x)  # its id is odd: its last bit is not to be taken for a bit of an index
    last = tf.negative(rows[65536])
    assert last.op.inputs[0] is rows[65536]
    values = sess.run([rows[0], rows[65536], last, rows[65999]], {x: np.arange(66000)})
    assert values == [0, 65536, -65536, 65999]
