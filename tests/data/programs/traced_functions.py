"""Functions of elements: maps, filters, flat maps, interleavings, reductions."""

import collections
import functools

import numpy as np


def map_lambda(tf):
    return tf.data.Dataset.range(3).map(lambda x: x * 2)


def map_named(tf):
    def double(x):
        return x * 2

    return tf.data.Dataset.range(3).map(double)


def map_arguments(tf):
    return tf.data.Dataset.zip((tf.data.Dataset.range(3), tf.data.Dataset.range(5, 8))).map(lambda x, y: (y, x + y))


def map_dict(tf):
    return tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [3.0, 4.0]}).map(
        lambda d: {"c": d["a"], "d": (d["b"],)}
    )


_Pair = collections.namedtuple("_Pair", ["first", "second"])


def map_namedtuple(tf):
    return tf.data.Dataset.from_tensor_slices(_Pair([1, 2], [3, 4])).map(lambda p: _Pair(p.second, p.first))


def map_list(tf):
    return tf.data.Dataset.range(2).map(lambda x: [x, x + 1])


def map_constant(tf):
    return tf.data.Dataset.range(2).map(lambda x: 5)


def map_array(tf):
    return tf.data.Dataset.range(2).map(lambda x: (np.array([1.5, 2.5]), "text", [1, 2]))


def map_nested_list(tf):
    return tf.data.Dataset.range(2).map(lambda x: ([x, x], {"k": [1.0, 2.0]}))


def map_unchanged(tf):
    return tf.data.Dataset.range(2).map(lambda x: x)


def map_same_twice(tf):
    return tf.data.Dataset.range(2).map(lambda x: (x, x))


def map_captures(tf):
    c, d = tf.constant(3, tf.int64, name="c"), tf.constant([1.0, 2.0], name="d")
    return tf.data.Dataset.range(2).map(lambda x: (x + c, d, d * tf.cast(c, tf.float32)))


def map_in_scope(tf):
    with tf.name_scope("outer"):
        c = tf.constant(1, tf.int64)
        return tf.data.Dataset.range(2).map(lambda x: tf.add(x, c, name="sum"))


def map_scopes_inside(tf):
    def inside(x):
        with tf.name_scope("inner"):
            return tf.add(x, 1, name="sum")

    return tf.data.Dataset.range(2).map(inside)


def map_on_device(tf):
    with tf.device("/cpu:0"):
        return tf.data.Dataset.range(2).map(lambda x: x + 1)


def map_sparse(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0], [2, 2]], [1, 2, 3], [3, 3])
    return tf.data.Dataset.from_tensor_slices(sparse).map(
        lambda s: tf.SparseTensor(s.indices, s.values * 2, s.dense_shape)
    )


def map_to_sparse(tf):
    return tf.data.Dataset.range(2).map(lambda x: tf.SparseTensor([[0]], [x], [3]))


def map_to_dense(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0], [2, 2]], [1, 2, 3], [3, 3])
    return tf.data.Dataset.from_tensor_slices(sparse).map(tf.sparse.to_dense)


def map_parallel(tf):
    return tf.data.Dataset.range(6).map(lambda x: x * x, num_parallel_calls=3)


def map_parallel_autotune(tf):
    return tf.data.Dataset.range(6).map(lambda x: x * x, num_parallel_calls=tf.data.experimental.AUTOTUNE)


def map_parallel_tensor(tf):
    return tf.data.Dataset.range(6).map(lambda x: x * x, tf.placeholder_with_default(2, []))


def map_parallel_zero(tf):
    return tf.data.Dataset.range(6).map(lambda x: x * x, num_parallel_calls=0)


def map_twice(tf):
    return tf.data.Dataset.range(3).map(lambda x: x + 1).map(lambda x: x * 10).batch(2)


def map_condition(tf):
    def choose(x):
        if x > 1:
            return x * 10
        return x

    return tf.data.Dataset.range(4).map(choose)


def map_loop(tf):
    def total(x):
        s = x
        while s < 10:
            s += 3
        return s

    return tf.data.Dataset.range(4).map(total)


def map_cond(tf):
    return tf.data.Dataset.range(4).map(lambda x: tf.cond(x > 1, lambda: x * 10, lambda: x))


def map_py_func(tf):
    return tf.data.Dataset.range(3).map(lambda x: tf.py_func(lambda n: n * 3, [x], tf.int64))


def map_print(tf):
    def shown(x):
        with tf.control_dependencies([tf.Assert(x >= 0, [x])]):
            return tf.identity(x)

    return tf.data.Dataset.range(3).map(shown)


def map_assert_fails(tf):
    def checked(x):
        tf.Assert(x < 2, ["too large", x])
        return x

    return tf.data.Dataset.range(4).map(checked)


def map_fails(tf):
    return tf.data.Dataset.range(4).map(lambda x: tf.gather([1, 2], x))


