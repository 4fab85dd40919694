"""Optimizer ops with strengths, gradients and variables at the limits of their domains; their rows test the steps."""

import numpy as np
import pytest

import tinytf as tf
from tinytf import _core
from tinytf._gen import gen_ops

GRAD = np.array([[0.5, -2.0], [1.0, 3.0], [-1.0, 0.25]], np.float32)
START = np.array([[1.0, 2.0], [-1.0, 0.5], [3.0, -2.0]], np.float32)

# Op name: initial slots, and the inputs after them ("grad" is the gradient).
DENSE = {
    "gradient_descent": ([], [0.1, "grad"]),
    "proximal_gradient_descent": ([], [0.1, 0.01, 0.02, "grad"]),
    "momentum": ([0.5], [0.1, "grad", 0.9]),
    "adagrad": ([0.1], [0.1, "grad"]),
    "adagrad_v2": ([0.1], [0.1, 1e-3, "grad"]),
    "proximal_adagrad": ([0.1], [0.1, 0.01, 0.02, "grad"]),
    "adadelta": ([0.1, 0.2], [1.0, 0.9, 1e-3, "grad"]),
    "adam": ([0.1, 0.2], [0.9, 0.999, 0.01, 0.9, 0.999, 1e-8, "grad"]),
    "ada_max": ([0.1, 0.2], [0.9, 0.01, 0.9, 0.999, 1e-8, "grad"]),
    "rms_prop": ([1.0, 0.0], [0.01, 0.9, 0.8, 1e-3, "grad"]),
    "centered_rms_prop": ([0.0, 1.0, 0.0], [0.01, 0.9, 0.8, 1e-3, "grad"]),
    "ftrl": ([0.1, 0.0], ["grad", 0.1, 0.01, 0.02, -0.5]),
    "ftrl_v2": ([0.1, 0.0], ["grad", 0.1, 0.01, 0.02, 0.03, -0.5]),
    "add_sign": ([0.1], [0.1, 1.0, 0.9, 0.8, "grad"]),
    "power_sign": ([0.1], [0.1, 1.0, 0.9, 0.8, "grad"]),
}
SPARSE = [
    "proximal_gradient_descent",
    "momentum",
    "adagrad",
    "adagrad_v2",
    "proximal_adagrad",
    "adadelta",
    "rms_prop",
    "centered_rms_prop",
    "ftrl",
    "ftrl_v2",
]


_STRENGTHS = [op for op in _core.op_names() if "Apply" in op and any(a[0] == "l1" for a in _core.op_def(op)["inputs"])]


def _stepped(op, l1):
    """The variable and its slots after a step with an L1 strength; None if the op refuses it."""
    names = [a[0] for a in _core.op_def(op)["inputs"]]
    given = {"lr": 0.1, "alpha": 0.1, "l1": l1, "l2": 0.2, "l2_shrinkage": 0.3, "lr_power": -0.5}
    use_resource = op.startswith("Resource")
    variables, inputs = [], {}
    for name in names:
        if name in given:
            inputs[name] = given[name]
        elif name == "global_step":
            inputs[name] = tf.constant(3, tf.int64)
        elif name == "indices":
            inputs[name] = [0, 1, 2]
        elif name in ("grad", "gradient", "delta"):
            inputs[name] = GRAD
        else:
            variables.append(
                tf.Variable(START if name == "var" else np.full_like(START, 0.5), use_resource=use_resource)
            )
            inputs[name] = variables[-1].handle if use_resource else variables[-1]._ref()
    step = getattr(tf.raw_ops, op)(**inputs)
    with tf.Session() as sess:
        sess.run([v.initializer for v in variables])
        try:
            sess.run(step)
        except tf.errors.InvalidArgumentError as error:
            assert "l1 regularization strength is not a non-negative scalar" in str(error)
            return None
        return sess.run([v.read_value() for v in variables])


