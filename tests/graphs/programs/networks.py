"""Programs with layers: activations, convolutions, pooling, normalization, losses, and their gradients."""


def _gradients_of(tf, make, *shapes):
    xs = [tf.placeholder(tf.float32, shape, name=f"x{i}") for i, shape in enumerate(shapes)]
    return tf.gradients(make(*xs), xs)


def activations(tf):
    for f in (tf.nn.relu, tf.nn.relu6, tf.nn.elu, tf.nn.selu, tf.nn.softplus, tf.nn.softsign, tf.nn.leaky_relu):
        _gradients_of(tf, f, [2, 3])
    _gradients_of(tf, tf.log_sigmoid, [2, 3])
    _gradients_of(tf, tf.nn.crelu, [2, 3])


def swish(tf):
    _gradients_of(tf, tf.nn.swish, [2, 3])


def zero_fraction(tf):
    tf.nn.zero_fraction(tf.placeholder(tf.float32, [2, 3]))


def second_gradients_of_activations(tf):
    for f in (tf.nn.relu, tf.nn.elu, tf.nn.softplus, tf.nn.leaky_relu):
        x = tf.placeholder(tf.float32, [2, 3])
        tf.gradients(tf.gradients(f(x), x), x)


def softmaxes(tf):
    _gradients_of(tf, tf.nn.softmax, [2, 3])
    _gradients_of(tf, tf.nn.log_softmax, [2, 3])
    _gradients_of(tf, tf.nn.softmax, [None, 3])
    _gradients_of(tf, lambda x: tf.nn.softmax(x, 1), [2, 3, 4])
    _gradients_of(tf, lambda x: tf.nn.log_softmax(x, 0), [2, 3])


def cross_entropies(tf):
    labels = tf.placeholder(tf.float32, [5, 3])
    f = tf.nn.softmax_cross_entropy_with_logits_v2
    _gradients_of(tf, lambda x: f(labels=labels, logits=x), [5, 3])
    _gradients_of(tf, lambda x, y: f(labels=y, logits=x), [None, 3], [None, 3])
    _gradients_of(tf, lambda x: f(labels=labels, logits=x, axis=0), [5, 3])
    _gradients_of(tf, lambda x: tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=x), [5, 3])
    _gradients_of(tf, lambda x: tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=x), [5, 3])
    _gradients_of(tf, lambda x: tf.nn.weighted_cross_entropy_with_logits(labels, x, 2.0), [5, 3])
    _gradients_of(tf, lambda x: tf.nn.log_poisson_loss(labels, x), [5, 3])


def sparse_cross_entropies(tf):
    labels = tf.placeholder(tf.int64, [None])
    f = tf.nn.sparse_softmax_cross_entropy_with_logits
    _gradients_of(tf, lambda x: f(labels=labels, logits=x), [None, 3])
    _gradients_of(tf, lambda x: f(labels=[1, 2], logits=x), [2, 3])
    _gradients_of(tf, lambda x: f(labels=[[1, 2]], logits=x), [1, 2, 3])


def losses_without_weights(tf):
    x = tf.placeholder(tf.float32, [5, 3])
    y = tf.placeholder(tf.float32, [5, 3])
    tf.losses.mean_squared_error(y, x)
    tf.losses.absolute_difference(y, x)
    tf.losses.huber_loss(y, x)
    tf.losses.log_loss(y, x)
    tf.losses.hinge_loss(y, x)
    tf.losses.cosine_distance(y, x, axis=1)
    tf.losses.get_total_loss()


def cross_entropy_losses(tf):
    x = tf.placeholder(tf.float32, [5, 3])
    y = tf.placeholder(tf.float32, [5, 3])
    tf.losses.softmax_cross_entropy(y, x)
    tf.losses.softmax_cross_entropy(y, x, label_smoothing=0.1)
    tf.losses.sigmoid_cross_entropy(y, x)
    tf.losses.sigmoid_cross_entropy(y, x, label_smoothing=0.1)
    tf.losses.sparse_softmax_cross_entropy(tf.placeholder(tf.int32, [5]), x)


