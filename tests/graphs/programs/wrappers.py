"""Programs with functions that consist of several ops."""


def operators(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    i = tf.placeholder(tf.int32, [2, 3], name="i")
    b = tf.placeholder(tf.bool, [2, 3], name="b")
    x + 1, 1 + x, x - 1, 1 - x, x * 2, 2 * x, x / 2, 2 / x, x // 2, x % 2, x**2, 2**x, -x, abs(x)
    x < 1, x <= 1, x > 1, x >= 1, tf.equal(x, 1.0), tf.not_equal(x, 1.0)
    i / 2, i // 2, i % 2, i + 1, -i, i**2
    b & True, b | False, b ^ b, ~b
    tf.matmul(x, x, transpose_b=True)
    tf.add(x, 1.0), tf.subtract(x, 1.0), tf.multiply(x, 1.0), tf.divide(x, 2.0), tf.truediv(x, 2.0), tf.mod(x, 2.0)


def shapes(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    u = tf.placeholder(tf.float32, [None, 3])
    r = tf.placeholder(tf.float32)
    for t in (x, u, r):
        tf.shape(t), tf.size(t), tf.rank(t), tf.shape(t, out_type=tf.int64), tf.zeros_like(t), tf.ones_like(t)
        tf.zeros_like(t, tf.int32), tf.zeros_like(t, optimize=False), tf.ones_like(t, tf.float64)
    tf.shape_n([x, u])
    tf.broadcast_dynamic_shape(tf.shape(x), tf.shape(u))


def fillings(tf):
    tf.zeros([2, 3])
    tf.zeros([])
    tf.ones([200, 300])
    tf.zeros([2, 3], tf.int32)
    tf.zeros([2], tf.string)
    tf.ones([2], tf.bool)
    tf.zeros(tf.constant([2, 3]))
    tf.fill([2, 3], 7)
    tf.zeros([tf.placeholder(tf.int32, []), 3])
    tf.constant([[1, 2], [3, 4]])
    tf.constant(1.5, shape=[3, 2])
    tf.constant("text")
    tf.constant([True, False])
    tf.eye(3)
    tf.eye(2, 3, [4])
    tf.one_hot([0, 1], 3)
    tf.one_hot([0, 1], 3, 5, 2, axis=0, dtype=tf.int32)
    tf.sequence_mask([1, 2], 3)
    tf.sequence_mask([1, 2], dtype=tf.float32)
    tf.range(5), tf.range(1, 5, 2), tf.range(0.0, 1.0, 0.1), tf.linspace(0.0, 1.0, 5)


def partial_shapes(tf):
    x = tf.placeholder(tf.float32, [None, 3, 4])
    n = tf.shape(x)[0]
    tf.reshape(x, [n, 12])
    tf.reshape(x, [n, tf.shape(x)[1] * 4])
    tf.reshape(x, [tf.shape(x)[0], tf.shape(x)[1] * tf.shape(x)[2]])
    tf.zeros(tf.unstack(tf.shape(x))[1:])
    tf.reshape(x, tf.stack([n, -1]))
    tf.reshape(x, tf.concat([tf.shape(x)[:1], [12]], 0))
    tf.zeros(tf.shape(x))
    tf.tile(x, [1, 2, 1])
    tf.gradients(tf.reshape(x, [n, tf.shape(x)[1] * 4]) * 2.0 + 1.0, x)


def reductions(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    u = tf.placeholder(tf.float32, [None, 3])
    r = tf.placeholder(tf.float32)
    for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_prod, tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp):
        f(x), f(u), f(r), f(x, 0), f(x, [0, 1], keepdims=True), f(r, 1)
    tf.reduce_all(x > 0.0), tf.reduce_any(x > 0.0, 1)
    tf.math.reduce_std(x), tf.math.reduce_variance(x, 1), tf.math.reduce_euclidean_norm(x)
    tf.argmax(x, 1), tf.argmin(x), tf.argmax(x, 1, output_type=tf.int32)
    tf.count_nonzero(x), tf.count_nonzero(x, 1, dtype=tf.int32)
    tf.add_n([x, x]), tf.accumulate_n([x, x]), tf.reduce_sum(x, name="named")


def arrays(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    r = tf.placeholder(tf.float32)
    tf.transpose(x), tf.transpose(r), tf.transpose(x, [1, 0]), tf.matrix_transpose(x)
    tf.concat([x, x], 1), tf.concat([x], 1), tf.stack([x, x]), tf.stack([x, x], -1), tf.unstack(x), tf.split(x, 3, 1)
    tf.split(x, [1, 2], 1), tf.expand_dims(x, 0), tf.squeeze(tf.ones([1, 2])), tf.squeeze(tf.ones([1, 2]), 0)
    x[0], x[:, 1], x[..., None], x[::-1], x[tf.constant(1)], x[1:, tf.newaxis, ::2]
    tf.pad(x, [[1, 1], [2, 2]]), tf.tile(x, [1, 2]), tf.reverse(x, [0]), tf.gather(x, [1]), tf.gather(x, [1], axis=1)
    tf.gather_nd(x, [[0, 1]]), tf.where(x > 0.0), tf.where(x > 0.0, x, x), tf.boolean_mask(x, [True, False])
    tf.meshgrid([1, 2], [3, 4]), tf.unique([1, 1]), tf.unique_with_counts([1])
    tf.slice(x, [0, 0], [1, 1]), tf.strided_slice(x, [0], [1]), tf.broadcast_to(x, [2, 2, 3]), tf.cast(x, tf.int32)
    tf.cast(x, tf.float32), tf.saturate_cast(x, tf.uint8), tf.bitcast(x, tf.int32), tf.to_float(x), tf.identity(x)
    tf.stop_gradient(x), tf.convert_to_tensor([x[0, 0], 1.0])


def comparisons_and_checks(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    tf.clip_by_value(x, 0.0, 1.0), tf.clip_by_norm(x, 1.0), tf.clip_by_average_norm(x, 1.0), tf.global_norm([x, x])
    tf.nn.in_top_k(x, [1, 2], 1), tf.nn.top_k(x), tf.math.bincount([1, 2]), tf.histogram_fixed_width(x, [0.0, 1.0])
    (
        tf.math.is_nan(x),
        tf.logical_xor(x > 0.0, x < 1.0),
        tf.squared_difference(x, x),
    )
    tf.tensordot(x, x, [[1], [1]]), tf.einsum("ij,kj->ik", x, x), tf.sigmoid(x), tf.trace(tf.eye(2)), tf.cumsum(x)
    tf.cross([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), tf.scalar_mul(2.0, x)


def confusion_matrices(tf):
    tf.confusion_matrix([1, 2], [1, 2])
    tf.confusion_matrix([1, 2], [1, 2], num_classes=3, weights=[1.0, 2.0])


def transposes_of_linalg(tf):
    tf.linalg.transpose(tf.placeholder(tf.float32, [2, 3, 4]))


def sorting(tf):
    tf.sort([3, 1, 2])
    tf.argsort([3, 1, 2])


def random_values(tf):
    tf.set_random_seed(7)
    tf.random_normal([2, 3])
    tf.random_uniform([2, 3], -1.0, 1.0)
    tf.random_uniform([2], maxval=10, dtype=tf.int32)
    tf.truncated_normal([2, 3], seed=3)
    tf.random_shuffle(tf.range(5))
    tf.multinomial(tf.zeros([1, 3]), 2)
    tf.random_gamma([2], 1.0)
    tf.random_poisson(2.0, [3])
    tf.random_crop(tf.zeros([4, 4]), [2, 2])
    tf.random.categorical(tf.zeros([1, 3]), 2)
    tf.random.stateless_normal([2], [1, 2])
    tf.random_uniform(tf.shape(tf.placeholder(tf.float32, [None])))


def seeds_after_minimize(tf):
    tf.set_random_seed(7)
    w = tf.get_variable("w", [3, 2])
    x = tf.placeholder(tf.float32, [None, 3])
    loss = tf.losses.mean_squared_error(tf.zeros([5, 2]), tf.matmul(x, w))
    tf.train.AdamOptimizer().minimize(loss)
    tf.random_normal([2])
    tf.get_variable("late", [2])
    tf.nn.dropout(x, 0.5)


def moving_averages(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    r = tf.get_variable("r", [2], use_resource=True)
    average = tf.train.ExponentialMovingAverage(0.9)
    average.apply([v, r])
    average.average(v)


def moving_averages_of_tensors(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    step = tf.train.get_or_create_global_step()
    with tf.name_scope("ema"):
        average = tf.train.ExponentialMovingAverage(0.99, step, name="Other")
        average.apply([v * 2.0])
        average.apply([v * 2.0, v * 3.0])


def zero_debiased_average(tf):
    average = tf.train.ExponentialMovingAverage(0.9, zero_debias=True)
    average.apply([tf.constant(1.0) * 2.0])


def assertions(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.assert_type(x, tf.float32)
    tf.assert_rank(x, 2)
    tf.ensure_shape(x, [4, 3])
    tf.assert_scalar(tf.constant(1.0))


def names_and_devices(tf):
    with tf.name_scope("a"):
        tf.constant(1.0, name="c")
        with tf.name_scope("b"), tf.device("/cpu:0"):
            tf.constant(1.0, name="c")
            with tf.name_scope(None):
                tf.constant(1.0, name="c")
            with tf.device(lambda op: "/gpu:0" if op.type == "MatMul" else ""):
                tf.matmul(tf.ones([1, 1]), tf.ones([1, 1]))
            with tf.device(None):
                tf.zeros([1])
    with tf.name_scope("a"):
        c = tf.constant(1.0, name="c")
    with tf.name_scope("a/"):
        tf.constant(1.0, name="c")
    with tf.colocate_with(c.op):
        tf.constant(3.0)
        with tf.colocate_with(None, True):
            tf.constant(4.0)
    with tf.device("/job:worker/task:1"), tf.device("/device:GPU:0"):
        tf.constant(5.0)


def containers(tf):
    with tf.get_default_graph().container("box"):
        tf.Variable(1.0)


def sparse_tensors(tf):
    s = tf.SparseTensor([[0, 1], [1, 2]], [1.0, 2.0], [2, 3])
    s * tf.ones([2, 3])
    s / tf.ones([2, 3])
    tf.shape(s), tf.size(s), tf.rank(s)


def python_functions(tf):
    tf.Print(tf.constant(1.0), ["a"], message="m", first_n=2)
