"""Element-wise functions that keep zeros take a `SparseTensor`."""

import numpy as np
import pytest
from scipy import special

import tinytf as tf

FUNCTIONS = {
    "abs": (tf.abs, np.abs),
    "negative": (tf.negative, np.negative),
    "sign": (tf.sign, np.sign),
    "square": (tf.square, np.square),
    "sqrt": (tf.sqrt, np.sqrt),
    "tanh": (tf.tanh, np.tanh),
    "erf": (tf.math.erf, special.erf),
    "bessel_i0e": (tf.math.bessel_i0e, special.i0e),
    "bessel_i1e": (tf.math.bessel_i1e, special.i1e),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_of_a_sparse_tensor(name):
    function, reference = FUNCTIONS[name]
    values = np.array([0.5, 2.0], np.float32)
    sparse = tf.SparseTensor([[0, 1], [1, 0]], values, [2, 2])
    result = function(sparse)
    assert isinstance(result, tf.SparseTensor)
    assert result.indices is sparse.indices
    assert result.dense_shape is sparse.dense_shape
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(result).values, reference(values), rtol=1e-5)


def test_other_functions_refuse():
    sparse = tf.SparseTensor([[0]], [1.0], [2])
    with pytest.raises(TypeError, match="Failed to convert object of type .*SparseTensor"):
        tf.exp(sparse)
