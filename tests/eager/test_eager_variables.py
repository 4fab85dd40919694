"""Variables in eager execution: values, properties and updates."""

import copy
import pickle

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import graph_mode
from tinytf._src.variables.ref_variable import RefVariable
from tinytf._src.variables.resource_variable import ResourceVariable

pytestmark = pytest.mark.usefixtures("eager")


def test_has_its_value_from_the_start():
    v = tf.Variable([1.0, 2.0], name="v")
    assert isinstance(v, ResourceVariable)
    assert v.name == "v:0"
    assert v.dtype == tf.float32
    assert v.shape.as_list() == [2]
    assert v.trainable
    assert v.initializer is None
    assert bool(v.is_initialized())
    np.testing.assert_array_equal(v.numpy(), [1.0, 2.0])


def test_shows_its_value():
    v = tf.Variable([1.0, 2.0], name="v")
    assert repr(v) == "<tf.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    assert repr(tf.Variable(3, name="n")) == "<tf.Variable 'n:0' shape=() dtype=int32, numpy=3>"
    assert repr(tf.Variable("ab", name="s")) == "<tf.Variable 's:0' shape=() dtype=string, numpy=b'ab'>"


def test_name_is_that_of_the_scope_and_need_not_be_unique():
    with tf.name_scope("a"):
        v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="v")
    assert (v.name, w.name) == ("a/v:0", "a/v:0")
    assert tf.Variable(1.0).name == "Variable:0"
    v.assign(5.0)
    assert float(w) == 2.0


def test_initial_value_may_come_from_a_function_and_be_converted():
    v = tf.Variable(lambda: [1, 2], dtype=tf.float64)
    assert v.dtype == tf.float64
    np.testing.assert_array_equal(v.numpy(), [1.0, 2.0])


def test_initial_array_is_copied():
    array = np.array([1.0, 2.0])
    v = tf.Variable(array)
    array[0] = 9.0
    np.testing.assert_array_equal(v.numpy(), [1.0, 2.0])


def test_every_way_to_make_one_makes_the_same_kind():
    kinds = {type(tf.Variable(1.0)), type(tf.Variable(1.0, use_resource=False)), type(ResourceVariable(1.0))}
    assert len(kinds) == 1
    with pytest.raises(RuntimeError, match="RefVariable not supported when eager execution is enabled"):
        RefVariable(1.0)


def test_creators_come_in_between():
    def doubled(creator, **arguments):
        return creator(**{**arguments, "initial_value": 2 * arguments["initial_value"]})

    with tf.variable_creator_scope(doubled):
        v = tf.Variable(3.0)
    assert float(v) == 6.0


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({}, ValueError, "initial_value must be specified."),
        (
            {"initial_value": 1.0, "collections": "c"},
            ValueError,
            "collections argument to Variable constructor must be",
        ),
        ({"initial_value": 1.0, "constraint": 3}, ValueError, "The `constraint` argument must be a callable."),
        ({"initial_value": 1.0, "aggregation": 99}, ValueError, "Invalid variable aggregation mode: 99"),
    ],
)
def test_refuses_arguments_that_make_no_variable(arguments, error, text):
    with pytest.raises(error, match=text):
        tf.Variable(**arguments)


def test_what_only_graphs_have_is_refused():
    v = tf.Variable(1.0)
    for attribute in ("op", "graph"):
        with pytest.raises(AttributeError, match=f"Tensor.{attribute} is meaningless when eager execution is enabled"):
            getattr(v, attribute)
    with pytest.raises(RuntimeError, match="initial_value not supported in EAGER mode."):
        _ = v.initial_value
    with pytest.raises(RuntimeError, match="Calling create in EAGER mode not supported."):
        _ = v.create
    with pytest.raises(RuntimeError, match="Trying to eval in EAGER mode"):
        v.eval()
    with pytest.raises(RuntimeError, match="to_proto not supported in EAGER mode."):
        v.to_proto()


def test_cannot_be_read_while_a_graph_is_built():
    v = tf.Variable(1.0, name="v")
    with tf.Graph().as_default():
        with pytest.raises(RuntimeError, match="Attempting to capture an EagerTensor without building a function."):
            _ = v + 1.0
        with pytest.raises(NotImplementedError, match="only available when eager execution is enabled"):
            v.numpy()
        assert repr(v) == "<tf.Variable 'v:0' shape=() dtype=float32>"


def test_variables_of_graphs_are_no_eager_ones():
    with graph_mode():
        v = tf.Variable(1.0, use_resource=True)
    with pytest.raises(TypeError, match='being passed\na "Graph" tensor'):
        _ = v + 1.0


def test_assignments_happen_at_once_and_give_back_the_variable():
    v = tf.Variable([1.0, 2.0])
    assert v.assign([3.0, 4.0]) is v
    assert v.assign_add([1.0, 1.0]) is v
    assert v.assign_sub([0.5, 0.0]) is v
    np.testing.assert_array_equal(v.numpy(), [3.5, 5.0])
    assert v.assign([0.0, 0.0], read_value=False) is None
    assert tf.assign(v, [1.0, 1.0]) is v
    assert tf.assign_add(v, [1.0, 1.0]) is v
    assert tf.assign_sub(v, [3.0, 3.0]) is v
    v.load([7.0, 8.0])
    np.testing.assert_array_equal(v.numpy(), [7.0, 8.0])
    np.testing.assert_array_equal(v.initialized_value().numpy(), [7.0, 8.0])