def losses_with_weights(tf):
    x = tf.placeholder(tf.float32, [5, 3])
    y = tf.placeholder(tf.float32, [5, 3])
    weights = tf.placeholder(tf.float32, [5, 1])
    tf.losses.mean_squared_error(y, x, weights)
    tf.losses.mean_squared_error(y, x, 0.5, reduction=tf.losses.Reduction.SUM)
    tf.losses.absolute_difference(y, x, weights, reduction=tf.losses.Reduction.MEAN)
    tf.losses.huber_loss(y, x, weights, reduction=tf.losses.Reduction.NONE)
    tf.losses.softmax_cross_entropy(y, x, tf.placeholder(tf.float32, [5]))
    tf.losses.compute_weighted_loss(x, 2.0, reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE)
    tf.losses.compute_weighted_loss(x, weights, reduction=tf.losses.Reduction.SUM_OVER_NONZERO_WEIGHTS)


def losses_of_unknown_shape(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.placeholder(tf.float32, [None, 3])
    tf.gradients(tf.losses.mean_squared_error(y, x), x)
    tf.gradients(tf.losses.softmax_cross_entropy(y, x), x)
    tf.gradients(tf.losses.sparse_softmax_cross_entropy(tf.placeholder(tf.int64, [None]), x), x)


def gradients_of_losses(tf):
    x = tf.placeholder(tf.float32, [5, 3])
    y = tf.placeholder(tf.float32, [5, 3])
    for loss in (tf.losses.mean_squared_error, tf.losses.huber_loss, tf.losses.log_loss, tf.losses.hinge_loss):
        tf.gradients(loss(y, x), x)


def convolutions(tf):
    _gradients_of(tf, lambda x, w: tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), [2, 8, 8, 3], [3, 3, 3, 4])
    _gradients_of(tf, lambda x, w: tf.nn.conv2d(x, w, [1, 2, 2, 1], "VALID"), [None, 8, 8, 3], [3, 3, 3, 4])
    _gradients_of(tf, lambda x, w: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"), [2, 8, 8, 3], [3, 3, 3, 2])
    _gradients_of(tf, lambda x, w: tf.nn.conv3d(x, w, [1] * 5, "SAME"), [2, 8, 8, 8, 3], [3, 3, 3, 3, 4])
    _gradients_of(tf, lambda x, w: tf.nn.conv1d(x, w, 1, "SAME"), [2, 8, 3], [3, 3, 4])


def other_convolutions(tf):
    w = tf.placeholder(tf.float32, [3, 3, 3, 2])
    p = tf.placeholder(tf.float32, [1, 1, 6, 4])
    _gradients_of(tf, lambda x: tf.nn.separable_conv2d(x, w, p, [1, 1, 1, 1], "SAME"), [2, 8, 8, 3])
    _gradients_of(tf, lambda x: tf.nn.conv2d_transpose(x, w, [2, 8, 8, 3], [1, 2, 2, 1], "SAME"), [2, 4, 4, 2])
    _gradients_of(tf, lambda x: tf.nn.atrous_conv2d(x, w, 2, "SAME"), [2, 8, 8, 3])
    _gradients_of(tf, lambda x: tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 2]), [2, 8, 8, 3])


def pools(tf):
    for f in (tf.nn.max_pool, tf.nn.avg_pool):
        _gradients_of(tf, lambda x, f=f: f(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), [2, 8, 8, 3])
        _gradients_of(tf, lambda x, f=f: f(x, 2, 2, "VALID"), [None, 8, 8, 3])
    _gradients_of(tf, lambda x: tf.nn.pool(x, [2, 2], "MAX", "SAME"), [2, 8, 8, 3])


def biases_and_lrn(tf):
    _gradients_of(tf, lambda x, b: tf.nn.bias_add(x, b), [2, 8, 8, 3], [3])
    _gradients_of(tf, lambda x, b: tf.nn.bias_add(x, b, "NCHW"), [2, 3, 8, 8], [3])
    _gradients_of(tf, lambda x: tf.nn.lrn(x, 2), [2, 8, 8, 3])
    x, b = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [3])
    first = tf.gradients(tf.square(tf.nn.bias_add(x, b)), b)
    tf.gradients(first, b)


def moments_and_batch_norm(tf):
    x = tf.placeholder(tf.float32, [5, 4, 4, 3])
    u = tf.placeholder(tf.float32, [None, 3])
    mean, variance = tf.nn.moments(x, [0, 1, 2])
    y = tf.nn.batch_normalization(x, mean, variance, tf.ones([3]), tf.zeros([3]), 1e-3)
    tf.gradients(y, x)
    mean, variance = tf.nn.moments(u, [0], keep_dims=True)
    tf.gradients(tf.nn.batch_normalization(u, mean, variance, None, None, 1e-3), u)
    tf.nn.sufficient_statistics(x, [0])
    tf.nn.weighted_moments(u, [0], 2.0)


