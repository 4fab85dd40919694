"""Graphs with functions and their gradients, as in `layer_programs.py`."""


def _train(tf, loss, optimizer=None):
    (optimizer or tf.train.GradientDescentOptimizer(0.1)).minimize(tf.reduce_mean(loss))


def _image(tf, batch=None, size=8, channels=3):
    return tf.placeholder(tf.float32, [batch, size, size, channels], name="image")


def activations(tf):
    nn = tf.nn
    functions = [nn.relu, nn.relu6, nn.elu, nn.selu, nn.softplus, nn.softsign, nn.leaky_relu, nn.crelu, nn.swish]
    functions += [tf.tanh, tf.sigmoid, tf.log_sigmoid, nn.softmax, nn.log_softmax, tf.erf, tf.exp, tf.log1p, tf.lgamma]
    for shape in ([None, 4], [2, 3, 4], None):
        x = tf.placeholder(tf.float32, shape)
        for function in functions:
            if shape is not None or function is not nn.crelu:
                tf.gradients(function(x), x)


def element_wise_pairs(tf):
    functions = [tf.add, tf.subtract, tf.multiply, tf.divide, tf.maximum, tf.minimum, tf.pow, tf.squared_difference]
    functions += [tf.floormod, tf.truediv, tf.floordiv]
    for a, b in (([None, 4], [4]), ([2, 1, 4], [3, 1]), (None, [4]), ([None, None], [None, 1])):
        x, y = tf.placeholder(tf.float32, a), tf.placeholder(tf.float32, b)
        for function in functions:
            tf.gradients(function(x, y), [x, y])


def reductions(tf):
    functions = [tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod, tf.reduce_logsumexp]
    functions += [tf.math.reduce_std, tf.math.reduce_variance]
    for shape in ([None, 4, 3], None):
        x = tf.placeholder(tf.float32, shape)
        for function in functions:
            for axis in (None, 1, [0, -1]):
                for keepdims in (True, False):
                    tf.gradients(function(x, axis, keepdims=keepdims), x)
    x = tf.placeholder(tf.float32, [None, 4])
    tf.gradients(tf.reduce_sum(x, tf.placeholder(tf.int32, [])), x)
    tf.gradients(tf.reduce_mean(x, tf.placeholder(tf.int32, [None]), keepdims=True), x)
    tf.gradients(tf.cumsum(x, 1), x)
    tf.gradients(tf.cumprod(x, 1), x)
    _ = tf.argmax(x, 1), tf.argmin(x, -1), tf.reduce_all(x > 0), tf.reduce_any(x > 0, 0), tf.count_nonzero(x, 1)


def matrices(tf):
    x, y = tf.placeholder(tf.float32, [None, 3, 4]), tf.placeholder(tf.float32, [None, 4, 5])
    tf.gradients(tf.matmul(x, y), [x, y])
    tf.gradients(tf.einsum("bij,bjk->bik", x, y), [x, y])
    tf.gradients(tf.tensordot(x, tf.placeholder(tf.float32, [4, 6]), [[2], [0]]), x)
    square = tf.placeholder(tf.float32, [None, 3, 3])
    for function in (tf.matrix_inverse, tf.cholesky, tf.matrix_determinant, tf.trace, tf.matrix_diag_part):
        tf.gradients(function(square), square)
    for function in (tf.linalg.logdet, tf.linalg.expm, tf.matrix_transpose):
        tf.gradients(function(square), square)
    tf.gradients(tf.matrix_solve(square, x), [square, x])
    tf.gradients(tf.matrix_triangular_solve(square, x), [square, x])
    tf.gradients(tf.matrix_diag(x), x)
    tf.gradients(tf.matrix_set_diag(square, tf.placeholder(tf.float32, [None, 3])), square)
    tf.gradients(tf.matrix_band_part(square, 1, 0), square)
    tf.gradients(tf.svd(square), square)
    tf.gradients(tf.self_adjoint_eig(square)[0], square)
    tf.gradients(tf.qr(square)[0], square)
    tf.gradients(tf.norm(x, axis=-1), x)
    sparse = tf.sparse_placeholder(tf.float32, [None, 3])
    dense = tf.placeholder(tf.float32, [3, 4])
    tf.gradients(tf.sparse_tensor_dense_matmul(sparse, dense), [sparse.values, dense])
    tf.gradients(tf.sparse_reduce_sum(sparse, 1), sparse.values)


