"""Calls of hand-written functions, one per line, that run both in a graph and eagerly."""

import numpy as np

import tinytf as tf
from tinytf._src.ops.control_flow_ops import with_dependencies
from tinytf._src.ops.nn.confusion_matrix import remove_squeezable_dimensions


class Values:
    """The arguments of the calls, created anew in each mode."""

    def __init__(self):
        self.m = tf.constant([[1.5, -2.0], [3.25, 0.5]])
        self.p = tf.constant([[0.5, 0.25], [0.75, 1.0]])
        self.v = tf.constant([1, 2, 3])
        self.one = tf.constant(1)
        self.b = tf.constant([True, False])
        self.c = tf.constant([[1 + 2j, 3 - 1j]], tf.complex64)
        self.image = tf.constant(np.arange(32, dtype=np.float32).reshape(1, 4, 4, 2))
        self.line = tf.constant(np.arange(8, dtype=np.float32).reshape(1, 4, 2))
        self.volume = tf.constant(np.arange(27, dtype=np.float32).reshape(1, 3, 3, 3, 1))
        self.labels = tf.constant([0, 1])
        self.text = tf.constant(["a", "b"])


ARRAYS = [
    lambda i: [with_dependencies([i.v], i.m), remove_squeezable_dimensions(i.v[:, None], i.v)],
    lambda i: [
        tf.cond(i.b[0], lambda: i.m * 2.0, lambda: i.m),
        tf.cond(i.b[1], lambda: [i.v, i.one], lambda: [i.v + 1, i.one]),
        tf.case([(i.b[1], lambda: i.m), (i.b[0], lambda: i.m + 1.0)], default=lambda: i.p),
        tf.while_loop(lambda n, x: n < 3, lambda n, x: (n + 1, x * i.p), [i.one, i.m]),
        tf.while_loop(lambda n: n < 9, lambda n: n + 2, [i.one], maximum_iterations=3),
    ],
    lambda i: [
        tf.math.bincount(i.v),
        tf.math.bincount(i.v, minlength=6, dtype=tf.int64),
        tf.bincount(i.v, [1.0, 2.0, 3.0]),
    ],
    lambda i: [
        tf.pad(i.m, [[1, 1], [0, 2]]),
        tf.pad(i.m, [[1, 1], [0, 1]], "REFLECT"),
        tf.pad(i.v, [[1, 2]], constant_values=7),
    ],
    lambda i: [tf.transpose(i.m), tf.transpose(i.image, [3, 0, 1, 2]), tf.transpose(i.c, conjugate=True)],
    lambda i: [tf.matrix_transpose(i.m), tf.linalg.transpose(i.m)],
    lambda i: [tf.matrix_diag(i.v), tf.matrix_diag_part(i.m), tf.matrix_set_diag(i.m, [7.0, 8.0])],
    lambda i: [tf.reverse_sequence(i.m, [1, 2], seq_axis=1), tf.depth_to_space(tf.zeros([1, 2, 2, 4]), 2)],
    lambda i: [tf.space_to_depth(i.image, 2), tf.space_to_batch(i.image, [[0, 0], [0, 0]], 2)],
    lambda i: tf.batch_to_space(tf.ones([4, 1, 1, 1]), [[0, 0], [0, 0]], 2),
    lambda i: [tf.split(i.m, 2), tf.split(i.v, [1, 2]), tf.split(i.m, 2, axis=i.one)],
    lambda i: [tf.stack([i.m, i.m], axis=1), tf.stack([1, i.one]), tf.unstack(i.m), tf.parallel_stack([i.m, i.m])],
    lambda i: [tf.concat([i.m, i.p], 0), tf.concat([i.m, i.p], i.one), tf.concat([i.m], 0)],
    lambda i: [tf.one_hot(i.v, 4), tf.one_hot(i.v, 4, on_value=5, off_value=2, axis=0), tf.one_hot(i.v, i.one)],
    lambda i: [tf.where(i.m > 0), tf.where(i.b, i.m, i.p), tf.where_v2(i.m > 0, i.m, 0.0)],
    lambda i: [tf.boolean_mask(i.m, i.m > 0), tf.boolean_mask(i.m, i.b, axis=1), i.m[i.m > 0]],
    lambda i: [
        tf.gather(i.m, [1]),
        tf.gather(i.m, [1], axis=i.one),
        tf.gather_nd(i.m, [[0, 1]]),
        tf.batch_gather(i.m, [[1], [0]]),
    ],
    lambda i: [tf.gather(i.m, [[1], [0]], batch_dims=1), tf.gather_nd(i.m, [[[1]], [[0]]], batch_dims=1)],
    lambda i: [*tf.unique(i.v), *tf.unique_with_counts(i.v), *tf.setdiff1d(i.v, [2, 5])],
    lambda i: [
        tf.zeros([2, 3]),
        tf.zeros(tf.shape(i.m)),
        tf.zeros([i.one, 2], tf.int64),
        tf.zeros_like(i.m),
        tf.ones([2]),
        tf.ones_like(i.v),
    ],
    lambda i: [tf.fill([2], 3), tf.fill(tf.shape(i.v), i.one), tf.zeros([2], tf.string), tf.zeros(i.m.shape)],
    lambda i: [
        tf.range(3),
        tf.range(i.one, 5, 2),
        tf.range(0.0, 1.0, 0.25),
        tf.linspace(0.0, 1.0, 3),
        tf.lin_space(0.0, 1.0, i.one + 2),
    ],
    lambda i: [tf.shape(i.m), tf.shape(i.m, out_type=tf.int64), tf.size(i.m), tf.rank(i.m), tf.shape_n([i.m, i.p])],
    lambda i: [
        tf.squeeze(i.m[None]),
        tf.squeeze(i.m[None, ..., None], [0]),
        tf.expand_dims(i.m, i.one),
        tf.expand_dims(i.m, -1),
    ],
    lambda i: [tf.reshape(i.m, [-1]), tf.reshape(i.m, [i.one * 4]), tf.reshape(i.m, i.m.shape), tf.tile(i.m, [1, 2])],
    lambda i: [
        tf.slice(i.m, [0, 1], [-1, 1]),
        tf.strided_slice(i.m, [0, 0], [2, 2], [1, 2]),
        tf.strided_slice(i.v, [1], [3]),
    ],
    lambda i: [
        i.m[0],
        i.m[:, 1],
        i.m[..., None],
        i.m[i.one],
        i.m[i.one :, : i.one],
        i.v[::-1],
        i.m[-1, tf.newaxis, ::2],
    ],
    lambda i: [
        tf.reverse(i.m, [0]),
        tf.broadcast_to(i.v, [2, 3]),
        tf.broadcast_dynamic_shape(tf.shape(i.m), tf.shape(i.m)),
    ],
    lambda i: [tf.broadcast_static_shape(i.m.shape, i.v[:1].shape), i.m.get_shape(), i.m.dtype, tf.is_tensor(i.m)],
    lambda i: [
        tf.meshgrid([1, 2], [3, 4, 5]),
        tf.meshgrid(i.v, i.v, indexing="ij"),
        tf.sequence_mask([1, 3]),
        tf.sequence_mask([1], i.one),
    ],
    lambda i: [tf.dynamic_partition(i.m, [0, 1], 2), tf.dynamic_stitch([[1], [0]], [i.m[:1], i.m[1:]])],
    lambda i: [
        tf.identity(i.m),
        tf.identity_n([i.m, i.v]),
        tf.stop_gradient(i.m),
        tf.placeholder_with_default(i.m, [2, 2]),
    ],
    lambda i: [tf.tuple([i.m, i.v]), tf.group(i.m, i.v), tf.no_op(), tf.ensure_shape(i.m, [None, 2])],
    lambda i: [
        tf.convert_to_tensor([i.m, i.p]),
        tf.convert_to_tensor([i.m[0, 0], 2.0]),
        tf.convert_to_tensor(np.float64(3)),
    ],
    lambda i: [
        tf.sort(i.m),
        tf.sort(i.v, direction="DESCENDING"),
        tf.argsort(i.m, axis=0),
        *tf.nn.top_k(i.m),
        *tf.nn.top_k(i.m, 2, sorted=False),
    ],
    lambda i: [tf.confusion_matrix([0, 1], [1, 1]), tf.confusion_matrix([0, 1], [1, 1], 3, weights=[0.5, 2.0])],
    lambda i: tf.losses.mean_pairwise_squared_error(i.m, i.p, weights=[[1.0], [0.0]]),
    lambda i: [
        tf.nn.embedding_lookup_sparse(i.m, ids, weights, combiner=combiner)
        for ids in [tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 0, 1], [2, 2])]
        for weights in (None, tf.SparseTensor(ids.indices, [0.5, 2.0, 3.0], [2, 2]))
        for combiner in ("sum", "mean", "sqrtn")
    ],
    lambda i: [tf.histogram_fixed_width(i.m, [0.0, 5.0], 4), tf.histogram_fixed_width_bins(i.m, [0.0, 5.0], 4)],
    lambda i: [
        tf.segment_sum(i.m, [0, 0]),
        tf.unsorted_segment_mean(i.m, [1, 0], 3),
        tf.unsorted_segment_sqrt_n(i.m, [0, 0], 2),
    ],
    lambda i: [
        f(i.m, [0, 1], [0, 0]) for f in (tf.sparse_segment_mean, tf.sparse_segment_sqrt_n, tf.sparse_segment_sum)
    ],
    lambda i: [tf.sparse_segment_sum(i.m, [0, 1], [0, 2], num_segments=4), tf.strings.format("m={} v={}", [i.m, i.v])],
]

