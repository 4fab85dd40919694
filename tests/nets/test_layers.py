"""Layers in eager execution, copies of layers, and attributes that are assigned early."""

import copy

import numpy as np

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.layers.base import BaseLayer
from tinytf._src.layers.scoped import Layer


class Dense(BaseLayer):
    def build(self, shape):
        self.kernel = self.add_weight("kernel", [shape[-1], 2], initializer="ones", regularizer=tf.reduce_sum)
        self.built = True

    def call(self, x):
        self.add_loss(tf.reduce_sum(x))
        return tf.matmul(x, self.kernel)


class Scoped(Layer):
    def build(self, shape):
        self.kernel = self.add_weight("kernel", [shape[-1], 2], initializer="ones", regularizer=tf.reduce_sum)
        self.built = True

    def call(self, x):
        return tf.matmul(x, self.kernel)


def test_an_eager_layer_has_the_losses_of_its_last_call_and_of_its_variables():
    with eager_mode(), tf.EagerSession():
        layer = Dense(activity_regularizer=tf.reduce_sum)
        for factor in (1.0, 2.0):
            layer(tf.fill([2, 3], factor))
        assert [float(loss) for loss in layer.losses] == [12.0, 12.0, 6.0]
        layer.set_weights([np.zeros((3, 2))])
        assert float(layer.losses[-1]) == 0.0


def test_the_variables_of_an_eager_layer_are_restored_when_they_are_made(tmp_path):
    with eager_mode(), tf.EagerSession():
        layer = Dense()
        layer(tf.ones([1, 3]))
        layer.set_weights([np.full((3, 2), 5.0)])
        path = tf.train.Checkpoint(layer=layer).save(str(tmp_path / "c"))
        restored = Dense()
        status = tf.train.Checkpoint(layer=restored).restore(path)
        restored(tf.ones([1, 3]))
        status.assert_consumed()
        assert restored.get_weights()[0].tolist() == [[5.0, 5.0]] * 3


def test_variables_assigned_before_the_base_class_is_initialized_belong_to_the_layer():
    class Early(BaseLayer):
        def __init__(self):
            self.w = tf.Variable(1.0, name="w")
            super().__init__(trainable=True)

    with tf.Graph().as_default():
        assert [variable.name for variable in Early().weights] == ["w:0"]


def test_a_copy_of_a_scoped_layer_has_variables_of_its_own():
    with tf.Graph().as_default():
        layer = Scoped(name="one")
        copied = copy.deepcopy(layer)
        layer(tf.ones([1, 3]))
        assert copied.weights == [] and not copied.built
        copied(tf.ones([1, 3]))
        assert [variable.name for variable in copied.weights] == ["one_1/kernel:0"]
        assert [loss.op.name for loss in copied.losses] == ["one_1/kernel/Regularizer/Sum"]
        assert len(layer.losses) == 1


def test_a_copy_shares_tensors():
    with tf.Graph().as_default():
        layer = Scoped()
        layer.given = [tf.ones([2])]
        layer.table = {"a": [1]}
        copied = copy.deepcopy(layer)
        assert copied.given[0] is layer.given[0]
        assert copied.table == layer.table and copied.table["a"] is not layer.table["a"]


def test_a_failing_call_leaves_the_layer_usable():
    class Fails(Scoped):
        def call(self, x, fail=False):
            if fail:
                raise KeyError("call")
            self.add_update(tf.negative(x))
            return super().call(x)

    with tf.Graph().as_default():
        layer, x = Fails(), tf.ones([1, 3])
        try:
            layer(x, fail=True)
        except KeyError:
            pass
        assert tf.get_variable_scope().name == ""
        assert layer(x).op.name == "fails/MatMul"
        assert [update.name for update in layer.get_updates_for(x)] == ["fails/Neg"]
