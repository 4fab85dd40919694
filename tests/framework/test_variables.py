"""Variables of both kinds, their scopes and their initializers."""

import operator

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture(params=[False, True], ids=["ref", "resource"])
def use_resource(request):
    return request.param


@pytest.fixture
def sess():
    with tf.Session() as made:
        yield made


def _init(sess):
    sess.run(tf.global_variables_initializer())


# -- Variables ---------------------------------------------------------------------------------------------------------


def test_a_variable_and_its_names(sess, use_resource):
    v = tf.Variable([1.0, 2.0], name="v", use_resource=use_resource)
    assert v.name == "v:0" and v.op.name == "v"
    assert v.dtype.base_dtype == tf.float32 and v.shape == [2]
    assert v.initializer.name == "v/Assign"
    _init(sess)
    np.testing.assert_array_equal(sess.run(v), [1, 2])
    np.testing.assert_array_equal(v.eval(), [1, 2])
    assert tf.Variable(1.0, name="v", use_resource=use_resource).name == "v_1:0"


def test_changes(sess, use_resource):
    v = tf.Variable([1.0, 2.0], use_resource=use_resource)
    assign, add, sub = v.assign([5.0, 5.0]), v.assign_add([1.0, 1.0]), v.assign_sub([0.5, 0.5])
    _init(sess)
    np.testing.assert_array_equal(sess.run(add), [2, 3])
    np.testing.assert_array_equal(sess.run(sub), [1.5, 2.5])
    np.testing.assert_array_equal(sess.run(assign), [5, 5])
    v.load([7.0, 8.0], sess)
    np.testing.assert_array_equal(sess.run(v.value()), [7, 8])


def test_the_initialized_value_needs_no_initialisation(sess, use_resource):
    v = tf.Variable([1.0, 2.0], use_resource=use_resource)
    value = v.initialized_value()
    np.testing.assert_array_equal(sess.run(value), [1, 2])
    sess.run(v.assign([3.0, 4.0]))
    np.testing.assert_array_equal(sess.run(value), [3, 4])


def test_operators(sess, use_resource):
    v = tf.Variable([1.0, 2.0], use_resource=use_resource)
    _init(sess)
    np.testing.assert_array_equal(sess.run(2.0 * v + v / 2.0 - v[0]), [1.5, 4])
    np.testing.assert_array_equal(sess.run(tf.stack([v, -v])), [[1, 2], [-1, -2]])


def test_scatters(sess, use_resource):
    v = tf.Variable(np.zeros([4, 2], np.float32), use_resource=use_resource)
    _init(sess)
    sess.run(tf.scatter_update(v, [0, 2], np.ones([2, 2], np.float32)))
    sess.run(tf.scatter_add(v, [2, 2], np.ones([2, 2], np.float32)))
    np.testing.assert_array_equal(sess.run(v), [[1, 1], [0, 0], [3, 3], [0, 0]])