MATH = [
    lambda i: [i.m + 1, 1 - i.m, i.m * i.p, i.m / 2, i.m // 2, i.m % 2, i.m**2, -i.m, abs(i.m), i.m @ i.p, 2**i.m],
    lambda i: [
        i.m < i.p,
        i.m >= 0,
        i.b & i.b,
        i.b | i.b,
        i.b ^ i.b,
        ~i.b,
        i.v / 2,
        i.v // 2,
        i.v % 2,
        7 // i.v,
        7 % i.v,
    ],
    lambda i: [
        tf.add_n([i.m, i.p]),
        tf.accumulate_n([i.m, i.p]),
        tf.scalar_mul(2.0, i.m),
        tf.scalar_mul(i.p[0, 0], i.m),
    ],
    lambda i: [
        tf.abs(i.c),
        tf.real(i.c),
        tf.imag(i.c),
        tf.angle(i.c),
        tf.conj(i.c),
        tf.complex(i.m, i.p),
        tf.real(i.m),
        tf.conj(i.m),
    ],
    lambda i: [f(i.m, i.p) for f in (tf.div, tf.divide, tf.div_no_nan, tf.floor_div, tf.floordiv, tf.truediv, tf.pow)],
    lambda i: [
        tf.math.multiply_no_nan(i.m, i.p),
        tf.equal(i.m, i.p),
        tf.not_equal(i.m, i.p),
        tf.logical_xor(i.b, True),
        tf.round(i.m),
        tf.sigmoid(i.m),
        tf.log_sigmoid(i.m),
    ],
    lambda i: [
        tf.math.polyval([i.p, 2.0, i.m], i.m),
        tf.cumsum(i.m),
        tf.cumprod(i.m, axis=i.one, exclusive=True, reverse=True),
    ],
    lambda i: [
        f(i.v) for f in (tf.to_float, tf.to_double, tf.to_int32, tf.to_int64, tf.to_complex64, tf.to_complex128)
    ],
    lambda i: [
        tf.cast(i.m, tf.int32),
        tf.saturate_cast(i.m, tf.uint8),
        tf.cast(tf.to_bfloat16(i.m), tf.float32),
        tf.cast(i.m, tf.float32),
    ],
    lambda i: [
        f(i.m)
        for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod, tf.reduce_logsumexp)
    ],
    lambda i: [
        f(i.m, axis=i.one) for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod)
    ],
    lambda i: [
        f(i.m, [0, 1], True) for f in (tf.math.reduce_std, tf.math.reduce_variance, tf.math.reduce_euclidean_norm)
    ],
    lambda i: [
        tf.reduce_all(i.b),
        tf.reduce_any(i.m > 0, 0),
        tf.count_nonzero(i.m),
        tf.count_nonzero(i.m, 1, dtype=tf.int32),
    ],
    lambda i: [
        tf.argmax(i.m),
        tf.argmin(i.m, 1),
        tf.arg_max(i.m, 0),
        tf.arg_min(i.m, i.one),
        tf.reduce_logsumexp(i.m, 0),
    ],
    lambda i: [
        tf.matmul(i.m, i.p, transpose_a=True),
        tf.matmul(i.m, i.p, adjoint_b=True),
        tf.linalg.matvec(i.m, [1.0, 2.0]),
    ],
    lambda i: [
        tf.einsum("ij,jk->ik", i.m, i.p),
        tf.einsum("ij->ji", i.m),
        tf.tensordot(i.m, i.p, 1),
        tf.tensordot(i.m, i.p, [[0], [1]]),
    ],
    lambda i: [
        tf.norm(i.m),
        tf.norm(i.m, 1, axis=0),
        tf.norm(i.m, np.inf, axis=1),
        tf.trace(i.m),
        tf.eye(2),
        tf.eye(2, 3, [2]),
    ],
    lambda i: [
        tf.clip_by_value(i.m, -1, 1),
        tf.verify_tensor_all_finite(i.m, "bad"),
        tf.clip_by_norm(i.m, 1),
        tf.clip_by_average_norm(i.m, 1.0),
        tf.global_norm([i.m, i.p]),
    ],
    lambda i: tf.clip_by_global_norm([i.m, None, i.p], 1.0),
    lambda i: [tf.lbeta(i.p), tf.math.bessel_i0(i.m), tf.math.bessel_i1(i.m)],
]

