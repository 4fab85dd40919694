"""Every optimizer agrees with its rule in NumPy, for reference and resource variables and dense and sparse
gradients.
"""

import numpy as np
import pytest
from training import reference_optimizers as reference

import tinytf as tf
from tinytf import train

_STEPS = 4

# name → (optimizer, made from a global step; rule with initial slots; whether rows without a gradient stay unchanged)
_CASES = {
    "GradientDescent": (lambda s: train.GradientDescentOptimizer(0.1), reference.gradient_descent(0.1), True),
    "Momentum": (lambda s: train.MomentumOptimizer(0.1, 0.9), reference.momentum(0.1, 0.9), True),
    "Momentum nesterov": (
        lambda s: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        reference.momentum(0.1, 0.9, nesterov=True),
        True,
    ),
    "Adam": (lambda s: train.AdamOptimizer(0.05), reference.adam(0.05), False),
    "Adam betas": (
        lambda s: train.AdamOptimizer(0.05, 0.5, 0.75, 0.01),
        reference.adam(0.05, 0.5, 0.75, 0.01),
        False,
    ),
    "RMSProp": (lambda s: train.RMSPropOptimizer(0.1), reference.rms_prop(0.1), True),
    "RMSProp momentum": (
        lambda s: train.RMSPropOptimizer(0.1, 0.8, 0.5, 0.01),
        reference.rms_prop(0.1, 0.8, 0.5, 0.01),
        True,
    ),
    "RMSProp centered": (
        lambda s: train.RMSPropOptimizer(0.1, 0.8, 0.5, 0.01, centered=True),
        reference.rms_prop(0.1, 0.8, 0.5, 0.01, centered=True),
        True,
    ),
    "Adagrad": (lambda s: train.AdagradOptimizer(0.1, 0.3), reference.adagrad(0.1, 0.3), True),
    "Adadelta": (lambda s: train.AdadeltaOptimizer(0.5, 0.9, 1e-4), reference.adadelta(0.5, 0.9, 1e-4), True),
    "ProximalGradientDescent": (
        lambda s: train.ProximalGradientDescentOptimizer(0.1, 0.2, 0.3),
        reference.proximal_gradient_descent(0.1, 0.2, 0.3),
        True,
    ),
    "ProximalAdagrad": (
        lambda s: train.ProximalAdagradOptimizer(0.1, 0.3, 0.2, 0.1),
        reference.proximal_adagrad(0.1, 0.3, 0.2, 0.1),
        True,
    ),
    "Ftrl": (lambda s: train.FtrlOptimizer(0.5), reference.ftrl(0.5), True),
    "Ftrl penalties": (
        lambda s: train.FtrlOptimizer(0.5, -0.6, 0.2, l1_regularization_strength=0.1, l2_regularization_strength=0.2),
        reference.ftrl(0.5, -0.6, 0.2, l1=0.1, l2=0.2),
        True,
    ),
    "Ftrl shrinkage": (
        lambda s: train.FtrlOptimizer(0.5, l2_shrinkage_regularization_strength=0.1),
        reference.ftrl(0.5, shrinkage=0.1),
        True,
    ),
    "AdagradDA": (
        lambda s: train.AdagradDAOptimizer(0.5, s, 0.2, 0.01, 0.02),
        reference.adagrad_da(0.5, 0.2, 0.01, 0.02),
        True,
    ),
}