def test_assigning_what_does_not_fit_changes_nothing():
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(ValueError, match=r"Shapes \(2,\) and \(3,\) are incompatible"):
        v.assign([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="Tensor conversion requested dtype float32"):
        v.assign(tf.constant([1, 2]))
    np.testing.assert_array_equal(v.numpy(), [1.0, 2.0])


def test_what_was_read_does_not_change():
    v = tf.Variable([1.0, 2.0])
    tensor, array = v.read_value(), v.numpy()
    v.assign_add([10.0, 10.0])
    v.scatter_add(tf.IndexedSlices([5.0], [0]))
    np.testing.assert_array_equal(tensor.numpy(), [1.0, 2.0])
    np.testing.assert_array_equal(array, [1.0, 2.0])
    np.testing.assert_array_equal(v.numpy(), [16.0, 12.0])


def test_behaves_like_a_tensor_in_expressions():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal((v + 1).numpy(), [[2, 3], [4, 5]])
    np.testing.assert_array_equal((2 - v).numpy(), [[1, 0], [-1, -2]])
    np.testing.assert_array_equal((-v).numpy(), [[-1, -2], [-3, -4]])
    np.testing.assert_array_equal(tf.matmul(v, [[1.0], [1.0]]).numpy(), [[3], [7]])
    np.testing.assert_array_equal(tf.convert_to_tensor(v).numpy(), v.numpy())
    np.testing.assert_array_equal(np.asarray(v), v.numpy())
    np.testing.assert_array_equal(tf.stack([v, v]).numpy().shape, [2, 2, 2])
    with pytest.raises(ValueError, match="Incompatible type conversion requested to type 'int32' for variable of type"):
        tf.convert_to_tensor(v, dtype=tf.int32)


def test_scalars_are_python_numbers():
    v = tf.Variable(3)
    assert (int(v), float(v), complex(v), bool(v)) == (3, 3.0, 3 + 0j, True)
    assert "abcde"[v] == "d"
    assert not tf.Variable(0)
    with pytest.raises(TypeError, match="'Variable' object is not iterable."):
        iter(tf.Variable([1, 2]))


def test_slices_can_be_read_and_assigned():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(v[0].numpy(), [1.0, 2.0])
    assert v[0].assign([7.0, 8.0]) is v
    v[:, 1].assign([0.0, 0.0])
    np.testing.assert_array_equal(v.numpy(), [[7.0, 0.0], [3.0, 0.0]])
    with pytest.raises(AttributeError, match="Only slices of variables support assign"):
        _ = tf.constant([1.0, 2.0])[0].assign


def test_rows_can_be_read_and_changed():
    v = tf.Variable([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(v.sparse_read([2, 0]).numpy(), [3.0, 1.0])
    np.testing.assert_array_equal(tf.gather(v, [1]).numpy(), [2.0])
    np.testing.assert_array_equal(v.gather_nd([[1]]).numpy(), [2.0])
    assert v.scatter_update(tf.IndexedSlices([9.0], [0])) is v
    v.scatter_sub(tf.IndexedSlices([1.0], [0]))
    v.scatter_mul(tf.IndexedSlices([2.0], [1]))
    v.scatter_div(tf.IndexedSlices([2.0], [2]))
    v.scatter_max(tf.IndexedSlices([5.0], [1]))
    v.scatter_min(tf.IndexedSlices([1.0], [2]))
    np.testing.assert_array_equal(v.numpy(), [8.0, 5.0, 1.0])
    assert v.scatter_nd_add([[0]], [1.0]) is v
    v.scatter_nd_sub([[1]], [1.0])
    v.scatter_nd_update([[2]], [0.0])
    np.testing.assert_array_equal(v.numpy(), [9.0, 4.0, 0.0])
    assert tf.scatter_add(v, [0], [1.0]) is v
    assert tf.scatter_update(v, [1], [1.0]) is v
    np.testing.assert_array_equal(v.numpy(), [10.0, 1.0, 0.0])


def test_copies_are_variables_of_their_own():
    v = tf.Variable([1.0, 2.0], name="v", trainable=False)
    for twin, name in ((copy.deepcopy(v), "v_copy:0"), (pickle.loads(pickle.dumps(v)), "v:0")):
        assert (twin.name, twin.trainable) == (name, False)
        twin.assign([0.0, 0.0])
    np.testing.assert_array_equal(v.numpy(), [1.0, 2.0])


@pytest.mark.parametrize("dtype", [tf.bool, tf.int64, tf.float16, tf.complex64, tf.string])
def test_takes_values_of_all_kinds(dtype):
    value = np.array([b"a", b""], object) if dtype == tf.string else np.array([1, 0]).astype(dtype.as_numpy_dtype)
    v = tf.Variable(value)
    assert v.dtype == dtype
    np.testing.assert_array_equal(v.numpy(), value)
    v.assign(v[::-1])
    np.testing.assert_array_equal(v.numpy(), value[::-1])
