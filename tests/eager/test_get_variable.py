"""`tf.get_variable` in eager execution makes a new variable on each call, unless a store keeps them."""

import gc
import weakref

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.variables.eager_store import EagerVariableStore
from tinytf._src.variables.store import VariableStore

pytestmark = pytest.mark.usefixtures("eager")


def test_each_call_makes_a_variable():
    first, second = tf.get_variable("v", [2]), tf.get_variable("v", [2])
    assert first is not second
    assert (first.name, second.name) == ("v:0", "v:0")


def test_scopes_name_variables_and_share_nothing():
    with tf.variable_scope("a", reuse=True) as scope:
        assert scope.reuse is tf.AUTO_REUSE
        assert scope.use_resource
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        with tf.variable_scope("b"):
            assert tf.get_variable("v", []).name == "a/b/v:0"
        w = tf.get_variable("v", [3])
    assert (v.name, w.name) == ("a/v:0", "a/v:0")
    np.testing.assert_array_equal(v.numpy(), [1.0, 1.0])
    assert w.shape.as_list() == [3]


def test_defaults_of_the_scope_hold():
    with tf.variable_scope("a", initializer=tf.constant_initializer(3.0), dtype=tf.float64):
        v = tf.get_variable("v", [])
    assert v.dtype == tf.float64
    assert float(v) == 3.0


def test_default_names_of_scopes_are_made_unique():
    names = []
    for _ in range(2):
        with tf.variable_scope(None, "layer"):
            names.append(tf.get_variable("v", []).name)
    assert names == ["layer/v:0", "layer_1/v:0"]


def test_variables_live_as_long_as_the_program_refers_to_them():
    gone = weakref.ref(tf.get_variable("v", [2]))
    gc.collect()
    assert gone() is None
    assert tf.global_variables() == []
    assert tf.trainable_variables() == []


def test_regularizers_are_called():
    tf.get_variable("v", [2], initializer=tf.ones_initializer(), regularizer=lambda v: 2.0 * tf.reduce_sum(v))
    [loss] = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert float(loss) == 4.0
    tf.reset_default_graph()


def test_custom_getters_come_in_between():
    def doubled(getter, name, *args, **kwargs):
        return 2.0 * getter(name, *args, **kwargs)

    with tf.variable_scope("a", custom_getter=doubled):
        assert float(tf.get_variable("v", [], initializer=tf.ones_initializer())) == 2.0


def test_reuse_needs_a_store():
    def shared(getter, name, *args, **kwargs):
        return getter(name, *args, **{**kwargs, "reuse": True})

    with pytest.raises(RuntimeError, match="variable reuse is only supported when an EagerVariableStore is active"):
        tf.get_variable("v", [], custom_getter=shared)


def test_what_is_not_supported_says_so():
    with pytest.raises(NotImplementedError, match="Caching devices is not yet supported"):
        with tf.variable_scope("a", caching_device="/cpu:0"):
            pass
    with tf.variable_scope("a") as scope:
        with pytest.raises(NotImplementedError, match="Caching devices are not yet supported"):
            scope.set_caching_device("/cpu:0")
        with pytest.raises(ValueError, match="use_resource cannot be set to false"):
            scope.set_use_resource(False)


def test_a_store_keeps_variables_and_shares_them():
    store = EagerVariableStore()
    with store.as_default():
        with tf.variable_scope("a"):
            v = tf.get_variable("v", [2])
            assert tf.get_variable("v", [2]) is v
            frozen = tf.get_variable("f", [], trainable=False)
        with pytest.raises(ValueError, match=r"specified shape \(3,\) and found shape \(2,\)"):
            with tf.variable_scope("a"):
                tf.get_variable("v", [3])
        assert tf.trainable_variables() == [v]
    assert store.variables() == [frozen, v]
    assert store.trainable_variables() == [v]
    assert store.non_trainable_variables() == [frozen]
    with tf.variable_scope("a"):
        assert tf.get_variable("v", [2]) is not v
    tf.reset_default_graph()


def test_a_store_is_copied_with_its_variables():
    store = EagerVariableStore()
    with store.as_default():
        v = tf.get_variable("v", [], initializer=tf.ones_initializer(), trainable=False)
    [twin] = store.copy().variables()
    v.assign(5.0)
    assert (twin.name, float(twin), twin.trainable) == ("v:0", 1.0, False)
    tf.reset_default_graph()


def test_a_store_must_keep_eager_variables():
    with pytest.raises(ValueError, match="does not hold eager variables"):
        EagerVariableStore(VariableStore())


def test_partitioned_variables_are_made_of_eager_ones():
    v = tf.get_variable("v", [4], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2))
    assert [part.name for part in v] == ["v/part_0:0", "v/part_1:0"]
    np.testing.assert_array_equal(tf.convert_to_tensor(v).numpy(), np.ones(4))


def test_initializers_of_variables_do_nothing():
    v = tf.Variable(1.0)
    assert tf.global_variables_initializer() is None
    assert tf.local_variables_initializer() is None
    assert tf.variables_initializer([v]) is None
    assert tf.report_uninitialized_variables([v]).shape.as_list() == [0]
