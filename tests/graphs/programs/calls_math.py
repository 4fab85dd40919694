"""Arithmetic, reductions, products, checks. One call per program."""


def clip_by_norm(tf):
    tf.clip_by_norm(tf.ones([2, 3]), 1.0)


def clip_by_global_norm(tf):
    _ = tf.clip_by_global_norm([tf.ones([2, 3]), tf.ones([3])], 1.0)[0][0]


def clip_by_average_norm(tf):
    tf.clip_by_average_norm(tf.ones([2, 3]), 1.0)


def clip_by_value(tf):
    tf.clip_by_value(tf.ones([2, 3]), 0.0, 1.0)


def global_norm(tf):
    tf.global_norm([tf.ones([2, 3]), None, tf.ones([3])])


def trace(tf):
    tf.trace(tf.ones([3, 3]))


def norm(tf):
    tf.norm(tf.ones([3, 3]))


def norm_2(tf):
    tf.norm(tf.ones([3, 3]), ord=1, axis=1)


def matmul(tf):
    tf.matmul(tf.ones([2, 3]), tf.ones([3, 2]))


def matmul_2(tf):
    tf.matmul(tf.ones([5, 2, 3]), tf.ones([5, 3, 2]), transpose_a=False)


def matmul_3(tf):
    tf.matmul(tf.ones([5, 2, 3]), tf.ones([5, 2, 3]), transpose_a=True)


def add_n(tf):
    tf.add_n([tf.ones([2]), tf.ones([2])])


def accumulate_n(tf):
    tf.accumulate_n([tf.ones([2]), tf.ones([2])])


def div(tf):
    tf.div(tf.constant(7), 2)


def operators(tf):
    _ = tf.constant(7) / 2


def operators_2(tf):
    _ = tf.constant(7) // 2


def operators_3(tf):
    _ = tf.constant(7.0) % 2


def floordiv(tf):
    tf.floordiv(7, 2)


def operators_4(tf):
    _ = -(tf.constant(7.0) ** 2)


def operators_5(tf):
    _ = tf.constant([1.0, 2.0])[0]


def operators_6(tf):
    _ = tf.constant([[1.0, 2.0]])[..., tf.newaxis, ::2]


def logical_and(tf):
    tf.logical_and(True, tf.constant(False))


def operators_7(tf):
    _ = ~tf.constant(True)


def cast(tf):
    tf.cast(tf.constant(1), tf.float32)


def to_float(tf):
    tf.to_float(tf.constant(1))


def saturate_cast(tf):
    tf.saturate_cast(tf.constant(1e9), tf.int32)


def bitcast(tf):
    tf.bitcast(tf.constant(1), tf.float32)


def reduce_sum(tf):
    tf.reduce_sum(tf.ones([2, 3]), 1, keepdims=True)


def reduce_all(tf):
    tf.reduce_all([True, False])


def count_nonzero(tf):
    tf.count_nonzero([1, 0, 2])


def reduce_std(tf):
    tf.math.reduce_std([1.0, 2.0])


def segment_sum(tf):
    tf.segment_sum([1.0, 2.0], [0, 0])


def unsorted_segment_mean(tf):
    tf.unsorted_segment_mean([1.0, 2.0], [0, 0], 2)


def unsorted_segment_sqrt_n(tf):
    tf.unsorted_segment_sqrt_n([1.0, 2.0], [0, 0], 2)


def sparse_segment_sum(tf):
    tf.sparse_segment_sum(tf.ones([3, 2]), [0, 1], [0, 0])


def histogram_fixed_width(tf):
    tf.histogram_fixed_width([1.0, 2.0], [0.0, 5.0])


def bincount(tf):
    tf.bincount([1, 2, 2])


def cumprod(tf):
    tf.cumprod([1.0, 2.0], exclusive=True)


def lbeta(tf):
    tf.lbeta([1.0, 2.0])


def assert_equal(tf):
    tf.assert_equal([1], [1])


def assert_positive(tf):
    tf.assert_positive(tf.constant([1]))


def assert_rank(tf):
    tf.assert_rank(tf.ones([2]), 1)


def check_numerics(tf):
    tf.check_numerics(tf.ones([2]), "x")


def Print(tf):
    tf.Print(tf.ones([2]), [tf.ones([2])])


def stop_gradient(tf):
    tf.stop_gradient(tf.ones([2]))


def tuple(tf):
    _ = tf.tuple([tf.ones([2]), tf.ones([3])])[0]


def group(tf):
    tf.group(tf.ones([2]).op)


def no_op(tf):
    tf.no_op()


def squared_difference(tf):
    tf.squared_difference(1.0, 2.0)


def scalar_mul(tf):
    tf.scalar_mul(2.0, tf.ones([2]))


def reciprocal(tf):
    tf.reciprocal(tf.ones([2]))


def as_string(tf):
    tf.as_string([1.5])


def string_join(tf):
    tf.string_join(["a", "b"])


def tf_complex(tf):
    tf.complex(1.0, 2.0)


def angle(tf):
    tf.angle(tf.complex(1.0, 2.0))


def operators_8(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    _ = x[:, 0]


def shape(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    _ = x[tf.shape(x)[0] - 1]


def reduce_mean(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.reduce_mean(x, axis=-1)


def reduce_mean_2(tf):
    x = tf.placeholder(tf.float32)
    tf.reduce_mean(x)


def argmin(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.argmin(x, 1)


def operators_9(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    _ = 1.0 - x


def operators_10(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    _ = x * x + 2 * x - 1 / x


def operators_11(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    _ = abs(x) % 2 > 1


def cumsum(tf):
    x = tf.placeholder(tf.int64, [None])
    tf.cumsum(x, reverse=True)


def add_n_2(tf):
    x = tf.placeholder(tf.float32, [3])
    tf.add_n([x, x, x])


def einsum(tf):
    x = tf.placeholder(tf.float32, [3])
    tf.einsum("i,i->", x, x)


def tensordot(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.tensordot(x, x, [[1], [1]])


def assign_add(tf):
    v = tf.train.get_or_create_global_step()
    tf.assign_add(v, 1)


def operators_12(tf):
    x = tf.placeholder_with_default([1.0, 2.0], [None])
    _ = x * 2.0


def operators_13(tf):
    x = tf.sparse_placeholder(tf.float32, [2, 3])
    _ = x.values


def operators_14(tf):
    x = tf.sparse_placeholder(tf.float32)
    _ = x.values


def tf_print(tf):
    tf.print("a", tf.constant(1.0))