NN = [
    lambda i: [
        *tf.required_space_to_batch_paddings([3, i.one], [2, 2]),
        *tf.required_space_to_batch_paddings([3, 4], [2, 2]),
    ],
    lambda i: [
        f(i.m)
        for f in (
            tf.nn.crelu,
            tf.nn.leaky_relu,
            tf.nn.relu6,
            tf.nn.swish,
            tf.nn.softmax,
            tf.nn.log_softmax,
            tf.nn.l2_loss,
        )
    ],
    lambda i: [tf.nn.softmax(i.image, axis=1), tf.nn.zero_fraction(i.m), tf.nn.bias_add(i.m, [1.0, 2.0])],
    lambda i: [
        tf.nn.xw_plus_b(i.m, i.p, [1.0, 2.0]),
        tf.nn.relu_layer(i.m, i.p, [1.0, 2.0]),
        tf.nn.in_top_k(i.m, i.labels, 1),
    ],
    lambda i: [tf.nn.softmax_cross_entropy_with_logits(labels=i.p, logits=i.m), tf.nn.log_poisson_loss(i.p, i.m, True)],
    lambda i: [tf.nn.softmax_cross_entropy_with_logits_v2(labels=i.p, logits=i.m, axis=0)],
    lambda i: [tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i.labels, logits=i.m)],
    lambda i: [tf.nn.sigmoid_cross_entropy_with_logits(labels=i.p, logits=i.m)],
    lambda i: [tf.nn.weighted_cross_entropy_with_logits(labels=i.p, logits=i.m, pos_weight=2.0)],
    lambda i: [tf.nn.dropout(i.m, 0.5, seed=3), tf.nn.dropout(i.m, rate=0.5, noise_shape=[2, 1], seed=4)],
    lambda i: [
        *tf.nn.moments(i.m, [0]),
        *tf.nn.moments(i.m, [1], keep_dims=True),
        *tf.nn.weighted_moments(i.m, [0], i.p),
    ],
    lambda i: [*tf.nn.sufficient_statistics(i.m, [0]), *tf.nn.normalize_moments(4.0, i.m, i.p, None)],
    lambda i: [tf.nn.batch_normalization(i.m, 1.0, 2.0, 1.0, None, 1e-3), tf.nn.l2_normalize(i.m, 1)],
    lambda i: [
        *tf.nn.fused_batch_norm(i.image, [1.0, 2.0], [0.0, 1.0]),
        tf.nn.lrn(i.image),
        tf.nn.local_response_normalization(i.image, 1),
    ],
    lambda i: tf.nn.batch_norm_with_global_normalization(i.image, i.m[0], i.p[0], i.m[1], i.p[1], 1e-3, True),
    lambda i: [
        tf.nn.conv2d(i.image, tf.ones([2, 2, 2, 1]), 1, "SAME"),
        tf.nn.conv1d(i.line, tf.ones([2, 2, 1]), 1, "VALID"),
    ],
    lambda i: tf.nn.conv2d_backprop_filter(i.image, [2, 2, 2, 1], tf.ones([1, 4, 4, 1]), [1, 1, 1, 1], "SAME"),
    lambda i: tf.nn.conv2d_backprop_input(
        [1, 4, 4, 2], tf.ones([2, 2, 2, 1]), tf.ones([1, 4, 4, 1]), [1, 1, 1, 1], "SAME"
    ),
    lambda i: [tf.nn.conv3d(i.volume, tf.ones([2, 2, 2, 1, 1]), [1] * 5, "SAME")],
    lambda i: [tf.nn.conv3d_transpose(i.volume, tf.ones([2, 2, 2, 1, 1]), [1, 3, 3, 3, 1], [1] * 5)],
    lambda i: [tf.nn.conv2d_transpose(tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1]), [1, 4, 4, 1], 2)],
    lambda i: [tf.nn.convolution(i.image, tf.ones([2, 2, 2, 1]), "SAME", dilation_rate=[2, 2])],
    lambda i: [
        tf.nn.atrous_conv2d(i.image, tf.ones([2, 2, 2, 1]), 2, "SAME"),
    ],
    lambda i: [tf.nn.depthwise_conv2d(i.image, tf.ones([2, 2, 2, 1]), [1, 1, 1, 1], "SAME")],
    lambda i: [tf.nn.separable_conv2d(i.image, tf.ones([2, 2, 2, 1]), tf.ones([1, 1, 2, 3]), [1, 1, 1, 1], "SAME")],
    lambda i: [f(i.image[..., None], 2, 2, "SAME") for f in (tf.nn.max_pool3d, tf.nn.avg_pool3d)],
    lambda i: [f(i.image, 2, 2, "SAME") for f in (tf.nn.max_pool, tf.nn.avg_pool, tf.nn.max_pool2d, tf.nn.avg_pool2d)],
    lambda i: [
        tf.nn.pool(i.image, [2, 2], "MAX", "SAME"),
        tf.nn.pool(i.image, [2, 2], "AVG", "VALID", dilation_rate=[2, 2]),
    ],
    lambda i: [tf.nn.embedding_lookup(i.m, [0, 1]), tf.nn.embedding_lookup([i.m, i.p], [0, 1, 2])],
    lambda i: tf.nn.embedding_lookup([i.m, i.p], [0, 1, 2], partition_strategy="div", max_norm=1.0),
]