def test_collections():
    a = tf.Variable(1.0)
    b = tf.Variable(1.0, trainable=False)
    c = tf.Variable(1.0, collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
    assert tf.global_variables() == [a, b] and tf.trainable_variables() == [a] and tf.local_variables() == [c]


def test_initialisation_in_any_order(sess, use_resource):
    a = tf.Variable(2.0, use_resource=use_resource)
    b = tf.Variable(a.initialized_value() * 3.0, use_resource=use_resource)
    assert set(sess.run(tf.report_uninitialized_variables())) == {v.op.name.encode() for v in (a, b)}
    _init(sess)
    assert sess.run(b) == 6
    assert sess.run(tf.is_variable_initialized(a))
    assert sess.run(tf.report_uninitialized_variables()).size == 0


def _chain(make):
    made = [make("v0", lambda: tf.constant(1.0))]
    for i in range(1, 6):
        made.append(make(f"v{i}", lambda: made[-1] * 2.0))
    return made, [1, 2, 4, 8, 16, 32]


def _diamond(make):
    a = make("a", lambda: tf.constant(1.0))
    b, c = make("b", lambda: a + 1.0), make("c", lambda: a + 2.0)
    return [a, b, c, make("d", lambda: b + c)], [1, 2, 3, 5]


def _chosen(make):
    a = make("a", lambda: tf.constant(1.0))
    b = make("b", lambda: tf.cond(a > 0.0, lambda: a + 1.0, lambda: a))
    return [a, b, make("c", lambda: b * 3.0)], [1, 2, 6]


@pytest.mark.parametrize("shape", [_chain, _diamond, _chosen])
@pytest.mark.parametrize("way", ["value", "function", "get_variable"])
def test_variables_that_begin_with_one_another_are_initialised_by_one_run(use_resource, shape, way):
    def make(name, value):
        if way == "get_variable":
            return tf.get_variable(name, initializer=value(), use_resource=use_resource)
        return tf.Variable(value if way == "function" else value(), name=name, use_resource=use_resource)

    made, wanted = shape(make)
    for _ in range(5):  # initializers run in arbitrary order
        with tf.Session() as sess:
            _init(sess)
            assert sess.run(made) == wanted
            sess.run([v.assign(0.0) for v in made])
            _init(sess)  # initialized variables start from these values


def test_random_values_of_variables_that_others_begin_with_are_drawn_once(sess, use_resource):
    a = tf.Variable(tf.random_uniform([]), use_resource=use_resource)
    b = tf.Variable(a * 1.0, use_resource=use_resource)
    c = tf.Variable(b * 1.0, use_resource=use_resource)
    _init(sess)
    values = sess.run([a, b, c])
    assert values == values[:1] * 3


def test_initial_values():
    with pytest.raises(ValueError):
        tf.Variable()
    v = tf.Variable(lambda: tf.zeros([2]), dtype=tf.float32)
    assert v.shape == [2]


# -- Scopes ------------------------------------------------------------------------------------------------------------


def test_get_variable_makes_and_finds():
    with tf.variable_scope("s") as scope:
        a = tf.get_variable("v", [2])
        assert a.name == "s/v:0"
        with pytest.raises(ValueError, match="Variable s/v already exists, disallowed."):
            tf.get_variable("v", [2])
    with tf.variable_scope("s", reuse=True):
        assert tf.get_variable("v", [2]) is a and tf.get_variable("v") is a
        with pytest.raises(ValueError, match="Variable s/w does not exist"):
            tf.get_variable("w", [2])
        with pytest.raises(ValueError, match="Trying to share variable s/v, but specified shape"):
            tf.get_variable("v", [3])
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        assert tf.get_variable("v", [2]) is a
        assert tf.get_variable("w", [2]).name == "s/w:0"


def test_name_scopes_of_variable_scopes():
    with tf.variable_scope("a"):
        assert tf.no_op(name="o").name == "a/o"
    with tf.variable_scope("a"):
        assert tf.no_op(name="o").name == "a_1/o"
        assert tf.get_variable_scope().name == "a"
    with tf.variable_scope(None, default_name="layer"):
        pass
    with tf.variable_scope(None, default_name="layer"):
        assert tf.get_variable("v", [1]).name == "layer_1/v:0"


def test_what_scopes_hand_down():
    with tf.variable_scope("s", initializer=tf.constant_initializer(3.0), dtype=tf.float64, use_resource=True):
        with tf.variable_scope("t"):
            v = tf.get_variable("v", [2])
        assert v.dtype.base_dtype == tf.float64 and type(v).__name__ == "ResourceVariable"
    with tf.Session() as sess:
        _init(sess)
        np.testing.assert_array_equal(sess.run(v), [3, 3])


def test_reuse_variables():
    with tf.variable_scope("s") as scope:
        a = tf.get_variable("v", [1])
        scope.reuse_variables()
        assert tf.get_variable("v") is a
    assert not tf.get_variable_scope().reuse


def test_regularizers():
    with tf.variable_scope("s", regularizer=lambda v: tf.reduce_sum(v) * 0.5):
        tf.get_variable("v", initializer=tf.ones([4]))
    (loss,) = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    with tf.Session() as sess:
        _init(sess)
        assert sess.run(loss) == 2


def test_custom_getters():
    def doubled(getter, name, *args, **kwargs):
        return getter(name, *args, **kwargs) * 2.0

    with tf.variable_scope("s", custom_getter=doubled):
        v = tf.get_variable("v", initializer=3.0)
    with tf.Session() as sess:
        _init(sess)
        assert sess.run(v) == 6


def test_custom_getters_need_not_know_constraints():
    def plain(getter, name, shape, dtype, initializer, regularizer, reuse, trainable, collections, caching_device,
              partitioner, validate_shape, use_resource, synchronization, aggregation):  # fmt: skip
        return getter(name, shape, dtype)

    def projected(value):
        return value

    with tf.variable_scope("s", custom_getter=plain, constraint=projected):
        assert tf.get_variable("v", [2]).constraint is projected


def test_what_initializers_may_be():
    assert tf.get_variable("a", initializer=lambda: tf.zeros([2]), dtype=tf.float64).shape == [2]
    assert tf.get_variable("b", initializer=lambda size=3: tf.zeros([size])).shape == [3]
    assert tf.get_variable("c", [2], initializer=tf.ones_initializer).shape == [2]
    with pytest.raises(TypeError):
        tf.get_variable("d", [2], initializer=lambda: tf.zeros([2]))
    with pytest.raises(
        ValueError, match="The initializer passed is not valid. It should be a callable with no arguments"
    ):
        tf.get_variable("e", initializer=lambda shape: tf.zeros(shape))
    with pytest.raises(ValueError, match="An initializer for variable f of <dtype: 'complex64'> is required"):
        tf.get_variable("f", [2], tf.complex64)
    with pytest.raises(
        ValueError, match="Initializer type '<dtype: 'float32'>' and explicit dtype '<dtype: 'int32'>' don"
    ):
        tf.get_variable("g", dtype=tf.int32, initializer=[1.0, 2.0])


def test_bad_requests():
    with pytest.raises(ValueError, match="`shape` should be fully defined"):
        tf.get_variable("a", [None])
    with pytest.raises(ValueError, match="If initializer is a constant, do not specify shape."):
        tf.get_variable("b", [2], initializer=[1.0, 2.0])
    with pytest.raises(ValueError, match="don't match"):
        tf.get_variable("c", dtype=tf.int32, initializer=tf.constant(1.0))


# -- Initializers ------------------------------------------------------------------------------------------------------


def _values(initializer, shape=(4,), dtype=None):
    with tf.Graph().as_default(), tf.Session() as sess:
        return sess.run(initializer(list(shape)) if dtype is None else initializer(list(shape), dtype))


def test_fixed_initializers():
    np.testing.assert_array_equal(_values(tf.zeros_initializer()), [0] * 4)
    np.testing.assert_array_equal(_values(tf.ones_initializer()), [1] * 4)
    np.testing.assert_array_equal(_values(tf.constant_initializer(3), dtype=tf.int32), [3] * 4)
    np.testing.assert_array_equal(_values(tf.constant_initializer([1, 2, 3, 4]), (2, 2)), [[1, 2], [3, 4]])
    np.testing.assert_array_equal(_values(tf.initializers.identity(), (2, 3)), [[1, 0, 0], [0, 1, 0]])


@pytest.mark.parametrize(
    ("initializer", "expected"),
    [
        (lambda: tf.random_normal_initializer(seed=1), [-0.81131822, 1.48459876, 0.06532937, -2.4427042]),
        (lambda: tf.truncated_normal_initializer(seed=2), [-0.85811085, -0.19662298, 0.13895047, -1.22127676]),
        (lambda: tf.random_uniform_initializer(0, 1, seed=1), [0.2390374, 0.92039955, 0.05051243, 0.49574447]),
    ],
)
def test_drawn_initializers(initializer, expected):
    np.testing.assert_allclose(_values(initializer()), expected, rtol=3e-7)


@pytest.mark.parametrize("kind", ["glorot_uniform", "glorot_normal", "he_normal", "he_uniform", "lecun_normal"])
def test_scaled_initializers(kind):
    value = _values(getattr(tf.initializers, kind)(seed=3), (200, 300))
    fan = {"g": 250, "h": 100, "l": 200}[kind[0]]  # half of the inputs for he, because its scale is 2
    assert abs(value.mean()) < 0.01 * np.sqrt(1 / fan) * 3
    assert abs(value.std() / np.sqrt(1 / fan) - 1) < 0.03


def test_graph_seeds_make_initializers_repeatable():
    def drawn():
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.set_random_seed(7)
            v = tf.get_variable("v", [3])
            _init(sess)
            return sess.run(v)

    np.testing.assert_array_equal(drawn(), drawn())


# -- VariableDef -------------------------------------------------------------------------------------------------------


def test_variables_travel_as_messages(sess, use_resource):
    v = tf.Variable([1.0, 2.0], name="s/v", use_resource=use_resource, trainable=False)
    message = v.to_proto()
    read = "Read/ReadVariableOp:0" if use_resource else "read:0"
    assert (message.variable_name, message.initializer_name) == ("s/v:0", "s/v/Assign")
    assert message.snapshot_name == f"s/v/{read}" and message.is_resource == use_resource and not message.trainable
    assert v.to_proto(export_scope="s").snapshot_name == f"v/{read}" and v.to_proto(export_scope="t") is None
    for again in (tf.Variable.from_proto(message), tf.Variable(variable_def=message)):
        assert type(again) is type(v) and again.op is v.op and again.initial_value is v.initial_value
        assert again.dtype == v.dtype and again.shape == [2] and not again.trainable
        assert again.to_proto() == message
    _init(sess)
    np.testing.assert_array_equal(sess.run(again + 1.0), [2, 3])
    sess.run(again.assign([3.0, 4.0]))
    np.testing.assert_array_equal(sess.run(v), [3, 4])
    assert tf.global_variables() == [v]


def test_messages_of_imported_graphs(sess, use_resource):
    with tf.Graph().as_default() as graph:
        message = tf.Variable(5.0, name="v", use_resource=use_resource).to_proto()
    tf.import_graph_def(graph.as_graph_def(), name="in")
    v = tf.Variable.from_proto(message, import_scope="in")
    sess.run(v.initializer)
    assert v.name == "in/v:0" and sess.run(v.value()) == 5
    with pytest.raises(KeyError, match="The name 'out/v:0' refers to a Tensor which does not exist."):
        tf.Variable.from_proto(message, import_scope="out")


def test_what_else_messages_hold(use_resource):
    v = tf.Variable(1.0, name="v", use_resource=use_resource, caching_device="/cpu:0")
    cached = tf.Variable.from_proto(v.to_proto())
    assert cached.value() is v.value() and "CPU:0" in cached.value().device
    assert cached._as_graph_element() is v._as_graph_element()
    piece = list(tf.get_variable("w", [4], partitioner=tf.fixed_size_partitioner(2), use_resource=use_resource))[1]
    info = tf.Variable.from_proto(piece.to_proto())._get_save_slice_info()
    assert (info.full_name, info.spec) == ("w", "4 2,2")


def test_bad_messages():
    message = tf.Variable(1.0).to_proto()
    with pytest.raises(ValueError, match="variable_def and initial_value are mutually exclusive."):
        tf.Variable(1.0, variable_def=message)
    with pytest.raises(TypeError, match="not a protocol-buffer message: 3"):
        tf.Variable(variable_def=3)
    with pytest.raises(TypeError, match="variable_def is not a VariableDef"):
        tf.Variable(variable_def=message.__class__().save_slice_info_def)


# -- Modes -------------------------------------------------------------------------------------------------------------


def test_modes_of_replicas_are_checked_and_kept():
    on_read = tf.VariableSynchronization.ON_READ
    v = tf.get_variable("v", [1], synchronization=on_read, aggregation=tf.VariableAggregation.MEAN)
    assert v.synchronization is on_read and v.aggregation is tf.VariableAggregation.MEAN and not v.trainable
    with pytest.raises(ValueError, match="Invalid variable synchronization mode: 99 for variable: w"):
        tf.get_variable("w", [1], synchronization=99)
    with pytest.raises(ValueError, match="Invalid variable aggregation mode: 99 for variable: w"):
        tf.Variable(1.0, name="w", aggregation=99)


# -- Reuse and names of nested scopes ------------------------------------------------------------------------------------


def test_reuse_in_nested_scopes():
    root = tf.get_variable_scope()
    with tf.variable_scope("a") as a:
        pass
    with tf.variable_scope("b", reuse=True):
        with tf.variable_scope("c", reuse=False) as c:
            assert c.reuse is True  # inherited by scopes opened by name,
        for again in (a, root):
            with tf.variable_scope(again) as scope:
                assert scope.reuse is False  # but not by scopes entered as objects
    with tf.variable_scope(c) as scope:
        assert scope.reuse is True


def test_the_name_scopes_of_scopes_entered_again():
    root = tf.get_variable_scope()
    with tf.variable_scope("a") as a:
        pass
    with tf.name_scope("n"):
        for scope, name, original, op in [
            ("v", "v", "n/v/", "n/v/o"),
            (a, "a", "a/", "n/a/o"),
            (root, "", "", "n/o"),
            ("", "", "", "n/o_1"),
        ]:
            with tf.variable_scope(scope) as opened:
                assert (opened.name, opened.original_name_scope) == (name, original)
                assert tf.no_op(name="o").name == op
        with tf.variable_scope("w", auxiliary_name_scope=False) as opened:
            assert (opened.name, opened.original_name_scope) == ("w", "n/")


def test_constraints_are_for_the_scope_itself():
    with tf.variable_scope("s", constraint=tf.nn.relu) as scope:
        assert tf.get_variable("v", [1]).constraint is tf.nn.relu
        with tf.variable_scope("t"):
            assert tf.get_variable("v", [1]).constraint is None
    with tf.variable_scope(scope):
        assert tf.get_variable("w", [1]).constraint is None


# -- Names of scopes with default names --------------------------------------------------------------------------------


def _default_scopes(*names):
    made = []
    for name in names:
        with tf.variable_scope(None, name) as scope:
            made.append(scope.name)
    return made


def test_leaving_a_scope_forgets_the_names_inside():
    assert _default_scopes("l", "l") == ["l", "l_1"]
    for _ in range(2):
        with tf.variable_scope("a"):
            assert _default_scopes("l", "l") == ["a/l", "a/l_1"]
    with tf.variable_scope(""):
        assert _default_scopes("l") == ["l_2"]
    assert _default_scopes("l") == ["l_3"]


def test_leaving_a_scope_entered_as_an_object_restores_the_names():
    with tf.variable_scope("a") as a:
        pass
    for _ in range(2):
        with tf.variable_scope(a):
            assert _default_scopes("x") == ["a/x"]
            with tf.variable_scope(a):
                assert _default_scopes("x", "y") == ["a/x_1", "a/y"]
            assert _default_scopes("y") == ["a/y"]
    for _ in range(2):
        with tf.variable_scope(tf.get_variable_scope()):
            assert _default_scopes("z", "z") == ["z", "z_1"]


# -- Uninitialized variables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "update",
    [
        lambda v: tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.constant([1.0]), v)]),
        lambda v: tf.train.MomentumOptimizer(0.1, 0.9).apply_gradients([(tf.constant([1.0]), v)]),
        lambda v: tf.train.RMSPropOptimizer(0.1).apply_gradients([(tf.constant([1.0]), v)]),
        lambda v: tf.scatter_add(v, [0], [1.0]),
        lambda v: tf.assign_add(v, [1.0]),
        lambda v: v,
    ],
)
def test_updates_of_uninitialized_variables(sess, update):
    v = tf.Variable([1.0], name="v", use_resource=False)
    with pytest.raises(tf.errors.FailedPreconditionError, match="Attempting to use uninitialized value v\n"):
        sess.run(update(v))


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("iadd", 10.0, "Variable += will be deprecated. Use variable.assign_add if you want assignment to the variable value "
         "or 'x = x + y' if you want a new python Tensor object."),
        ("isub", 6.0, "Variable -= will be deprecated. Use variable.assign_sub if you want assignment to the variable value "
         "or 'x = x - y' if you want a new python Tensor object."),
        ("imul", 16.0, "Variable *= will be deprecated. Use `var.assign(var * other)` if you want assignment to the variable "
         "value or `x = x * y` if you want a new python Tensor object."),
        ("itruediv", 4.0, "Variable /= will be deprecated. Use `var.assign(var / other)` if you want assignment to the "
         "variable value or `x = x / y` if you want a new python Tensor object."),
        ("ipow", 64.0, "Variable **= will be deprecated. Use `var.assign(var ** other)` if you want assignment to the "
         "variable value or `x = x ** y` if you want a new python Tensor object."),
    ],
)  # fmt: skip
def test_augmented_assignment_makes_a_tensor_and_warns_once(sess, caplog, name, value, advice):
    v = tf.Variable(8.0, use_resource=False)
    sess.run(v.initializer)
    line = compile("[update(v, 2.0) for _ in range(2)]", f"<{name}>", "eval")
    results = eval(line, {"v": v, "update": getattr(operator, name)})
    assert [(type(t), sess.run(t)) for t in results] == [(tf.Tensor, value)] * 2
    assert sess.run(v) == 8
    assert [record.getMessage() for record in caplog.records] == [advice]
