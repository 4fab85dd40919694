"""Optimizers in eager execution take bitwise the same steps as in a graph."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode

_STEPS = 3
_OPTIMIZERS = {
    "GradientDescent": lambda step: tf.train.GradientDescentOptimizer(0.1),
    "Adam": lambda step: tf.train.AdamOptimizer(0.1),
    "Momentum": lambda step: tf.train.MomentumOptimizer(0.1, 0.9),
    "Nesterov": lambda step: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "RMSProp": lambda step: tf.train.RMSPropOptimizer(0.1),
    "RMSProp, centered": lambda step: tf.train.RMSPropOptimizer(0.1, centered=True, momentum=0.5),
    "Adagrad": lambda step: tf.train.AdagradOptimizer(0.1),
    "Adadelta": lambda step: tf.train.AdadeltaOptimizer(0.1),
    "Ftrl": lambda step: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
    "AdagradDA": lambda step: tf.train.AdagradDAOptimizer(0.1, step),
    "ProximalGradientDescent": lambda step: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.01),
    "ProximalAdagrad": lambda step: tf.train.ProximalAdagradOptimizer(0.1, l2_regularization_strength=0.01),
}


def _dense():
    return [tf.constant(np.linspace(-1, 1, 4, dtype=np.float32)), tf.constant([[1.0, 0.5], [-2.0, 0.0]])]


def _sparse():
    repeated = tf.IndexedSlices(tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 2, 0]))
    return [repeated, tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]))]


def _problem(make, gradients):
    step = tf.train.get_or_create_global_step()
    a = tf.Variable([1.0, 2.0, 3.0, 4.0], name="a", use_resource=True)
    b = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="b", use_resource=True)
    return step, [a, b], make(step), list(zip(gradients(), [a, b], strict=True))


def _eager_steps(make, gradients):
    with eager_mode(), tf.EagerSession():
        step, variables, optimizer, pairs = _problem(make, gradients)
        for _ in range(_STEPS):
            assert optimizer.apply_gradients(pairs, step) is None
        state = [*variables, *optimizer.variables(), step]
        result = {v.name: v.numpy() for v in state}
        tf.reset_default_graph()  # the default graph keeps the global step
    return result


def _graph_steps(make, gradients):
    with tf.Graph().as_default(), tf.Session() as sess:
        step, variables, optimizer, pairs = _problem(make, gradients)
        train = optimizer.apply_gradients(pairs, step)
        sess.run(tf.global_variables_initializer())
        for _ in range(_STEPS):
            sess.run(train)
        state = [*variables, *optimizer.variables(), step]
        return {v.name: value for v, value in zip(state, sess.run(state), strict=True)}


@pytest.mark.parametrize("gradients", [_dense, _sparse])
@pytest.mark.parametrize("name", _OPTIMIZERS)
def test_steps_and_state_are_those_of_a_graph(name, gradients):
    executed, run = _eager_steps(_OPTIMIZERS[name], gradients), _graph_steps(_OPTIMIZERS[name], gradients)
    assert list(executed) == list(run)
    for variable, value in run.items():
        np.testing.assert_array_equal(executed[variable], value, err_msg=variable)
    assert executed["global_step:0"] == _STEPS


@pytest.mark.usefixtures("eager")
def test_slots_are_variables_of_the_optimizer():
    v = tf.Variable([1.0, 2.0], name="v")
    optimizer = tf.train.AdamOptimizer(0.1)
    assert optimizer.get_slot(v, "m") is None
    optimizer.apply_gradients([(tf.constant([1.0, 1.0]), v)])
    assert optimizer.get_slot_names() == ["m", "v"]
    assert optimizer.get_slot(v, "m").name == "v/Adam:0"
    np.testing.assert_allclose(optimizer.get_slot(v, "m").numpy(), [0.1, 0.1], rtol=1e-6)
    assert not optimizer.get_slot(v, "m").trainable
    names = ["beta1_power:0", "beta2_power:0", "v/Adam:0", "v/Adam_1:0"]
    assert [s.name for s in optimizer.variables()] == names


@pytest.mark.usefixtures("eager")
def test_variables_of_one_name_have_slots_of_their_own():
    v, w = tf.Variable([1.0], name="v"), tf.Variable([2.0], name="v")
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    optimizer.apply_gradients([(tf.constant([1.0]), v), (tf.constant([2.0]), w)])
    np.testing.assert_array_equal(optimizer.get_slot(v, "momentum").numpy(), [1.0])
    np.testing.assert_array_equal(optimizer.get_slot(w, "momentum").numpy(), [2.0])


@pytest.mark.usefixtures("eager")
def test_hyperparameters_may_be_functions_which_each_step_calls():
    rates = iter([0.5, 0.25])
    v = tf.Variable(1.0)
    optimizer = tf.train.GradientDescentOptimizer(lambda: next(rates))
    for expected in (0.5, 0.25):
        optimizer.apply_gradients([(tf.constant(1.0), v)])
        assert float(v) == expected


@pytest.mark.usefixtures("eager")
def test_hyperparameters_may_change_between_steps():
    v = tf.Variable(1.0)
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    optimizer.apply_gradients([(tf.constant(1.0), v)])
    optimizer._learning_rate = 0.25
    optimizer.apply_gradients([(tf.constant(1.0), v)])
    assert float(v) == 0.25


def test_one_optimizer_serves_several_sessions():
    optimizer = tf.train.MomentumOptimizer(0.5, 0.9)
    for _ in range(2):
        with eager_mode(), tf.EagerSession():
            v = tf.Variable(1.0)
            optimizer.apply_gradients([(tf.constant(1.0), v)])
            assert float(v) == 0.5


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("dtype", [tf.float16, tf.float64])
def test_hyperparameters_take_the_type_of_each_variable(dtype):
    v, w = tf.Variable([1.0], dtype=dtype), tf.Variable([1.0])
    optimizer = tf.train.AdamOptimizer(0.5)
    optimizer.apply_gradients([(tf.constant([1.0], dtype), v), (tf.constant([1.0]), w)])
    assert optimizer.get_slot(v, "m").dtype == dtype
    np.testing.assert_allclose(v.numpy(), [0.5], rtol=1e-3)
    np.testing.assert_allclose(w.numpy(), [0.5], rtol=1e-6)


@pytest.mark.usefixtures("eager")
def test_constraints_follow_updates():
    v = tf.Variable([1.0, 1.0], constraint=lambda x: tf.maximum(x, 0.0))
    tf.train.GradientDescentOptimizer(1.0).apply_gradients([(tf.constant([0.5, 3.0]), v)])
    np.testing.assert_array_equal(v.numpy(), [0.5, 0.0])


@pytest.mark.usefixtures("eager")
def test_variables_without_gradient_are_left_alone():
    v, w = tf.Variable(1.0), tf.Variable(1.0)
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    optimizer.apply_gradients([(None, v), (tf.constant(1.0), w)])
    assert (float(v), float(w)) == (1.0, 0.0)
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        optimizer.apply_gradients([(None, v)])
    with pytest.raises(ValueError, match="No variables provided."):
        optimizer.apply_gradients([])


@pytest.mark.usefixtures("eager")
def test_loss_must_be_a_function():
    v = tf.Variable(1.0)
    for method in ("minimize", "compute_gradients"):
        with pytest.raises(RuntimeError, match="should be a function when eager execution is enabled."):
            getattr(tf.train.GradientDescentOptimizer(1.0), method)(v * v)


@pytest.mark.usefixtures("eager")
def test_clipped_gradients_can_be_applied():
    v = tf.Variable([3.0, 4.0])
    clipped, norm = tf.clip_by_global_norm([tf.constant([3.0, 4.0])], 1.0)
    tf.train.GradientDescentOptimizer(1.0).apply_gradients(zip(clipped, [v], strict=True))
    assert float(norm) == 5.0
    np.testing.assert_allclose(v.numpy(), [2.4, 3.2], rtol=1e-6)


@pytest.mark.usefixtures("eager")
def test_falling_learning_rates_are_asked_at_each_step():
    v, step = tf.Variable(1.0), tf.Variable(0, dtype=tf.int64)
    optimizer = tf.train.GradientDescentOptimizer(tf.train.piecewise_constant(step, [0], [0.5, 0.25]))
    for expected in (0.5, 0.25):
        optimizer.apply_gradients([(tf.constant(1.0), v)], step)
        assert float(v) == expected