def shapes_and_slices(tf):
    for shape in ([None, 4, 6], [2, 4, 6]):
        x = tf.placeholder(tf.float32, shape)
        results = [x[:, 1:3], x[..., 0], x[:, ::-1, tf.newaxis], x[:, tf.placeholder(tf.int32, []) :], x[-1]]
        results += [tf.reshape(x, [-1, 24]), tf.reshape(x, [tf.shape(x)[0], 2, 12]), tf.transpose(x, [2, 0, 1])]
        results += [
            tf.expand_dims(x, 1),
            tf.squeeze(x[:, :1], 1),
            tf.tile(x, [1, 2, 1]),
            tf.pad(x, [[0, 0], [1, 2], [0, 0]]),
        ]
        results += [tf.pad(x, [[0, 0], [1, 2], [0, 0]], "REFLECT"), tf.reverse(x, [1]), tf.roll(x, 1, 1)]
        results += [tf.slice(x, [0, 1, 2], [-1, 2, 3]), tf.strided_slice(x, [0, 0], [1, 4], [1, 2])]
        results += [tf.gather(x, [1, 0], axis=1), tf.gather(x, tf.placeholder(tf.int32, [None]), axis=2)]
        results += [
            tf.gather_nd(x, [[0, 1], [1, 2]]),
            tf.gather(x, [0, 1]),
            tf.boolean_mask(x, tf.reduce_any(x > 0, [1, 2])),
        ]
        results += [tf.where(x > 0, x, -x), tf.clip_by_value(x, -1.0, 1.0), tf.clip_by_norm(x, 1.0)]
        results += [
            tf.broadcast_to(x, [3, tf.shape(x)[0], 4, 6]),
            tf.space_to_batch_nd(x, [2], [[0, 0]]) if shape[0] else x,
        ]
        results += list(tf.split(x, 2, 1)) + list(tf.split(x, [1, 3], 1)) + list(tf.unstack(x, axis=1))
        results += [tf.concat([x, x], 1), tf.stack([x, x], 1), tf.meshgrid(x[0, 0], x[0, 1])[0], tf.add_n([x, x, x])]
        results += [
            tf.reverse_sequence(x, tf.placeholder(tf.int64, [None]), 1, 0),
            tf.sequence_mask([1, 2], 3, tf.float32),
        ]
        results += [
            tf.dynamic_stitch([[0], [1]], [x[0:1], x[1:2]]),
            tf.dynamic_partition(x, tf.cast(x[:, 0, 0], tf.int32), 2)[0],
        ]
        results += [tf.scatter_nd([[0], [2]], x[:2], [4, 4, 6]), tf.quantization.fake_quant_with_min_max_args(x)]
        results += [
            tf.depth_to_space(x[:, :, :, tf.newaxis][..., 0:1] * tf.ones([4]), 2),
            tf.one_hot(tf.argmax(x, 2), 6),
        ]
        results += [tf.nn.top_k(x, 2)[0], tf.nn.embedding_lookup(x, [0, 1]), tf.linspace(0.0, 1.0, 5), tf.eye(3)]
        results += [
            tf.ensure_shape(x, [None, 4, 6]),
            tf.placeholder_with_default(x, [None, None, 6]),
            tf.identity_n([x])[0],
        ]
        for result in results:
            tf.gradients(result, x)
    (
        tf.fill(tf.shape(x), 1.0),
        tf.zeros_like(x),
        tf.ones_like(x),
        tf.range(10),
        tf.unique(x[0, 0]),
        tf.setdiff1d([1], [2]),
    )
    (
        tf.size(x),
        tf.rank(x),
        tf.shape_n([x, x]),
        tf.where(x > 0),
        tf.nn.in_top_k(x[:, 0], [1, 2], 2),
        tf.invert_permutation([1, 0]),
    )
    (
        tf.broadcast_dynamic_shape(tf.shape(x), [6]),
        tf.unique_with_counts([1, 1]),
        tf.bincount([1, 2]),
        tf.histogram_fixed_width(x, [0.0, 1.0]),
    )


