"""The structure and values that `Session.run` returns for its fetches."""

import collections
import collections.abc
import dataclasses
import typing

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.session.fetch import REGISTERED_EXPANSIONS, register_session_run_conversion_functions


def test_leaves(sess):
    a = tf.constant([1.0, 2.0], name="a")
    op = tf.group(a)
    assert sess.run(op) is None
    np.testing.assert_array_equal(sess.run(a), [1, 2])
    np.testing.assert_array_equal(sess.run("a:0"), [1, 2])
    assert sess.run("a") is None
    np.testing.assert_array_equal(sess.run(b"a:0"), [1, 2])
    assert sess.run(b"a") is None and sess.run(a.op) is None


def test_variable_leaves(sess):
    ref = tf.get_variable("ref", initializer=[1.0, 2.0], use_resource=False)
    resource = tf.get_variable("resource", initializer=[3.0, 4.0], use_resource=True)
    sess.run(tf.global_variables_initializer())
    values = sess.run([ref, ref, resource, resource])
    np.testing.assert_array_equal(values, [[1, 2], [1, 2], [3, 4], [3, 4]])
    assert values[0] is values[1] and values[2] is values[3]  # v:0, and the value read
    np.testing.assert_array_equal(sess.run("ref:0"), [1, 2])
    opaque = sess.run(resource.handle)
    assert opaque.dtype.fields["resource"][0].base == np.uint8


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


class _Steps(collections.abc.Mapping):
    """A mapping that is not a dict; created empty and filled by assignment."""

    def __init__(self):
        self.items_in_order = []

    def __setitem__(self, key, value):
        self.items_in_order.append((key, value))

    def __getitem__(self, key):
        return dict(self.items_in_order)[key]

    def __iter__(self):
        return iter([key for key, _ in self.items_in_order])

    def __len__(self):
        return len(self.items_in_order)


def test_other_mappings_are_made_empty_and_filled(sess):
    steps = _Steps()
    steps["b"], steps["a"] = tf.constant(1), [tf.constant(2), tf.no_op()]
    got = sess.run(steps)
    assert type(got) is _Steps and got.items_in_order == [("b", 1), ("a", [2, None])]
    assert sess.run(_Steps()).items_in_order == []

    class Sized(_Steps):
        def __init__(self, size):
            super().__init__()

    with pytest.raises(TypeError, match="size"):
        sess.run(Sized(3))


def test_attrs_classes_are_rebuilt(sess):
    Attribute = collections.namedtuple("Attribute", "name")

    class Pair:  # mimics a class decorated by attrs
        __attrs_attrs__ = (Attribute("first"), Attribute("second"))

        def __init__(self, first, second):
            self.first, self.second = first, second

    got = sess.run({"pair": Pair(tf.constant(1), (tf.constant(2), tf.no_op()))})["pair"]
    assert type(got) is Pair and (got.first, got.second) == (1, (2, None))


def test_tuple_subclasses_are_called_with_the_results(sess):
    class Pair(tuple):
        def __new__(cls, first, second):
            return super().__new__(cls, (first, second))

    got = sess.run(Pair(tf.constant(1), tf.constant(2)))
    assert type(got) is Pair and got == (1, 2)


def test_structures_that_are_equal_are_still_told_apart(sess):
    a, b = tf.constant(1), tf.constant(2)
    Point, Pair = collections.namedtuple("Point", "x y"), collections.namedtuple("Pair", "x y")
    for structure in ([(a, b)], [Point(a, b)], ((a, b),), (Pair(a, b),), [[a, b]], {"p": (a, b)}, {"p": Point(a, b)}):
        for _ in range(2):  # the second call is cached
            outer = sess.run(structure)
            inner = outer["p"] if isinstance(outer, dict) else outer[0]
            asked = structure["p"] if isinstance(structure, dict) else structure[0]
            assert type(outer) is type(structure) and type(inner) is type(asked) and tuple(inner) == (1, 2)
    assert list(sess.run({"x": a, "y": b})) == ["x", "y"]
    assert list(sess.run({"y": b, "x": a})) == ["y", "x"]


def test_operations_in_structures_are_none(sess):
    v = tf.get_variable("v", initializer=0)
    sess.run(tf.global_variables_initializer())
    assert sess.run({"step": tf.assign_add(v, 1).op, "more": [tf.no_op()]}) == {"step": None, "more": [None]}
    assert sess.run(v) == 1
    assert sess.run([tf.no_op(), tf.no_op()]) == [None, None]


