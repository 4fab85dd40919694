"""The calls of initializers by `get_variable`, and the state after constructors that fail."""

import functools

import numpy as np
import pytest

import tinytf as tf


def recording(log, signature):
    def all_required(shape, dtype, partition_info):
        log.append((shape, dtype, partition_info))
        return tf.zeros(shape, dtype)

    def defaults(shape, dtype=None, partition_info=None):
        return all_required(shape, dtype, partition_info)

    def keywords(shape, **options):
        return all_required(shape, options["dtype"], options["partition_info"])

    class Initializer:
        def __call__(self, shape, dtype=None, partition_info=None):
            return all_required(shape, dtype, partition_info)

    return {
        "required": all_required,
        "defaults": defaults,
        "keywords": keywords,
        "class": Initializer,
        "instance": Initializer(),
        "partial": functools.partial(defaults, dtype=tf.int32),
        "bound": functools.partial(all_required, partition_info="replaced"),
    }[signature]


SIGNATURES = ["required", "defaults", "keywords", "class", "instance", "partial", "bound"]


@pytest.mark.parametrize("signature", SIGNATURES)
def test_initializers_get_shape_dtype_and_partition_info(signature):
    log = []
    tf.get_variable("v", [4], initializer=recording(log, signature))
    assert log == [([4], tf.float32, None)]


@pytest.mark.parametrize("signature", SIGNATURES)
def test_initializers_of_pieces_get_their_place(signature):
    log = []
    pieces = tf.fixed_size_partitioner(2)
    tf.get_variable("p", [4], tf.float64, initializer=recording(log, signature), partitioner=pieces)
    told = [(shape, dtype, info.full_shape, info.var_offset) for shape, dtype, info in log]
    assert told == [([2], tf.float64, [4], [0]), ([2], tf.float64, [4], [2])]


def test_initializers_without_partition_info_are_called_without():
    log = []

    def plain(shape, dtype):
        log.append((shape, dtype))
        return tf.ones(shape, dtype)

    tf.get_variable("v", [4], initializer=plain)
    tf.get_variable("p", [4], initializer=plain, partitioner=tf.fixed_size_partitioner(2))
    assert log == [([4], tf.float32), ([2], tf.float32), ([2], tf.float32)]


@pytest.mark.parametrize(
    ("initializer", "dtype", "expected"),
    [
        (lambda: tf.constant([1, 2, 3, 4]), tf.float32, tf.int32),
        (lambda: tf.constant([1, 2, 3, 4]), tf.int64, tf.int32),
        (lambda: np.arange(4.0), tf.float32, tf.float32),
        (lambda: [1, 2, 3, 4], tf.float32, tf.float32),
        (tf.zeros_initializer, tf.int64, tf.int64),
    ],
)
def test_the_type_of_partitioned_variables(initializer, dtype, expected):
    pieces = tf.create_partitioned_variables([4], [2], initializer(), dtype)
    assert [piece.dtype.base_dtype for piece in pieces] == [expected] * 2
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert np.concatenate(sess.run(pieces)).shape == (4,)


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"initial_value": 1.0, "collections": 3},
        {"initial_value": 1.0, "constraint": 3},
        {"initial_value": 1.0, "synchronization": 77},
        {"initial_value": 1.0, "aggregation": 77},
    ],
)
def test_arguments_that_are_wrong_use_up_no_name(options, use_resource):
    with pytest.raises(ValueError):
        tf.Variable(name="v", use_resource=use_resource, **options)
    assert tf.get_default_graph().get_operations() == []
    assert tf.Variable(1.0, name="v").name == "v:0"


def test_shapes_that_contradict_each_other():
    text = r"initial value's shape \(\(\)\) is not compatible with the explicitly supplied `shape` argument \(\(3,\)\)"
    with pytest.raises(ValueError, match=text):
        tf.Variable(1.0, shape=[3], use_resource=True)


def test_local_variables_take_arguments_by_place():
    v = tf.get_local_variable("v", [2], tf.int32, tf.zeros_initializer(), None, True)
    assert v in tf.local_variables()
    assert v not in tf.trainable_variables() + tf.global_variables()
    with tf.variable_op_scope([v], "scope", None, tf.ones_initializer(), reuse=tf.AUTO_REUSE) as scope:
        assert (scope.name, scope.reuse) == ("scope", tf.AUTO_REUSE)


def test_variables_of_a_dict_are_minimized():
    weights = {"b": tf.Variable(2.0), "a": tf.Variable(3.0)}
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    grads = optimizer.compute_gradients(weights["a"] * weights["b"], var_list=weights.values())
    assert [v for _, v in grads] == list(weights.values())


@pytest.mark.parametrize("python_type", [int, str, complex, bytes, list])
def test_python_types_that_are_no_dtypes(python_type):
    with pytest.raises(TypeError, match="to a TensorFlow DType"):
        tf.as_dtype(python_type)
    assert not any(dtype == python_type for dtype in (tf.int32, tf.int64, tf.string, tf.complex128))
    assert (tf.as_dtype(float), tf.as_dtype(bool), tf.as_dtype(object)) == (tf.float32, tf.bool, tf.string)


def test_empty_scope_names_leave_their_slash():
    with tf.variable_scope("a"), tf.variable_scope("") as inner:
        assert (inner.name, tf.get_variable("v", [1]).name) == ("a/", "a//v:0")
        with tf.variable_scope("b"):
            assert tf.get_variable("v", [1]).name == "a//b/v:0"
    with tf.variable_scope(""):
        assert tf.get_variable("v", [1]).name == "v:0"
    template = tf.make_template("", lambda: tf.get_variable("d", [1]))
    with tf.variable_scope("outer"):
        assert template().name == template().name == "outer//d:0"
    assert template.variable_scope_name == "outer/"


def test_variables_outside_the_collections_are_looked_for_among_the_nodes():
    v = tf.Variable(1.0, collections=[], name="v", use_resource=False)
    with tf.Session() as sess:
        assert sess.run(tf.report_uninitialized_variables()).tolist() == [b"v"]
        assert sess.run(tf.report_uninitialized_variables([])).tolist() == []
        for given in (None, []):
            with pytest.raises(tf.errors.FailedPreconditionError):
                sess.run(tf.assert_variables_initialized(given))
        sess.run(v.initializer)
        assert sess.run(tf.assert_variables_initialized()) == 0


def test_nothing_to_assert():
    assert tf.assert_variables_initialized([]) is None
