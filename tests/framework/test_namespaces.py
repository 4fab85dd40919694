"""Names are in the same modules as in TensorFlow 1.15."""

import importlib

import pytest

import tinytf as tf


@pytest.mark.parametrize(
    "name",
    """
    math.add math.reduce_sum math.erf math.log random.normal random.uniform random.stateless_uniform random.shuffle
    random.set_random_seed linalg.matmul linalg.norm initializers.zeros initializers.glorot_uniform nn.relu nn.conv2d
    nn.softmax_cross_entropy_with_logits_v2 train.AdamOptimizer train.get_or_create_global_step losses.mean_squared_error
    debugging.assert_equal debugging.check_numerics errors.InvalidArgumentError errors.INVALID_ARGUMENT dtypes.float32
    dtypes.as_dtype strings.join test.TestCase test.compute_gradient_error raw_ops.MatMul compat.as_bytes
    compat.v1.Session datasets.load_digits AUTO_REUSE GraphKeys.UPDATE_OPS ConfigProto GPUOptions newaxis compat.as_str_any
    logging.set_verbosity logging.INFO
    """.split(),
)
def test_name(name):
    place = tf
    for part in name.split("."):
        place = getattr(place, part)
    assert place is not None or name == "newaxis"


def test_version_one_is_importable():
    assert importlib.import_module("tinytf.compat.v1") is tf
    import tinytf.compat.v1 as v1

    assert v1.Session is tf.Session


def test_unknown_names_fail():
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = tf.no_such_name
