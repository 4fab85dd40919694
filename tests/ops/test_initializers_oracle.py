"""Initializers give the same values for the same seeds, nodes, config and error classes as in TensorFlow.

TensorFlow 2 no longer derives the default seed of an op from the number of nodes, so all initializers here have a seed.
"""

import numpy as np
import pytest

import tinytf

_PROGRAM = """
import numpy as np

def outcome(call):
    make, shape, *dtype = call.split(" @ ")
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.set_random_seed(41)
        try:
            initializer = eval(make, {"tf": tf, "np": np})
            value = initializer(eval(shape), *(getattr(tf, d) for d in dtype))
            nodes = [(op.name, op.type.replace("AddV2", "Add")) for op in graph.get_operations()]
            config = {k: str(v) if k == "value" else v for k, v in initializer.get_config().items()}
            if "eye" in str(nodes):
                nodes = []  # TensorFlow 2 makes them of newer ops
            return session.run(value), value.shape.as_list(), nodes, config
        except (ValueError, TypeError) as error:
            return type(error).__name__

result = [outcome(call) for call in calls]
"""

_KINDS = """
tf.zeros_initializer()
tf.ones_initializer()
tf.constant_initializer(3)
tf.random_uniform_initializer(-2.0, 3.0, seed=7)
tf.random_uniform_initializer(maxval=4.0, seed=7)
tf.random_normal_initializer(1.0, 2.0, seed=7)
tf.truncated_normal_initializer(1.0, 2.0, seed=7)
tf.uniform_unit_scaling_initializer(1.5, seed=7)
tf.glorot_uniform_initializer(seed=7)
tf.glorot_normal_initializer(seed=7)
tf.initializers.lecun_normal(seed=7)
tf.initializers.lecun_uniform(seed=7)
tf.initializers.he_normal(seed=7)
tf.initializers.he_uniform(seed=7)
tf.orthogonal_initializer(seed=7)
tf.orthogonal_initializer(1.5, seed=7)
tf.variance_scaling_initializer(seed=7)
tf.variance_scaling_initializer(2.0, 'fan_out', 'uniform', seed=7)
tf.variance_scaling_initializer(0.5, 'fan_avg', 'untruncated_normal', seed=7)
tf.variance_scaling_initializer(0.5, 'FAN_AVG')
tf.variance_scaling_initializer(0.5, 'fan_avg', 'Normal', seed=7)
""".strip().splitlines()

_SHAPES = ("[4, 3]", "[3, 5]", "[2, 3, 4, 5]", "[6]", "[]", "[1, 1]", "tf.TensorShape([2, 3])")

_OTHERS = """
tf.zeros_initializer(tf.int32) @ [3]
tf.zeros_initializer() @ [3] @ bool
tf.zeros_initializer() @ [2] @ string
tf.ones_initializer() @ [3] @ int64
tf.constant_initializer([1, 2, 3, 4]) @ [2, 2]
tf.constant_initializer([1, 2]) @ [2, 2]
tf.constant_initializer([1, 2, 3, 4, 5]) @ [2, 2]
tf.constant_initializer([1, 2], verify_shape=True) @ [2, 2]
tf.constant_initializer(np.arange(4)) @ [2, 2] @ int32
tf.constant_initializer('x') @ [2] @ string
tf.constant_initializer(None) @ [2]
tf.constant_initializer(True) @ [2] @ bool
tf.random_uniform_initializer(2, 9, seed=7) @ [5] @ int32
tf.random_uniform_initializer(2, 9, seed=7, dtype=tf.int64) @ [2, 3]
tf.random_uniform_initializer(0, 9, seed=7, dtype=tf.int32) @ [2, 3]
tf.random_uniform_initializer(seed=7) @ [5] @ int32
tf.random_uniform_initializer(-1, 1, seed=7) @ [5] @ float64
tf.random_uniform_initializer(-1, 1, seed=7) @ [5] @ float16
tf.random_normal_initializer(seed=7) @ [5] @ float64
tf.random_normal_initializer(seed=7) @ [5] @ float16
tf.truncated_normal_initializer(seed=7) @ [5] @ float64
tf.truncated_normal_initializer(dtype=tf.int32) @ [5]
tf.random_normal_initializer(dtype=tf.int32) @ [5]
tf.glorot_uniform_initializer(seed=7, dtype=tf.int32) @ [5]
tf.glorot_uniform_initializer(seed=7) @ [2, 3] @ float64
tf.glorot_uniform_initializer(seed=7, dtype=tf.float64) @ [2, 3]
tf.orthogonal_initializer(seed=7) @ [4, 3] @ float64
tf.orthogonal_initializer(seed=7) @ [2, 2, 3]
tf.orthogonal_initializer(seed=7) @ [3, 4]
tf.variance_scaling_initializer(0.0) @ [2]
tf.variance_scaling_initializer(-1.0) @ [2]
tf.variance_scaling_initializer(1.0, 'fan') @ [2]
tf.variance_scaling_initializer(1.0, 'fan_in', 'cauchy') @ [2]
tf.initializers.identity() @ [2, 3]
tf.initializers.identity(2.0) @ [3, 3]
tf.initializers.identity(2.0) @ [3, 2] @ float64
tf.initializers.identity() @ [3]
tf.initializers.identity(dtype=tf.int32) @ [3, 3]
tf.initializers.zeros() @ [2]
tf.initializers.ones() @ [2]
tf.initializers.constant(2.5) @ [2]
tf.initializers.random_uniform(seed=7) @ [2]
tf.initializers.random_normal(seed=7) @ [2]
tf.initializers.truncated_normal(seed=7) @ [2]
tf.initializers.uniform_unit_scaling(seed=7) @ [2]
tf.initializers.variance_scaling(seed=7) @ [2]
tf.initializers.orthogonal(seed=7) @ [2, 2]
tf.initializers.glorot_uniform(seed=7) @ [2]
tf.initializers.glorot_normal(seed=7) @ [2]
""".strip().splitlines()

CALLS = [f"{kind} @ {shape}" for kind in _KINDS for shape in _SHAPES] + _OTHERS


@pytest.fixture(scope="module")
def outcomes(oracle):
    """By call: the outcomes of TensorFlow and of this package."""
    here = {"tf": tinytf, "calls": CALLS}
    exec(_PROGRAM, here)
    return dict(zip(CALLS, zip(oracle(_PROGRAM, calls=CALLS), here["result"], strict=True), strict=True))


@pytest.mark.oracle
@pytest.mark.parametrize("call", CALLS)
def test_agrees(call, outcomes):
    theirs, ours = outcomes[call]
    if isinstance(theirs, str) or isinstance(ours, str):  # an error class
        assert ours == theirs
        return
    value, expected = np.asarray(ours[0]), np.asarray(theirs[0])
    assert (value.dtype, ours[1]) == (expected.dtype, theirs[1])
    if value.dtype.kind == "f":
        tolerance = {2: 2e-3, 4: 4e-6, 8: 1e-13}[value.dtype.itemsize]
        np.testing.assert_allclose(value, expected, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(value, expected)
    assert ours[2:] == theirs[2:]