def map_random(tf):
    tf.set_random_seed(3)
    return tf.data.Dataset.range(4).map(lambda x: tf.random_uniform([], seed=2))


def map_random_graph_seed(tf):
    tf.set_random_seed(3)
    return tf.data.Dataset.range(4).map(lambda x: tf.random_uniform([]))


def map_variable(tf):
    v = tf.Variable(5, dtype=tf.int64, name="v")
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(3).map(lambda x: x + v))
    return tf.group(v.initializer, name="unused"), [iterator.initializer, v.name]


def map_reference_variable(tf):
    v = tf.Variable(5, dtype=tf.int64, name="v")
    return tf.data.Dataset.range(3).map(lambda x: x + v)


def map_resource_variable(tf):
    v = tf.Variable(5, dtype=tf.int64, name="v", use_resource=True)
    return tf.data.Dataset.range(3).map(lambda x: x + v)


def map_partial(tf):
    return tf.data.Dataset.range(3).map(functools.partial(tf.add, 5))


class _Adder:
    def __init__(self, y):
        self.y = y

    def added(self, x):
        return x + self.y

    def __call__(self, x):
        return x - self.y


def map_method(tf):
    return tf.data.Dataset.range(3).map(_Adder(7).added)


def map_callable(tf):
    return tf.data.Dataset.range(3).map(_Adder(7))


def map_op_function(tf):
    return tf.data.Dataset.range(3).map(tf.negative)


def map_tf_function(tf):
    @tf.function
    def inner(x):
        return x + 1

    return tf.data.Dataset.range(3).map(lambda x: inner(x) * 2)


def map_returns_none(tf):
    return tf.data.Dataset.range(2).map(lambda x: None)


def map_returns_object(tf):
    return tf.data.Dataset.range(2).map(lambda x: object)


def map_wrong_arity(tf):
    return tf.data.Dataset.range(2).map(lambda x, y: x)


def map_raises(tf):
    def broken(x):
        raise KeyError("broken")

    return tf.data.Dataset.range(2).map(broken)


def map_not_callable(tf):
    return tf.data.Dataset.range(2).map(3)


def map_tensor_array(tf):
    def listed(x):
        return tf.TensorArray(tf.int64, 2, element_shape=[]).unstack([x, x + 1]).stack()

    return tf.data.Dataset.range(2).map(listed)


def map_legacy(tf):
    return tf.data.Dataset.range(3).map_with_legacy_function(lambda x: x * 2)


def map_legacy_captures(tf):
    c = tf.constant(3, tf.int64, name="c")
    return tf.data.Dataset.range(3).map_with_legacy_function(lambda x: (x * c, c), num_parallel_calls=2)


def map_legacy_named(tf):
    def double(x):
        return {"a": x, "b": x * 2}

    return tf.data.Dataset.range(3).map_with_legacy_function(double)


def map_legacy_sparse(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [1, 2], [2, 3])
    return tf.data.Dataset.from_tensor_slices(sparse).map_with_legacy_function(lambda s: (s, s.values))


def filter_even(tf):
    return tf.data.Dataset.range(6).filter(lambda x: tf.equal(x % 2, 0))


def filter_captures(tf):
    limit = tf.constant(3, tf.int64)
    return tf.data.Dataset.range(6).filter(lambda x: x > limit)


def filter_pairs(tf):
    return tf.data.Dataset.range(6).map(lambda x: (x, -x)).filter(lambda x, y: x + y < x)


def filter_component(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2, 3], [True, False, True])).filter(lambda x, keep: keep)


def filter_constant(tf):
    return tf.data.Dataset.range(3).filter(lambda x: True)


def filter_condition(tf):
    def large(x):
        if x > 2:
            return True
        return False

    return tf.data.Dataset.range(5).filter(large)


def filter_number(tf):
    return tf.data.Dataset.range(3).filter(lambda x: x)


def filter_vector(tf):
    return tf.data.Dataset.range(3).filter(lambda x: [True, False])


def filter_pair(tf):
    return tf.data.Dataset.range(3).filter(lambda x: (True, True))


def filter_unknown_shape(tf):
    return tf.data.Dataset.range(3).filter(lambda x: tf.py_func(lambda n: n > 0, [x], tf.bool))


def filter_legacy(tf):
    return tf.data.Dataset.range(6).filter_with_legacy_function(lambda x: tf.equal(x % 2, 0))


def flat_map(tf):
    return tf.data.Dataset.range(4).flat_map(lambda x: tf.data.Dataset.range(x))


def flat_map_tensors(tf):
    return tf.data.Dataset.range(3).flat_map(lambda x: tf.data.Dataset.from_tensors((x, [x, x])).repeat(2))


def flat_map_captures(tf):
    n = tf.constant(2, tf.int64, name="n")
    return tf.data.Dataset.range(3).flat_map(lambda x: tf.data.Dataset.range(x, x + n).map(lambda y: y * n))