LOSSES = [
    lambda i: [
        f(i.p, i.m)
        for f in (tf.losses.absolute_difference, tf.losses.hinge_loss, tf.losses.huber_loss, tf.losses.log_loss)
    ],
    lambda i: [tf.losses.mean_squared_error(i.p, i.m), tf.losses.mean_squared_error(i.p, i.m, weights=[[0.5], [0.0]])],
    lambda i: [
        tf.losses.cosine_distance(i.p, i.m, axis=1),
        tf.losses.mean_squared_error(i.p, i.m, reduction=tf.losses.Reduction.SUM),
    ],
    lambda i: [
        tf.losses.sigmoid_cross_entropy(i.p, i.m, label_smoothing=0.1),
        tf.losses.softmax_cross_entropy(i.p, i.m),
    ],
    lambda i: [tf.losses.sparse_softmax_cross_entropy(i.labels, i.m), tf.losses.get_regularization_loss()],
    lambda i: [tf.losses.compute_weighted_loss(i.m, reduction=r) for r in tf.losses.Reduction.all()],
    lambda i: [tf.losses.add_loss(None, None), tf.losses.get_regularization_losses()],
]


def _initial(*initializers):
    """Values with different seeds, because in eager execution an op continues the sequence of its seed."""
    return [make(seed=seed)([2, 2]) for seed, make in enumerate(initializers)]