def test_dataclasses_are_rebuilt(sess):
    @dataclasses.dataclass
    class Pair:
        first: object
        second: object

    for _ in range(2):
        assert sess.run(Pair(tf.constant(1), [tf.constant(2)])) == Pair(1, [2])
        assert sess.run({"pair": Pair(tf.no_op(), tf.constant(2))}) == {"pair": Pair(None, 2)}


def test_a_registered_dataclass_is_what_it_is_registered_for(sess, registry):
    @dataclasses.dataclass(frozen=True)
    class Pair:
        kind: typing.ClassVar[str] = "pair"
        first: object
        second: object

    assert sess.run(Pair(tf.constant(1), tf.constant(2))) == Pair(1, 2)
    register_session_run_conversion_functions(Pair, lambda pair: ([pair.first, pair.second], sum))
    assert sess.run([Pair(tf.constant(1), tf.constant(2))]) == [3]


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


def test_repetitions_anywhere_are_one_array(sess):
    a = tf.constant([1.0, 2.0], name="a")
    slices = tf.IndexedSlices(a, tf.constant([0, 1]))
    got = sess.run({"x": a, "y": ("a:0", [slices]), "z": slices.values})
    assert got["x"] is got["y"][0] is got["y"][1][0].values is got["z"]


# -- Registered types --------------------------------------------------------------------------------------------------


@pytest.fixture
def registry():
    """Removes conversions that a test registers."""
    before = list(REGISTERED_EXPANSIONS)
    yield
    REGISTERED_EXPANSIONS[:] = before


class _Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


def test_registered_types(sess, registry):
    register_session_run_conversion_functions(
        _Point,
        lambda point: ([point.x, point.y], lambda values: ("point", *values)),
        lambda point, value: [(point.x, value[0]), (point.y, value[1])],
    )
    point = _Point(tf.placeholder(tf.float32), tf.placeholder(tf.float32))
    double = _Point(point.x * 2, point.y * 2)
    for _ in range(2):
        assert sess.run({"p": double}, {point: (1, 2)}) == {"p": ("point", 2, 4)}
        assert sess.run([point, double.x], {point: (1, 2)}) == [("point", 1, 2), 2]
    assert sess.run(_Point(tf.no_op(), tf.constant(3))) == ("point", None, 3)


def test_a_registered_type_that_stands_for_one_tensor(sess, registry):
    register_session_run_conversion_functions(
        _Point, lambda point: ([point.x], lambda values: -values[0]), lambda point, value: [(point.x, value + 1)]
    )
    point = _Point(tf.placeholder(tf.float32), None)
    y = point.x * 2
    for _ in range(2):
        assert sess.run(y, {point: 1.0}) == 4
    assert sess.run(_Point(y, None), {point.x: 1.0}) == -2


def test_types_that_are_registered_already(registry):
    class Base:
        pass

    class Derived(Base):
        pass

    register_session_run_conversion_functions(Derived, lambda fetch: ([], lambda values: None))
    for known in (Derived, Base, object, tf.SparseTensor):
        with pytest.raises(ValueError) as caught:
            register_session_run_conversion_functions(known, lambda fetch: ([], lambda values: None))
        assert str(caught.value) == f"{known} has already been registered so ignore it."


# -- Fetches that are fed ----------------------------------------------------------------------------------------------


def test_a_fed_tensor_is_answered_with_the_fed_value(sess):
    x = tf.placeholder(tf.float32, [2])
    got = sess.run(x, {x: [1, 2]})
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, [1, 2])
    got, double = sess.run([x, x * 2], {x: [1, 2]})
    np.testing.assert_array_equal(double, 2 * got)


def test_what_is_fed_is_not_asked_for(sess):
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.control_dependencies([tf.Assert(False, ["never"])]):
        y = tf.identity(x, name="y")
    np.testing.assert_array_equal(sess.run(y, {y: [1, 2]}), [1, 2])
    np.testing.assert_array_equal(sess.run(["y:0", {"y": y}], {"y:0": [1, 2]})[1]["y"], [1, 2])
    with pytest.raises(ValueError, match="Cannot feed value of shape"):  # checked even though no step runs
        sess.run(x, {x: [1, 2, 3]})
    sparse = tf.SparseTensor(tf.constant([[0]], tf.int64), tf.constant([1.0]), tf.constant([3], tf.int64))
    got = sess.run(sparse, {sparse.values: [7.0]})
    assert got.values == [7] and got.indices == [[0]]