def flat_map_twice(tf):
    return tf.data.Dataset.range(3).flat_map(
        lambda x: tf.data.Dataset.range(x).flat_map(lambda y: tf.data.Dataset.from_tensors(y).repeat(2))
    )


def flat_map_sparse(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [1, 2], [2, 3])
    return tf.data.Dataset.from_tensor_slices(sparse).flat_map(lambda s: tf.data.Dataset.from_tensors(s))


def flat_map_tensor(tf):
    return tf.data.Dataset.range(3).flat_map(lambda x: x)


def flat_map_several(tf):
    return tf.data.Dataset.range(3).flat_map(lambda x: (tf.data.Dataset.range(x), 1))


def flat_map_outer_dataset(tf):
    inner = tf.data.Dataset.range(2)
    return tf.data.Dataset.range(3).flat_map(lambda x: inner)


def interleave(tf):
    return tf.data.Dataset.range(1, 5).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(x), cycle_length=2, block_length=1
    )


def interleave_blocks(tf):
    return tf.data.Dataset.range(1, 6).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(4), cycle_length=3, block_length=2
    )


def interleave_defaults(tf):
    return tf.data.Dataset.range(1).interleave(lambda x: tf.data.Dataset.range(x, x + 3))


def interleave_parallel(tf):
    return tf.data.Dataset.range(1, 6).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(4), cycle_length=3, block_length=2, num_parallel_calls=2
    )


def interleave_parallel_autotune(tf):
    return tf.data.Dataset.range(1, 6).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(x),
        cycle_length=2,
        num_parallel_calls=tf.data.experimental.AUTOTUNE,
    )


def interleave_zero(tf):
    return tf.data.Dataset.range(3).interleave(lambda x: tf.data.Dataset.range(x), cycle_length=0)


def interleave_no_block(tf):
    return tf.data.Dataset.range(3).interleave(lambda x: tf.data.Dataset.range(x), cycle_length=1, block_length=0)


def interleave_parallel_zero(tf):
    return tf.data.Dataset.range(3).interleave(lambda x: tf.data.Dataset.range(x), 1, num_parallel_calls=0)


def interleave_parallel_many(tf):
    return tf.data.Dataset.range(3).interleave(lambda x: tf.data.Dataset.range(x), 1, num_parallel_calls=2)


def interleave_tensor(tf):
    return tf.data.Dataset.range(3).interleave(lambda x: x, 1)


def reduce_sum(tf):
    return None, tf.data.Dataset.range(5).reduce(tf.constant(0, tf.int64), lambda state, x: state + x)


def reduce_python_state(tf):
    return None, tf.data.Dataset.range(5).reduce(np.int64(0), lambda state, x: state + x)


def reduce_pair(tf):
    start = (tf.constant(0, tf.int64), tf.constant(1.0))
    dataset = tf.data.Dataset.range(1, 5)
    return None, dataset.reduce(start, lambda state, x: (state[0] + x, state[1] * tf.cast(x, tf.float32)))


def reduce_dict(tf):
    pairs = tf.data.Dataset.from_tensor_slices(([1, 2], [3, 4]))
    return None, pairs.reduce({"a": 0}, lambda state, pair: {"a": state["a"] + pair[0] * pair[1]})


def reduce_growing(tf):
    start = tf.zeros([0], tf.int64)
    return None, tf.data.Dataset.range(3).reduce(start, lambda state, x: tf.concat([state, [x]], 0))


def reduce_captures(tf):
    c = tf.constant(2, tf.int64)
    return None, tf.data.Dataset.range(3).reduce(tf.constant(0, tf.int64), lambda state, x: state + x * c)


def reduce_types(tf):
    return None, tf.data.Dataset.range(3).reduce(0, lambda state, x: state + tf.cast(x, tf.int32) + 0.5)


def reduce_other_type(tf):
    return None, tf.data.Dataset.range(3).reduce(0, lambda state, x: x)


def reduce_classes(tf):
    return None, tf.data.Dataset.range(3).reduce([0], lambda state, x: tf.SparseTensor([[0]], [1], [2]))


def reduce_sparse(tf):
    start = tf.SparseTensor([[0]], [tf.constant(1, tf.int64)], [2])

    def add(state, x):
        return tf.SparseTensor(state.indices, state.values + x, state.dense_shape)

    return None, tf.data.Dataset.range(3).reduce(start, add)


def reduce_nothing(tf):
    return None, tf.data.Dataset.range(0).reduce(tf.constant(7, tf.int64), lambda state, x: x)


def reduce_fails(tf):
    return None, tf.data.Dataset.range(3).reduce(0, lambda state, x: tf.gather([1, 2], x))


def apply(tf):
    return tf.data.Dataset.range(3).apply(lambda dataset: dataset.map(lambda x: x + 1))


def apply_other(tf):
    return tf.data.Dataset.range(3).apply(lambda dataset: 3)