def fused_batch_norm(tf):
    scale, offset = tf.get_variable("scale", [3]), tf.get_variable("offset", [3])
    x = tf.placeholder(tf.float32, [5, 4, 4, 3])
    tf.gradients(tf.nn.fused_batch_norm(x, scale, offset)[0], [x, scale, offset])
    still = tf.nn.fused_batch_norm(x, scale, offset, tf.zeros([3]), tf.ones([3]), is_training=False)[0]
    tf.gradients(still, [x, scale, offset])


def dropouts(tf):
    _gradients_of(tf, lambda x: tf.nn.dropout(x, 0.5), [2, 3])
    _gradients_of(tf, lambda x: tf.nn.dropout(x, rate=0.2, seed=1), [None, 3])
    _gradients_of(tf, lambda x: tf.nn.dropout(x, tf.placeholder(tf.float32), noise_shape=[2, 1]), [2, 3])
    tf.nn.dropout(tf.ones([2, 3]), 1.0)


def normalizations(tf):
    _gradients_of(tf, lambda x: tf.nn.l2_normalize(x, 1), [2, 3])
    tf.nn.normalize_moments(tf.constant(2.0), tf.ones([3]), tf.ones([3]), None)


def clippings(tf):
    _gradients_of(tf, lambda x: tf.clip_by_norm(x, 1.0), [2, 3])
    _gradients_of(tf, lambda x: tf.clip_by_norm(x, 1.0, [1]), [None, 3])
    _gradients_of(tf, lambda x, y: tf.clip_by_global_norm([x, y, None], 1.0)[0][0], [2, 3], [3])
    _gradients_of(tf, lambda x: tf.clip_by_average_norm(x, 1.0), [2, 3])
    x = tf.placeholder(tf.float32, [4, 3])
    grads = tf.gradients(tf.gather(x, [0, 1, 1]), x)
    tf.clip_by_global_norm(grads, 1.0)
    tf.clip_by_norm(grads[0], 1.0)


def a_small_network(tf):
    x = tf.placeholder(tf.float32, [None, 784], name="x")
    labels = tf.placeholder(tf.float32, [None, 10], name="labels")
    w = tf.Variable(tf.truncated_normal([784, 32], stddev=0.1), name="w")
    b = tf.Variable(tf.constant(0.1, shape=[32]), name="b")
    hidden = tf.nn.relu(tf.matmul(x, w) + b)
    logits = tf.matmul(hidden, tf.Variable(tf.truncated_normal([32, 10]))) + tf.Variable(tf.zeros([10]))
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    correct = tf.equal(tf.argmax(logits, 1), tf.argmax(labels, 1))
    tf.reduce_mean(tf.cast(correct, tf.float32))
    tf.global_variables_initializer()


def a_convolutional_network(tf):
    x = tf.placeholder(tf.float32, [None, 28, 28, 1])
    y = x
    for i, channels in enumerate((4, 8)):
        with tf.variable_scope(f"conv{i}"):
            w = tf.get_variable("w", [3, 3, y.shape[-1].value, channels])
            b = tf.get_variable("b", [channels], initializer=tf.zeros_initializer())
            y = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(y, w, [1, 1, 1, 1], "SAME"), b))
            y = tf.nn.max_pool(y, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    y = tf.nn.dropout(tf.reshape(y, [-1, 7 * 7 * 8]), 0.5)
    logits = tf.matmul(y, tf.get_variable("w", [392, 10]))
    loss = tf.losses.sparse_softmax_cross_entropy(tf.placeholder(tf.int32, [None]), logits)
    loss += tf.add_n([1e-4 * tf.nn.l2_loss(v) for v in tf.trainable_variables()])
    step = tf.train.get_or_create_global_step()
    tf.train.AdamOptimizer(1e-3).minimize(loss, step)


def a_recurrent_cell(tf):
    x = tf.placeholder(tf.float32, [7, 3])
    w = tf.get_variable("w", [8, 20])
    b = tf.get_variable("b", [20], initializer=tf.zeros_initializer())
    c, h = tf.zeros([7, 5]), tf.zeros([7, 5])
    for _ in range(2):
        gates = tf.nn.bias_add(tf.matmul(tf.concat([x, h], 1), w), b)
        i, j, f, o = tf.split(gates, 4, 1)
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
    grads = tf.gradients(tf.reduce_mean(tf.square(h)), [w, b])
    tf.clip_by_global_norm(grads, 5.0)