# -- Bad fetches -------------------------------------------------------------------------------------------------------


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
        ({"k": (None,)}, TypeError, "Fetch argument None has invalid type <class 'NoneType'>"),
        (
            [2.5],
            TypeError,
            "Fetch argument 2.5 has invalid type <class 'float'>, must be a string or Tensor. (Can not convert a float into "
            "a Tensor or Operation.)",
        ),
        (
            "a:x",
            ValueError,
            "Fetch argument 'a:x' cannot be interpreted as a Tensor. (The name 'a:x' looks a like a Tensor name, but is not "
            'a valid one. Tensor names must be of the form "<op_name>:<output_index>".)',
        ),
        (
            "zz",
            ValueError,
            "Fetch argument 'zz' cannot be interpreted as a Tensor. (\"The name 'zz' refers to an Operation not in the "
            'graph.")',
        ),
        (
            "a:5",
            ValueError,
            "Fetch argument 'a:5' cannot be interpreted as a Tensor. (\"The name 'a:5' refers to a Tensor which does not "
            "exist. The operation, 'a', exists but only has 1 outputs.\")",
        ),
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
    text = (
        'cannot be interpreted as a Tensor. (Tensor Tensor("Const:0", shape=(), dtype=int32) is not an element of this'
    )
    assert text in str(caught.value)
    with pytest.raises(ValueError, match="is not an element of this graph"):
        sess.run(other.op)


def test_unfetchable_operations(sess):
    a = tf.constant(1, name="inside")
    sess.graph.prevent_fetching(a.op)
    for fetch in (a, a.op, "inside", [{"a": a}]):
        with pytest.raises(tf.errors.InaccessibleTensorError) as caught:
            sess.run(fetch)
        assert str(caught.value) == (
            "Operation 'inside' has been marked as not fetchable. Typically this happens when it is defined in another "
            "function or code block. Use return values,explicit Python locals or TensorFlow collections to access it."
        )
    assert sess.run(a, {a: 5}) == 5  # if it is fed, it is not computed


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


@pytest.mark.parametrize("size", [3, 1000])  # small ones are copied
def test_results_are_arrays_of_ones_own(sess, size):
    a = tf.constant(np.arange(size))
    v = tf.get_variable("v", initializer=np.zeros(size), use_resource=True)
    sess.run(tf.global_variables_initializer())
    for fetch in (a, a + 1, v, tf.identity(v)):
        first = sess.run(fetch)
        expected = first.copy()
        assert first.flags.writeable and first.flags.c_contiguous
        first[:] = -1
        np.testing.assert_array_equal(sess.run(fetch), expected)


def test_results_outlive_the_session():
    with tf.Session() as sess:
        value = sess.run(tf.fill([1000], 3.0))
    np.testing.assert_array_equal(value, np.full(1000, 3))


def test_outputs_beyond_the_65536th_are_told_apart(sess):
    x = tf.placeholder(tf.float32, [66000])
    tf.no_op()
    rows = tf.unstack(x)  # its odd id must not be confused with bits of an output index
    last = tf.negative(rows[65536])
    assert last.op.inputs[0] is rows[65536]
    values = sess.run([rows[0], rows[65536], last, rows[65999]], {x: np.arange(66000)})
    assert values == [0, 65536, -65536, 65999]


@pytest.mark.parametrize("rank", [2, 3])
def test_shapes_that_numpy_cannot_hold(rank):
    """NumPy limits the number of bytes, even for arrays without elements."""
    shape = [0, 2**62, *[1] * (rank - 2)]
    empty = tf.reshape(tf.placeholder_with_default(np.zeros(0), [None]), tf.constant(shape, tf.int64))
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InternalError, match="Could not allocate ndarray of shape"):
            sess.run(empty)
        assert sess.run(tf.shape(empty, out_type=tf.int64)).tolist() == shape
    with tf.EagerSession():
        value = tf.reshape(tf.zeros([0]), tf.constant(shape, tf.int64))
        with pytest.raises(tf.errors.InternalError, match="Could not allocate ndarray of shape"):
            value.numpy()
