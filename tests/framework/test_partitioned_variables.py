"""Partitioned variables: partitioning, names, sharing, reads, updates, training and look-ups."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.variables.partitioned_variable import PartitionedVariable
from tinytf._src.variables.partitioners import PartitionInfo


@pytest.fixture(params=[False, True], ids=["ref", "resource"])
def use_resource(request):
    return request.param


def _cut(count, axis=0):
    return tf.fixed_size_partitioner(count, axis)


def _initialized():
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return session


def _new_names(first):
    return [op.name for op in tf.get_default_graph().get_operations()[first:]]


def _count():
    return len(tf.get_default_graph().get_operations())


# -- Results of get_variable -------------------------------------------------------------------------------------------


def test_the_pieces_are_the_variables_of_the_graph(use_resource):
    w = tf.get_variable("s/w", [5, 3], partitioner=_cut(2), use_resource=use_resource)
    assert isinstance(w, PartitionedVariable)
    assert (w.name, w.dtype, w.shape, w.get_shape(), len(w)) == ("s/w", tf.float32, [5, 3], [5, 3], 2)
    assert w._get_partitions() == [2, 1]
    assert [v.name for v in w] == ["s/w/part_0:0", "s/w/part_1:0"] and [v.shape for v in w] == [[3, 3], [2, 3]]
    assert tf.global_variables() == tf.trainable_variables() == list(w) == w._get_variable_list()


def test_pieces_know_where_they_belong():
    first, second = tf.get_variable("s/w", [5, 3], partitioner=_cut(2))
    info = second._get_save_slice_info()
    assert (info.full_name, info.full_shape, info.var_offset, info.var_shape) == ("s/w", [5, 3], [3, 0], [2, 3])
    assert info.spec == "5 3 3,2:0,3" and first._save_slice_info.spec == "5 3 0,3:0,3"
    assert isinstance(info, tf.Variable.SaveSliceInfo)
    assert tf.get_variable("whole", [2])._get_save_slice_info() is None


def test_a_single_piece_and_scalars():
    one = tf.get_variable("one", [2], partitioner=_cut(1))
    assert [v.name for v in one] == ["one/part_0:0"]
    assert tf.convert_to_tensor(one).name == "one:0"
    assert tf.get_variable("scalar", [], partitioner=_cut(2)).name == "scalar:0"


def test_scopes_hand_partitioners_down():
    with tf.variable_scope("s", partitioner=_cut(2)) as scope:
        with tf.variable_scope("t"):
            assert isinstance(tf.get_variable("v", [4]), PartitionedVariable)
        scope.set_partitioner(None)
        assert tf.get_variable("u", [4]).name == "s/u:0"


def test_custom_getters_see_the_partitioner():
    seen = {}

    def getter(getter, name, *args, **kwargs):
        seen.update(kwargs)
        return getter(name, *args, **kwargs)

    cut = _cut(2)
    with tf.variable_scope("s", custom_getter=getter, partitioner=cut):
        assert len(tf.get_variable("v", [4])) == 2
    assert seen["partitioner"] is cut and seen["trainable"] is True and "constraint" in seen
    with pytest.raises(ValueError, match="Passed a custom_getter which is not callable: 3"):
        tf.get_variable("w", [4], custom_getter=3)


def test_create_partitioned_variables():
    pieces = tf.create_partitioned_variables([4, 2], [2, 1], tf.zeros_initializer())
    assert [v.name for v in pieces] == ["PartitionedVariable/part_0:0", "PartitionedVariable/part_1:0"]
    again = tf.create_partitioned_variables([4, 2], [2, 1], tf.zeros_initializer(), trainable=False)
    assert again[0].name == "PartitionedVariable_1/part_0:0" and tf.trainable_variables() == pieces
    values = tf.constant(np.arange(8, dtype=np.float32).reshape(4, 2))
    named = tf.create_partitioned_variables([4, 2], [1, 2], values, name="n")
    assert tf.create_partitioned_variables([4, 2], [1, 2], values, name="n", reuse=True) == named
    with _initialized() as session:
        np.testing.assert_array_equal(session.run(named[1]), [[1], [3], [5], [7]])
    for shape, slicing, text in [
        ([4, 2], [1], "must have the length: shape: [4, 2], slicing: [1]"),
        ([], [], "A partitioned Variable must have rank at least 1: shape: []"),
        ([4, 2], [2, 2], "Can only slice a variable along one dimension: shape: (4, 2), partitioning: [2, 2]"),
    ]:
        with pytest.raises(ValueError) as raised:
            tf.create_partitioned_variables(shape, slicing, tf.zeros_initializer())
        assert text in str(raised.value)


# -- Initial values ----------------------------------------------------------------------------------------------------


def test_constants_are_cut_too():
    values = np.arange(10, dtype=np.float32).reshape(5, 2)
    w = tf.get_variable("w", initializer=tf.constant(values), partitioner=_cut(2))
    u = tf.get_variable("u", [5, 2], initializer=values, partitioner=_cut(2, 1))
    assert "w/part_1/PartitionedInitializer/Slice" in _new_names(0)
    with _initialized() as session:
        np.testing.assert_array_equal(session.run(w.as_tensor()), values)
        np.testing.assert_array_equal(session.run(list(u)[1]), values[:, 1:])
    with pytest.raises(ValueError, match=r"Shapes \(3, 2\) and \(5, 2\) are not compatible"):
        tf.get_variable("x", [3, 2], initializer=tf.constant(values), partitioner=_cut(2))


def test_initializers_learn_which_piece_they_make():
    seen = []

    def with_info(shape, dtype=None, partition_info=None):
        if partition_info is None:
            seen.append((shape, None))
        else:
            info = partition_info
            single = info.single_slice_dim(shape), info.single_offset(shape)
            seen.append((shape, info.full_shape, info.var_offset, *single))
        return tf.zeros(shape, dtype)

    def without(shape, dtype=None):
        seen.append((shape,))
        return tf.zeros(shape, dtype)

    tf.get_variable("a", [4, 5], initializer=with_info, partitioner=_cut(2, axis=1))
    tf.get_variable("b", [4, 5], initializer=with_info)
    tf.get_variable("c", [4], initializer=without, partitioner=_cut(2))
    assert seen == [([4, 3], [4, 5], [0, 0], 1, 0), ([4, 2], [4, 5], [0, 3], 1, 3), ([4, 5], None), ([2],), ([2],)]


def test_scaling_initializers_count_the_inputs_of_the_whole():
    tf.get_variable("w", [10, 30], initializer=tf.glorot_uniform_initializer(), partitioner=_cut(5))
    graph = tf.get_default_graph()
    limits = {
        graph.get_operation_by_name(f"w/part_{i}/Initializer/random_uniform/max").get_attr("value").float_val[0]
        for i in range(5)
    }
    assert limits == {np.float32(np.sqrt(6 / 40))}


def test_the_identity_is_the_identity_of_the_whole():
    w = tf.get_variable("w", [4, 4], initializer=tf.initializers.identity(), partitioner=_cut(2))
    with _initialized() as session:
        np.testing.assert_array_equal(session.run(w.as_tensor()), np.eye(4))


def test_partition_info():
    info = PartitionInfo([4, 4], [0, 2])
    assert (info.single_offset([4, 2]), info.single_slice_dim([4, 2])) == (2, 1)
    assert PartitionInfo([4, 4], [0, 0]).single_offset([4, 4]) == 0
    for call, kind, text in [
        (
            lambda: PartitionInfo(3, [1]),
            TypeError,
            "`full_shape` must be a sequence (like tuple or list) instead of int",
        ),
        (
            lambda: PartitionInfo([3], 1),
            TypeError,
            "`var_offset` must be a sequence (like tuple or list) instead of int",
        ),
        (
            lambda: PartitionInfo([3], [1, 2]),
            ValueError,
            "`var_offset` is of length 2 while full_shape is of length 1.",
        ),
        (lambda: PartitionInfo([3], [3]), ValueError, "Expected 0 <= offset < shape but found offset=3, shape=3"),
        (lambda: info.single_slice_dim([2, 2]), ValueError, "slice dim could be either dimension 1 or 0."),
        (lambda: info.single_slice_dim([4]), ValueError, "received shape=[4] of length 1"),
        (lambda: info.single_slice_dim([4, 8]), ValueError, "would exceed self.full_shape=[4, 4] in dimension 1."),
    ]:
        with pytest.raises(kind) as raised:
            call()
        assert text in str(raised.value)


# -- Reads and updates -------------------------------------------------------------------------------------------------


def test_conversion_concatenates_the_pieces(use_resource):
    w = tf.get_variable("w", [3, 4], partitioner=_cut(2, axis=1), use_resource=use_resource)
    first = _count()
    with tf.control_dependencies([tf.no_op(name="before")]), tf.name_scope("elsewhere"):
        tensor = tf.convert_to_tensor(w)
    names = [name for name in _new_names(first) if "ReadVariableOp" not in name and name != "before"]
    assert names == ["w/ConcatPartitions/concat/axis", "w/ConcatPartitions/concat", "w"]
    assert tensor.name == "w:0" and tensor.shape == [3, 4] and not tensor.op.control_inputs
    again = w.as_tensor()
    assert again.name == "w_1:0" and again.op.inputs[0].op.name == "w/ConcatPartitions/concat_1"
    with _initialized() as session:
        whole, pieces = session.run([tensor, list(w)])
        np.testing.assert_array_equal(whole, np.concatenate(pieces, 1))


def test_where_a_tensor_is_wanted():
    w = tf.get_variable("w", initializer=tf.eye(3), partitioner=_cut(2))
    product = tf.matmul(tf.constant([[1.0, 2.0, 3.0]]), w)
    with _initialized() as session:
        np.testing.assert_array_equal(session.run(product), [[1, 2, 3]])
    with pytest.raises(
        ValueError, match="Incompatible type conversion requested to type 'int32' for variable of type 'fl"
    ):
        tf.convert_to_tensor(w, dtype=tf.int32)
    with pytest.raises(TypeError, match="unsupported operand"):
        w + 1
    with tf.Session() as session, pytest.raises(TypeError, match="Can not convert a PartitionedVariable into a Tensor"):
        session.run(w)


def test_assignments(use_resource):
    w = tf.get_variable("w", initializer=tf.zeros([5]), partitioner=_cut(2), use_resource=use_resource)
    whole = w.as_tensor()
    assign = w.assign([np.float32([1, 2, 3]), np.float32([4, 5])])
    add = w.assign_add(tf.ones([5]), name="add", read_value=False)
    assert [op.name for op in add] == ["add", "add_1"]
    sub = w.assign_sub(w)
    with _initialized() as session:
        np.testing.assert_array_equal(np.concatenate(session.run(assign)), [1, 2, 3, 4, 5])
        session.run(add)
        np.testing.assert_array_equal(session.run(whole), [2, 3, 4, 5, 6])
        session.run(sub)
        np.testing.assert_array_equal(session.run(whole), np.zeros(5))
    with pytest.raises(ValueError, match="w has 2 partitions, but got 1 values"):
        w.assign([1.0])


def test_pieces_along_two_axes_can_only_be_iterated():
    u = tf.get_variable("u", [4, 2], partitioner=_cut(2))
    w = PartitionedVariable("u", [4, 2], tf.float32, list(u)[::-1], [2, 2])
    assert [piece.name for piece in w] == [piece.name for piece in u]
    with pytest.raises(ValueError, match="Cannot get a length for 2 > 1 partition axes"):
        len(w)
    with pytest.raises(NotImplementedError, match=r"Cannot concatenate along more than one dimension: \[0, 1\]."):
        w.as_tensor()
    with pytest.raises(NotImplementedError, match="Cannot do assign action along more than one dimension"):
        w.assign(tf.ones([4, 2]))


def test_pieces_that_do_not_fit():
    pieces = list(tf.get_variable("u", [4, 2], partitioner=_cut(2)))

    def make(shape=(4, 2), variable_list=pieces, partitions=(2, 1)):
        return PartitionedVariable("u", shape, tf.float32, variable_list, partitions)

    for arguments, kind, text in [
        ({"variable_list": iter(pieces)}, TypeError, "variable_list is not a list or tuple: "),
        ({"partitions": 3}, TypeError, "partitions is not a list or tuple: 3"),
        ({"partitions": [0, 1]}, ValueError, "partition values must be positive: [0, 1]"),
        ({"variable_list": []}, ValueError, "variable_list may not be empty"),
        ({"partitions": [2]}, ValueError, "len(shape) != len(partitions): (4, 2) vs. [2]"),
        ({"shape": [4, 3]}, ValueError, "must match shape: [4, 3]; but full shapes were: [[4, 2]]"),
        ({"variable_list": [tf.Variable(1.0)]}, ValueError, "must have a save_slice_info available: ['Variable:0']"),
    ]:
        with pytest.raises(kind) as raised:
            make(**arguments)
        assert text in str(raised.value)


# -- Sharing -----------------------------------------------------------------------------------------------------------


def test_partitioned_variables_are_shared():
    with tf.variable_scope("s"):
        v = tf.get_variable("v", [4, 2], partitioner=_cut(2))
    with tf.variable_scope("s", reuse=True):
        assert tf.get_variable("v") is v  # the partitioner is optional with reuse=True
        assert tf.get_variable("v", [4, 2], partitioner=_cut(2)) is v
        assert tf.get_variable("v/part_0", [2, 2]) is list(v)[0]
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
        assert tf.get_variable("v", [4, 2], partitioner=_cut(2)) is v


@pytest.mark.parametrize(
    ("reuse", "arguments", "text"),
    [
        (
            None,
            {"partitioner": 2},
            "Partitioned variable with name v already exists. Did you mean to set reuse=True or ",
        ),
        (True, {"partitioner": 3}, "specified partitions [3, 1] and found partitions [2, 1]."),
        (
            True,
            {"shape": [4, 3]},
            "Trying to reuse partitioned variable v, but specified shape (4, 3) and found shape (4, 2).",
        ),
        (True, {"dtype": tf.int32}, "reuse partitioned variable v, but specified dtype int32 and found dtype float32."),
        (True, {"name": "x", "partitioner": 2}, "PartitionedVariable x does not exist, or was not created with "),
        (None, {}, "No partitioner was provided, but a partitioned version of the variable was found: v/part_0. "),
        (
            tf.AUTO_REUSE,
            {},
            "No partitioner was provided, but a partitioned version of the variable was found: v/part_0. ",
        ),
        (True, {"name": "plain", "partitioner": 2}, "but an unpartitioned version of the variable was found: plain.  "),
        (
            None,
            {"name": "v/part_0", "partitioner": 2},
            "but an unpartitioned version of the variable was found: v/part_0.",
        ),
        (
            None,
            {"name": "m", "partitioner": 2},
            "Partitioner returned 2 shards, and shard m/part_0 was found, but m/part_1",
        ),
        (None, {"name": "n", "partitioner": 2}, "n/part_0 was found, but so was the extra shard n/part_2."),
    ],
)
def test_against_the_rules(reuse, arguments, text):
    tf.get_variable("v", [4, 2], partitioner=_cut(2))
    for name in ("plain", "m/part_0", "n/part_0", "n/part_1", "n/part_2"):
        tf.get_variable(name, [4, 2])
    arguments = {"name": "v", "shape": [4, 2], **arguments}
    if "partitioner" in arguments:
        arguments["partitioner"] = _cut(arguments["partitioner"])
    with tf.variable_scope("", reuse=reuse), pytest.raises(ValueError) as raised:
        tf.get_variable(**arguments)
    assert text in str(raised.value)


# -- Partitioners ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("partitioner", "shape", "text"),
    [
        (3, [4, 2], "Partitioner must be callable, but received: 3"),
        (lambda shape, dtype: 3, [4, 2], "Partitioner must return a sequence, but saw: 3"),
        (lambda shape, dtype: [2], [4, 2], "does not match the Variable's rank: [2] vs. (4, 2)"),
        (lambda shape, dtype: [0, 1], [4, 2], "Partitioner returned zero partitions for some axes: [0, 1]"),
        (
            lambda shape, dtype: [2, 2],
            [4, 2],
            "Can only slice a variable along one dimension: shape: (4, 2), partitioning: [2",
        ),
        (_cut(2), [None, 2], "Shape of a new partitioned variable must be fully defined, but instead was (?, 2)."),
        (_cut(2), tf.TensorShape([]), "A partitioned Variable must have rank at least 1, shape: ()"),
    ],
)
def test_bad_partitioners(partitioner, shape, text):
    with pytest.raises(ValueError) as raised:
        tf.get_variable("v", shape, partitioner=partitioner)
    assert text in str(raised.value)
    assert not tf.global_variables()


@pytest.mark.parametrize(
    ("partitioner", "shape", "expected"),
    [
        (_cut(3), [10, 2], [3, 1]),
        (_cut(3, 1), [10, 2], [1, 2]),
        (tf.variable_axis_size_partitioner(100), [10, 10], [5, 1]),
        (tf.variable_axis_size_partitioner(100, axis=1), [10, 10], [1, 5]),
        (tf.variable_axis_size_partitioner(1), [4], [4]),
        (tf.variable_axis_size_partitioner(100, max_shards=2), [10, 10], [2, 1]),
        (tf.min_max_variable_partitioner(10, min_slice_size=100), [100, 4], [10, 1]),
        (tf.min_max_variable_partitioner(10, 1, min_slice_size=100), [100, 4], [1, 4]),
        (tf.min_max_variable_partitioner(), [1000, 1000], [1, 1]),
        (tf.min_max_variable_partitioner(10, -1, min_slice_size=10), [4, 6], [1, 6]),
    ],
)
def test_partitioners(partitioner, shape, expected):
    assert partitioner(shape=tf.TensorShape(shape), dtype=tf.float32) == expected


def test_sizes_of_strings():
    shape = tf.TensorShape([10, 10])
    assert tf.variable_axis_size_partitioner(100, bytes_per_string_element=1)(shape=shape, dtype=tf.string) == [1, 1]
    assert tf.min_max_variable_partitioner(5, min_slice_size=400)(shape=shape, dtype=tf.string) == [4, 1]


def test_arguments_of_partitioners():
    for call, text in [
        (
            lambda: tf.variable_axis_size_partitioner(0),
            "Both max_shard_bytes and bytes_per_string_element must be positive.",
        ),
        (lambda: tf.variable_axis_size_partitioner(1, max_shards=-1), "max_shards must be positive."),
        (lambda: tf.variable_axis_size_partitioner(9)([3], tf.float32), "shape is not a TensorShape: [3]"),
        (
            lambda: tf.variable_axis_size_partitioner(9)(tf.TensorShape([None, 3]), tf.float32),
            "not fully defined: (?, 3)",
        ),
        (lambda: tf.variable_axis_size_partitioner(9)(tf.TensorShape([3]), "f"), "dtype is not a DType: f"),
        (
            lambda: tf.min_max_variable_partitioner(9, 3)(tf.TensorShape([4]), tf.float32),
            "along axis 3 when shape is only (4,)",
        ),
    ]:
        with pytest.raises(ValueError) as raised:
            call()
        assert text in str(raised.value)


def test_pieces_cover_the_axis_evenly():
    for length in range(1, 10):
        for count in range(1, length + 1):
            w = tf.get_variable(f"w{length}_{count}", [2, length], partitioner=_cut(count, axis=1))
            infos = [piece._get_save_slice_info() for piece in w]
            ends = [info.var_offset[1] + info.var_shape[1] for info in infos]
            assert [info.var_offset for info in infos] == [[0, begin] for begin in [0, *ends[:-1]]]
            assert ends[-1] == length and len(infos) == count
            assert sorted({info.var_shape[1] for info in infos}, reverse=True) in (
                [length // count],
                [length // count + 1, length // count],
            )


# -- Training ----------------------------------------------------------------------------------------------------------


def test_gradients_reach_the_pieces(use_resource):
    w = tf.get_variable("w", initializer=tf.ones([3, 2]), partitioner=_cut(2), use_resource=use_resource)
    whole = tf.convert_to_tensor(w)
    gradients = tf.gradients(tf.reduce_sum(whole * tf.constant([[1.0, 2], [3, 4], [5, 6]])), list(w))
    with _initialized() as session:
        first, second = session.run(gradients)
    np.testing.assert_array_equal(first, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(second, [[5, 6]])
    with pytest.raises(NotImplementedError, match="PartitionedVariable doesn't support being used as a reference."):
        tf.gradients(whole, w)


@pytest.mark.parametrize("optimizer", [tf.train.GradientDescentOptimizer, tf.train.AdamOptimizer])
def test_training_in_pieces_is_training_the_whole(use_resource, optimizer):
    start = np.arange(6, dtype=np.float32).reshape(3, 2)

    def trained(partitioner):
        with tf.Graph().as_default():
            w = tf.get_variable("w", initializer=tf.constant(start), partitioner=partitioner, use_resource=use_resource)
            whole = tf.convert_to_tensor(w)
            step = optimizer(0.1).minimize(tf.reduce_sum(tf.square(whole - 1.0)))
            with _initialized() as session:
                for _ in range(3):
                    session.run(step)
                return session.run(whole)

    np.testing.assert_allclose(trained(_cut(2)), trained(None), rtol=1e-6)


def test_slots_are_cut_as_their_variables(use_resource):
    w = tf.get_variable("w", [4, 2], partitioner=_cut(2), use_resource=use_resource)
    adam, momentum = tf.train.AdamOptimizer(0.1), tf.train.ExponentialMovingAverage(0.9)
    with tf.variable_scope("", partitioner=_cut(2)):
        adam.minimize(tf.reduce_sum(tf.convert_to_tensor(w)))
        momentum.apply(list(w))
    second = list(w)[1]
    infos = [adam.get_slot(second, name)._save_slice_info for name in ("m", "v")]
    infos.append(momentum.average(second)._save_slice_info)
    assert [info.full_name for info in infos] == ["w/Adam", "w/Adam_1", "w/ExponentialMovingAverage"]
    assert {info.spec for info in infos} == {"4 2 2,2:0,2"}
    assert adam.get_slot(second, "m").op.name == "w/part_1/Adam"


def test_pieces_are_regularized_one_by_one():
    tf.get_variable("w", initializer=tf.ones([5]), partitioner=_cut(2), regularizer=lambda v: tf.reduce_sum(v * 0.5))
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert [loss.op.name for loss in losses] == ["w/part_0/Regularizer/Sum", "w/part_1/Regularizer/Sum"]
    with _initialized() as session:
        assert session.run(losses) == [1.5, 1.0]


# -- Lookups -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", [1, 2, 3])
@pytest.mark.parametrize("as_list", [False, True])
def test_division_looks_up_rows_of_the_whole(use_resource, pieces, as_list):
    table = np.arange(14, dtype=np.float32).reshape(7, 2)
    w = tf.get_variable("w", initializer=tf.constant(table), partitioner=_cut(pieces), use_resource=use_resource)
    ids = [[0, 3], [6, 5]]
    found = tf.nn.embedding_lookup(list(w) if as_list else w, ids, partition_strategy="div")
    step = tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(found))
    whole = w.as_tensor()
    with _initialized() as session:
        np.testing.assert_array_equal(session.run(found), table[ids])
        session.run(step)
        changed = table.copy()
        changed[[0, 3, 6, 5]] -= 1
        np.testing.assert_array_equal(session.run(whole), changed)


def test_modulo_spreads_rows_over_the_pieces(use_resource):
    table = np.arange(12, dtype=np.float32).reshape(6, 2)
    w = tf.get_variable("w", initializer=tf.constant(table), partitioner=_cut(2), use_resource=use_resource)
    found = tf.nn.embedding_lookup(w, [0, 1, 2, 5])
    with _initialized() as session:  # "mod" strategy: row i is row i // 2 of piece i % 2
        np.testing.assert_array_equal(session.run(found), table[[0, 3, 1, 5]])
    with pytest.raises(ValueError, match="Unrecognized partition strategy: other"):
        tf.nn.embedding_lookup(w, [0], partition_strategy="other")


# -- Comparison with TensorFlow ----------------------------------------------------------------------------------------

_PROGRAM = """
def nodes(first=0):
    operations = tf.get_default_graph().get_operations()[first:]
    return [(op.name, [t.name for t in op.inputs], op.colocation_groups()) for op in operations]

result = []
for use_resource in (False, True):
    for initializer in (tf.ones_initializer(), tf.constant(5, shape=[5, 3], name="five"), [[7] * 3] * 5):
        for axis, count in ((0, 2), (1, 2), (0, 1)):
            with tf.Graph().as_default():
                if not isinstance(initializer, list) and not callable(initializer):
                    initializer = tf.constant(5, shape=[5, 3], name="five")
                w = tf.get_variable(
                    "s/w", [5, 3], tf.int32, initializer, use_resource=use_resource,
                    partitioner=tf.fixed_size_partitioner(count, axis),
                )
                tf.identity(w, name="read")
                tf.convert_to_tensor(w)
                w.assign(tf.zeros([5, 3], tf.int32), name="a")
                tf.nn.embedding_lookup(w, [0, 1], "div") if not use_resource and axis == 0 else None
                result.append((nodes(), [v._get_save_slice_info().spec for v in w]))
"""


@pytest.mark.oracle
def test_nodes_are_those_of_tensorflow(oracle):
    expected = oracle(_PROGRAM)
    names = {"tf": tf}
    exec(_PROGRAM, names)
    assert names["result"] == expected