RANDOM = [
    lambda i: [tf.random_normal([3], seed=1), tf.random_uniform([3], seed=1), tf.truncated_normal([3], seed=1)],
    lambda i: [
        tf.random_uniform([3], 0, i.one + 9, tf.int32, seed=1),
        tf.random_shuffle(i.v, seed=1),
        tf.random_crop(i.m, [1, 1], seed=2),
    ],
    lambda i: [
        tf.multinomial(i.m, 3, seed=1),
        tf.random.categorical(i.m, 3, seed=2),
        tf.random_gamma([2], 1.5, seed=1),
    ],
    lambda i: [
        tf.random_poisson([3.0], [2], seed=1),
        tf.random.stateless_uniform([2], [1, 2]),
        tf.random.stateless_normal([2], [1, 2]),
    ],
    lambda i: [
        tf.random.stateless_truncated_normal([2], [1, 2]),
        tf.random.stateless_uniform([2], i.v[:2], 0, 9, tf.int32),
    ],
    lambda i: [tf.random.stateless_multinomial(i.m, 2, [1, 2]), tf.random.stateless_categorical(i.m, 2, [1, 2])],
    lambda i: [
        tf.zeros_initializer()([2]),
        tf.ones_initializer()([2]),
        tf.constant_initializer(3.0)([2]),
        tf.initializers.identity()([2, 2]),
    ],
    lambda i: _initial(tf.random_normal_initializer, tf.random_uniform_initializer, tf.truncated_normal_initializer),
    lambda i: _initial(tf.glorot_normal_initializer, tf.glorot_uniform_initializer, tf.orthogonal_initializer),
    lambda i: _initial(tf.initializers.he_normal, tf.initializers.he_uniform, tf.initializers.lecun_normal),
    lambda i: _initial(
        tf.initializers.lecun_uniform, tf.uniform_unit_scaling_initializer, tf.variance_scaling_initializer
    ),
]

