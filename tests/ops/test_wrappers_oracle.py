"""Calls give the same values, dtypes, shapes and error classes as in TensorFlow."""

import numpy as np
import pytest

import tinytf

_PROGRAM = """
import numpy as np
random = np.random.RandomState(0)
X = random.randn(2, 3).astype("f")
FEEDS = {
    "x": X, "p": abs(X) / 10 + 0.1, "u": X, "r": X, "t": random.randn(2, 3, 4).astype("f"),
    "image": random.randn(1, 8, 8, 3).astype("f"), "filters": random.randn(3, 3, 3, 2).astype("f"),
    "i": np.array([[1], [0]], "i"), "b": np.array([True, False]), "s": np.int32(1),
}
UNKNOWN = {"u": [None, 3], "r": None}

def tensors(value):
    if isinstance(value, (list, tuple)):
        return [tensor for part in value for tensor in tensors(part)]
    return [value] if hasattr(value, "op") else []

def outcome(call):
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = {n: tf.placeholder(v.dtype, UNKNOWN.get(n, v.shape)) for n, v in FEEDS.items()}
        try:
            found = tensors(eval(call, {"tf": tf, **inputs}))
            return session.run(found, {inputs[n]: v for n, v in FEEDS.items()})
        except (ValueError, TypeError, tf.errors.OpError) as error:
            kinds = [k for k in (ValueError, TypeError, tf.errors.OpError) if isinstance(error, k)]
            return kinds[-1].__name__

result = [outcome(call) for call in calls]
"""

CALLS = """
tf.einsum('ijk,jl->ikl', t, tf.ones([3, 5]))
tf.einsum('ijk,ijl->ikl', t, t)
tf.einsum('ijk,ijk->i', t, t)
tf.einsum('ij,kj->ik', u, p)
tf.tensordot(t, tf.ones([4, 2]), 1)
tf.tensordot(r, r, [[0], [0]])
tf.gather_nd(t, [[[0]], [[1]]], batch_dims=1)
tf.batch_gather(x, i)
tf.boolean_mask(t, [True, False, True], axis=1)
tf.boolean_mask(x, [True])
tf.meshgrid([1, 2], [3, 4, 5], [6])
tf.pad(x, [[1, 2], [0, 2]], 'symmetric')
tf.pad(u, [[1, 2], [0, 2]], 'REFLECT')
tf.transpose(r)
tf.one_hot(i, 3, on_value=2., off_value=1., axis=0)
tf.sequence_mask(i, 3)
tf.split(t, [1, -1], 2)
tf.reverse_sequence(t, [1, 3], seq_axis=1, batch_axis=0)
tf.zeros([s, 2])
tf.eye(s, 3)
tf.norm(t, ord=1, axis=[1, 2])
tf.norm(t, ord=float('inf'), axis=(0, 2), keepdims=True)
tf.clip_by_norm(x, 1., axes=[1])
tf.clip_by_global_norm([x, p], 1.)
tf.clip_by_average_norm(x, .1)
tf.reduce_logsumexp(t, [0, 2])
tf.math.reduce_std(t, 1)
tf.count_nonzero(i)
tf.cumsum(t, axis=1, exclusive=True, reverse=True)
tf.math.unsorted_segment_mean(x, [0, 1], 3)
tf.math.bincount(i, minlength=4)
tf.saturate_cast(x * 1000., tf.int8)
i / 2
i // 2
-i % 3
2. ** x
t[..., 1:, None, ::2]
x[s:, -1]
tf.nn.softmax(t, 1)
tf.nn.log_softmax(t, -3)
tf.nn.softmax_cross_entropy_with_logits_v2(labels=p, logits=x, axis=0)
tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0], logits=u)
tf.nn.weighted_cross_entropy_with_logits(p, x, 2.)
tf.nn.log_poisson_loss(p, x, True)
tf.nn.depthwise_conv2d(image, tf.ones([3, 3, 3, 2]), [1, 1, 1, 1], 'SAME', rate=[2, 2])
tf.nn.separable_conv2d(image, tf.ones([3, 3, 3, 2]), tf.ones([1, 1, 6, 4]), [1, 1, 1, 1], 'SAME', rate=[2, 3])
tf.nn.atrous_conv2d(image, filters, 2, 'SAME')
tf.nn.conv2d(image, filters, [1, 2, 2, 1], [[0, 0], [1, 2], [0, 1], [0, 0]])
tf.nn.conv2d_transpose(image, tf.ones([3, 3, 2, 3]), [1, 16, 16, 2], 2)
tf.nn.conv1d(t, tf.ones([3, 4, 2]), 1, 'SAME')
tf.nn.weighted_moments(x, [0], p)
tf.nn.fused_batch_norm(image, [1., 2., 3.], [0., 1., 2.])
tf.nn.embedding_lookup([x, p], [0, 1, 2, 3], 'div')
tf.nn.embedding_lookup(x, i, max_norm=.5)
tf.nn.dropout(x, .5, [2, 1], seed=3)
tf.random_uniform([5], 2, 90, tf.int32, seed=7)
tf.random_normal([5], 1., 2., seed=7)
tf.truncated_normal([5], seed=7)
tf.random_shuffle(tf.range(9), seed=7)
tf.random_crop(x, [1, 2], seed=7)
tf.multinomial(x, 9, seed=7)
tf.convert_to_tensor([[x, x]], tf.int32)
tf.concat([x, tf.constant(1)], 0)
tf.stack([x, x], axis=5)
tf.matmul(x, x)
tf.add_n([x, i])
tf.scalar_mul([1., 2.], x)
tf.complex(x, 1)
tf.placeholder_with_default([1.], [2])
tf.assert_equal([1], [2])
tf.assert_positive(-1.)
tf.assert_rank(x, 3)
tf.assert_type(1., tf.int32)
tf.nn.softmax(x, 3)
tf.nn.dropout(i, .5)
x + i
x / i
x[0, 0, 0]
x[1.5]
""".strip().splitlines()


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
    if isinstance(theirs, str) or isinstance(ours, str):
        assert ours == theirs
        return
    assert len(ours) == len(theirs)
    for value, expected in zip(ours, theirs, strict=True):
        value, expected = np.asarray(value), np.asarray(expected)
        assert (value.dtype, value.shape) == (expected.dtype, expected.shape)
        if value.dtype.kind == "f":
            np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-5)
        else:
            np.testing.assert_array_equal(value, expected)