@pytest.mark.parametrize("op", _STRENGTHS)
@pytest.mark.parametrize("l1", [-0.5, -np.inf, np.nan])
def test_strengths_that_are_not_positive_do_not_count(op, l1):
    got = _stepped(op, l1)
    if got is not None:
        for a, b in zip(got, _stepped(op, 0.0), strict=True):
            np.testing.assert_array_equal(a, b)
    assert not np.array_equal(_stepped(op, 0.01)[0], _stepped(op, 0.0)[0])


def test_reads_before_a_step_keep_their_value():
    v = tf.Variable([1.0, 2.0], use_resource=True)
    before = v.read_value()
    with tf.control_dependencies([before]):
        step = gen_ops.resource_apply_gradient_descent(v.handle, 1.0, [1.0, 1.0])
    with tf.control_dependencies([step]):
        after = v.read_value()
    with tf.Session() as sess:
        sess.run(v.initializer)
        old, new = sess.run([before, after])
    np.testing.assert_array_equal(old, [1, 2])
    np.testing.assert_array_equal(new, [0, 1])


def test_uninitialised_variable():
    v = tf.Variable([1.0, 2.0])
    step = gen_ops.apply_gradient_descent(v._ref(), 1.0, [1.0, 1.0])
    with tf.Session() as sess, pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized"):
        sess.run(step)


def _outcome(fetch, *ran):
    """The message of the error, or None."""
    with tf.Session() as session:
        session.run([v.initializer for v in ran])
        try:
            session.run(fetch)
        except tf.errors.FailedPreconditionError as e:
            return e.message.splitlines()[0]


@pytest.mark.parametrize(("name", "sparse"), [(name, False) for name in DENSE] + [(name, True) for name in SPARSE])
def test_uninitialized_variables_are_named(name, sparse):
    slots, inputs = DENSE[name]
    variables = [tf.Variable(START, name=f"v{i}") for i in range(len(slots) + 1)]
    arguments = [v._ref() for v in variables] + [tf.constant(GRAD if v == "grad" else np.float32(v)) for v in inputs]
    if sparse:
        arguments.insert(len(variables) + inputs.index("grad") + 1, tf.constant([0, 1, 2]))
    step = getattr(gen_ops, f"{'sparse_' if sparse else ''}apply_{name}")(*arguments)
    for i, variable in enumerate(variables):
        others = [v for v in variables if v is not variable]
        assert _outcome(step, *others) == f"Attempting to use uninitialized value v{i}"
    assert _outcome(step, *variables) is None


def _one_step(make, slots, grad):
    """The values of a variable of one row and its slots after one step of an op."""
    variables = [tf.Variable([value], use_resource=True, dtype=tf.float32) for value in (1.0, *slots)]
    step = make([v.handle for v in variables], tf.constant([grad], tf.float32))
    with tf.Session() as sess:
        sess.run([v.initializer for v in variables])
        sess.run(step)
        return [value[0] for value in sess.run([v.read_value() for v in variables])]


@pytest.mark.parametrize("keras", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
def test_momentum_with_an_infinite_gradient(keras, sparse):
    rows = [[0]] if sparse else []
    apply = getattr(gen_ops, f"resource_{'sparse_' if sparse else ''}apply_{'keras_' if keras else ''}momentum")
    var, _ = _one_step(lambda handles, grad: apply(*handles, 0.5, grad, *rows, 0.5), [1.0], np.inf)
    assert var == -np.inf  # not NaN: without Nesterov momentum the step is the slot alone


@pytest.mark.parametrize("lr_power", [-0.5, -0.25])
@pytest.mark.parametrize("version", ["", "_v2"])
def test_ftrl_where_linear_is_no_number(version, lr_power):
    rates = [0.5, 0.25, 0.25, *([0.5] if version else []), lr_power]
    dense = getattr(gen_ops, f"resource_apply_ftrl{version}")
    sparse = getattr(gen_ops, f"resource_sparse_apply_ftrl{version}")
    assert _one_step(lambda handles, grad: dense(*handles, grad, *rates), [1.0, 1.0], np.nan)[0] == 0
    assert np.isnan(_one_step(lambda handles, grad: sparse(*handles, grad, [0], *rates), [1.0, 1.0], np.nan)[0])