def segments(tf):
    x = tf.placeholder(tf.float32, [None, 4])
    ids = tf.placeholder(tf.int32, [None])
    for function in (tf.segment_sum, tf.segment_mean, tf.segment_max, tf.segment_min):
        tf.gradients(function(x, ids), x)
    for function in (
        tf.unsorted_segment_sum,
        tf.unsorted_segment_mean,
        tf.unsorted_segment_max,
        tf.unsorted_segment_prod,
    ):
        tf.gradients(function(x, ids, 5), x)
    tf.gradients(tf.sparse_segment_sum(x, ids, ids), x)
    tf.gradients(tf.sparse_segment_mean(x, ids, ids), x)
    tf.gradients(tf.sparse_segment_sqrt_n(x, ids, ids, num_segments=4), x)


def convolution_functions(tf):
    nn = tf.nn
    for batch in (None, 2):
        x = _image(tf, batch)
        w = tf.get_variable(f"w{batch}", [3, 3, 3, 4])
        d = tf.get_variable(f"d{batch}", [3, 3, 3, 2])
        results = [nn.conv2d(x, w, [1, 2, 2, 1], "SAME"), nn.conv2d(x, w, 1, [[0, 0], [1, 2], [2, 1], [0, 0]])]
        results += [nn.atrous_conv2d(x, w, 2, "SAME"), nn.convolution(x, w, "VALID", dilation_rate=[2, 2])]
        results += [
            nn.depthwise_conv2d(x, d, [1, 1, 1, 1], "SAME"),
            nn.depthwise_conv2d(x, d, [1, 1, 1, 1], "VALID", [2, 2]),
        ]
        results += [nn.separable_conv2d(x, d, tf.get_variable(f"p{batch}", [1, 1, 6, 5]), [1, 1, 1, 1], "SAME")]
        results += [nn.conv2d_transpose(x, tf.get_variable(f"t{batch}", [3, 3, 5, 3]), [2, 16, 16, 5], 2, "SAME")]
        results += [
            nn.max_pool(x, 2, 2, "SAME"),
            nn.avg_pool(x, 3, 2, "VALID"),
            nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")[0],
        ]
        if batch:
            results += [
                nn.fractional_max_pool(x, [1.0, 1.5, 1.5, 1.0])[0],
                nn.fractional_avg_pool(x, [1.0, 1.5, 1.5, 1.0])[0],
            ]
        results += [
            nn.pool(x, [2, 2], "MAX", "VALID", dilation_rate=[2, 2]),
            nn.dilation2d(x, w[..., 0], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"),
        ]
        results += [
            nn.erosion2d(x, w[..., 0], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"),
            nn.bias_add(x, tf.ones([3])),
            nn.lrn(x),
        ]
        results += [
            tf.extract_image_patches(x, [1, 3, 3, 1], [1, 2, 2, 1], [1, 1, 1, 1], "SAME"),
            tf.space_to_depth(x, 2),
        ]
        results += [
            tf.batch_to_space(tf.space_to_batch(x, [[0, 0], [0, 0]], 2), [[0, 0], [0, 0]], 2),
            nn.moments(x, [1, 2])[1],
        ]
        results += [nn.batch_normalization(x, tf.ones([3]), tf.ones([3]), None, None, 1e-3), nn.dropout(x, 0.5)]
        results += [
            nn.xw_plus_b(tf.layers.flatten(x), tf.ones([192, 3]), tf.ones([3])),
            nn.normalize_moments(1.0, x, x, None)[0],
        ]
        results += [nn.weighted_moments(x, [1], 1.0)[0], nn.zero_fraction(x) * tf.reduce_sum(x)]
        for result in results:
            tf.gradients(result, [x] + tf.trainable_variables())
    x = tf.placeholder(tf.float32, [None, 5, 6, 7, 2])
    results = [
        nn.conv3d(x, tf.ones([2, 2, 2, 2, 3]), [1, 1, 2, 1, 1], "SAME"),
        nn.max_pool3d(x, 2, 2, "VALID"),
        nn.avg_pool3d(x, 2, 2, "SAME"),
    ]
    for result in results:
        tf.gradients(tf.gradients(tf.square(result), x)[0], x)


def images(tf):
    image = tf.image
    x = _image(tf, 2)
    results = [
        image.resize_bilinear(x, [4, 5]),
        image.resize_nearest_neighbor(x, [4, 5]),
        image.resize_bicubic(x, [4, 5]),
    ]
    results += [
        image.resize_images(x, [4, 5], image.ResizeMethod.AREA),
        image.crop_and_resize(x, [[0.0, 0.0, 1.0, 1.0]], [0], [3, 3]),
    ]
    results += [
        image.random_flip_left_right(x[0]),
        image.adjust_hue(x, 0.1),
        image.adjust_saturation(x, 0.5),
        image.rgb_to_hsv(x),
    ]
    results += [
        image.central_crop(x[0], 0.5),
        image.pad_to_bounding_box(x, 1, 1, 12, 12),
        image.per_image_standardization(x[0]),
    ]
    results += [
        image.random_brightness(x, 0.1),
        image.random_contrast(x, 0.1, 0.2),
        image.rot90(x[0]),
        image.transpose_image(x),
    ]
    results += [
        image.total_variation(x),
        image.psnr(x, x, 1.0),
        image.ssim(tf.image.resize_bilinear(x, [16, 16]), tf.ones([2, 16, 16, 3]), 1.0),
    ]
    results += [
        image.extract_glimpse(x, [3, 3], [[0.0, 0.0], [0.1, 0.1]]),
        image.sobel_edges(x),
        image.rgb_to_grayscale(x),
    ]
    results += [
        image.resize_image_with_crop_or_pad(x, 6, 10),
        image.grayscale_to_rgb(x[..., :1]),
        image.image_gradients(x)[0],
    ]
    for result in results:
        try:
            tf.gradients(result, x)
        except LookupError:  # the op has no gradient
            pass
    _ = image.non_max_suppression(tf.ones([3, 4]), tf.ones([3]), 2), image.decode_png(tf.placeholder(tf.string, []), 3)
    _ = (
        image.sample_distorted_bounding_box([8, 8, 3], tf.ones([1, 1, 4])),
        image.draw_bounding_boxes(x, tf.ones([2, 1, 4])),
    )


def spectra(tf):
    x = tf.placeholder(tf.complex64, [None, 8, 8])
    for function in (tf.fft, tf.ifft, tf.fft2d, tf.ifft2d):
        tf.gradients(tf.abs(function(x)), x)
    real = tf.placeholder(tf.float32, [None, 8, 8])
    for function in (tf.spectral.rfft, tf.spectral.rfft2d):
        tf.gradients(tf.abs(function(real)), real)
    tf.gradients(tf.spectral.irfft(x), x)
    tf.gradients(tf.abs(tf.signal.stft(real[:, 0], 4, 2)), real)
    tf.gradients(tf.spectral.dct(real), real)


def losses(tf):
    logits, labels = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 4])
    sparse = tf.placeholder(tf.int64, [None])
    w, nn = tf.get_variable("w", [4]), tf.nn
    for loss in (
        "absolute_difference",
        "mean_squared_error",
        "log_loss",
        "hinge_loss",
        "huber_loss",
        "mean_pairwise_squared_error",
    ):
        _train(tf, getattr(tf.losses, loss)(labels, logits * w))
    _train(tf, tf.losses.sigmoid_cross_entropy(labels, logits * w, label_smoothing=0.1))
    _train(tf, tf.losses.softmax_cross_entropy(labels, logits * w, weights=tf.ones([2]), label_smoothing=0.1))
    _train(tf, tf.losses.sparse_softmax_cross_entropy(sparse, logits * w))
    _train(tf, tf.losses.cosine_distance(labels, logits * w, axis=1, reduction="none"))
    _train(tf, nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits * w))
    _train(tf, nn.sparse_softmax_cross_entropy_with_logits(labels=sparse, logits=logits * w))
    _train(tf, nn.weighted_cross_entropy_with_logits(labels, logits * w, 2.0))
    _train(tf, nn.l2_loss(w))
    embeddings = tf.get_variable("embeddings", [50, 4])
    biases = tf.get_variable("biases", [50])
    targets = tf.placeholder(tf.int64, [None, 1])
    _train(tf, nn.nce_loss(embeddings, biases, targets, logits * w, 5, 50))
    _train(tf, nn.sampled_softmax_loss(embeddings, biases, targets, logits * w, 5, 50))
    _train(tf, tf.nn.embedding_lookup(embeddings, sparse))
    _train(tf, tf.nn.embedding_lookup_sparse(embeddings, tf.sparse_placeholder(tf.int64), None, combiner="mean"))
    sequences = tf.layers.dense(tf.placeholder(tf.float32, [None, 7, 4]), 5)
    _train(
        tf, nn.ctc_loss(tf.sparse_placeholder(tf.int32), sequences, tf.placeholder(tf.int32, [None]), time_major=False)
    )
    _ = nn.ctc_greedy_decoder(tf.transpose(sequences, [1, 0, 2]), tf.placeholder(tf.int32, [None]))