def _initial(dtype):
    return np.linspace(-1, 1, 8).reshape(4, 2).astype(dtype)


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", _CASES)
def test_dense(case, dtype, use_resource):
    make, (rule, slots), _ = _CASES[case]
    w = tf.Variable(_initial(dtype), name="w", use_resource=use_resource)
    step = train.create_global_step()
    grad = tf.placeholder(dtype, [4, 2])
    optimizer = make(step)
    train_op = optimizer.minimize(tf.reduce_sum(w * grad), global_step=step)
    expected, state = _initial(np.float64), {k: np.full([4, 2], v) for k, v in slots.items()}
    random = np.random.RandomState(1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for t in range(1, _STEPS + 1):
            value = random.uniform(-1, 1, [4, 2]).astype(dtype)
            sess.run(train_op, {grad: value})
            rule(expected, state, value.astype(np.float64), t)
        rtol = 2e-5 if dtype is np.float32 else 1e-6  # rates are float32 before the cast
        np.testing.assert_allclose(sess.run(w), expected, rtol=rtol, atol=rtol)
        assert optimizer.get_slot_names() == sorted(slots)
        for name, value in state.items():
            np.testing.assert_allclose(sess.run(optimizer.get_slot(w, name)), value, rtol=rtol, atol=rtol)
        assert sess.run(step) == _STEPS


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
@pytest.mark.parametrize("index_dtype", [tf.int32, tf.int64], ids=["int32", "int64"])
@pytest.mark.parametrize("case", _CASES)
def test_sparse_with_repeated_rows(case, index_dtype, use_resource):
    make, (rule, slots), rows_stay = _CASES[case]
    w = tf.Variable(_initial(np.float32), name="w", use_resource=use_resource)
    step = train.create_global_step()
    grad = tf.placeholder(tf.float32, [3, 2])
    indices = tf.constant([2, 0, 2], index_dtype)
    optimizer = make(step)
    slices = tf.IndexedSlices(grad, indices, tf.constant([4, 2]))
    train_op = optimizer.apply_gradients([(slices, w)], global_step=step)
    expected, state = _initial(np.float64), {k: np.full([4, 2], v) for k, v in slots.items()}
    random = np.random.RandomState(2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for t in range(1, _STEPS + 1):
            value = random.uniform(-1, 1, [3, 2]).astype(np.float32)
            sess.run(train_op, {grad: value})
            total = np.zeros([4, 2])
            np.add.at(total, [2, 0, 2], value)
            if not rows_stay:
                rule(expected, state, total, t)
                continue
            for row in (0, 2):
                rule(expected[row], {k: v[row] for k, v in state.items()}, total[row], t)
        np.testing.assert_allclose(sess.run(w), expected, rtol=2e-5, atol=2e-5)
        for name, value in state.items():
            np.testing.assert_allclose(sess.run(optimizer.get_slot(w, name)), value, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_gathered_rows_have_sparse_gradients(use_resource):
    w = tf.Variable(_initial(np.float32), name="w", use_resource=use_resource)
    optimizer = train.GradientDescentOptimizer(1.0)
    pairs = optimizer.compute_gradients(tf.reduce_sum(tf.gather(w, [1, 1, 3])))
    assert isinstance(pairs[0][0], tf.IndexedSlices) and pairs[0][1] is w
    train_op = optimizer.apply_gradients(pairs)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        np.testing.assert_allclose(sess.run(w), _initial(np.float32) - [[0], [2], [0], [1]], rtol=1e-6)


@pytest.mark.parametrize("case", ["Momentum", "Adam", "RMSProp", "Adagrad", "Adadelta"])
def test_half_precision(case):
    make, (rule, slots), _ = _CASES[case]
    w = tf.Variable(_initial(np.float16), name="w")
    train_op = make(None).minimize(tf.reduce_sum(w * tf.constant(0.5, tf.float16)))
    expected, state = _initial(np.float64), {k: np.full([4, 2], v) for k, v in slots.items()}
    rule(expected, state, np.full([4, 2], 0.5), 1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        np.testing.assert_allclose(sess.run(w).astype(np.float64), expected, atol=1e-2)


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_hyperparameters_may_be_tensors_and_functions(use_resource):
    w = tf.Variable([1.0], use_resource=use_resource)
    rate = tf.placeholder(tf.float32, [])
    train_op = train.MomentumOptimizer(rate, lambda: 0.5).minimize(w[0] * 2.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op, {rate: 0.1})
        np.testing.assert_allclose(sess.run(w), [0.8], rtol=1e-6)
        sess.run(train_op, {rate: 0.01})
        np.testing.assert_allclose(sess.run(w), [0.77], rtol=1e-6)


def test_numbers_out_of_range():
    for make, message in (
        (lambda: train.AdagradOptimizer(1.0, 0.0), "initial_accumulator_value must be positive: 0.0"),
        (lambda: train.FtrlOptimizer(1.0, 0.5), "learning_rate_power 0.500000 needs to be negative or zero"),
        (
            lambda: train.FtrlOptimizer(1.0, l1_regularization_strength=-1.0),
            "l1_regularization_strength -1.000000 needs to be positive or zero",
        ),
        (lambda: train.ProximalAdagradOptimizer(1.0, -1.0), "initial_accumulator_value must be positive: -1.0"),
        (
            lambda: train.AdagradDAOptimizer(1.0, None, 0.0),
            "initial_gradient_squared_accumulator_value must be positive: 0.0",
        ),
        (lambda: train.GradientDescentOptimizer(1.0, name=""), "Must specify the optimizer name"),
    ):
        with pytest.raises(ValueError) as raised:
            make()
        assert str(raised.value) == message