CHECKS = [
    lambda i: [f(i.v, i.v + 0) for f in (tf.assert_equal, tf.assert_less_equal, tf.assert_greater_equal)],
    lambda i: [f(i.v, i.v + 1) for f in (tf.assert_none_equal, tf.assert_less)],
    lambda i: [
        tf.assert_greater(i.v, 0),
        tf.assert_positive(i.v),
        tf.assert_non_negative(i.v),
        tf.assert_negative(-i.v),
        tf.assert_non_positive(-i.v),
    ],
    lambda i: [
        tf.debugging.assert_near(i.m, i.m),
        tf.assert_rank(i.m, 2),
        tf.assert_rank_at_least(i.m, i.one),
        tf.assert_rank_in(i.m, [1, 2]),
    ],
    lambda i: [
        tf.assert_scalar(1.0),
        tf.assert_type(i.m, tf.float32),
        tf.assert_integer(i.v),
        tf.debugging.assert_same_float_dtype([i.m]),
    ],
    lambda i: [
        tf.assert_proper_iterable([i.m]),
        tf.debugging.is_numeric_tensor(i.m),
        tf.debugging.assert_shapes([(i.m, ("N", 2)), (i.p, (2, "N"))]),
        tf.Assert(i.b[0], [i.m, i.v, "text"]),
    ],
    lambda i: [tf.is_non_decreasing(i.v), tf.is_strictly_increasing(i.m), tf.debugging.is_numeric_tensor(i.text)],
]
