"""Training graphs that TensorFlow 1.15 builds and whose static shapes are compared: functions of `tf` that add to the
default graph.

They may use names that this package lacks, because their graphs are imported. They run on Python 3.7.
"""


def _train(tf, loss, optimizer=None):
    (optimizer or tf.train.GradientDescentOptimizer(0.1)).minimize(tf.reduce_mean(loss))


def _image(tf, batch=None, size=8, channels=3):
    return tf.placeholder(tf.float32, [batch, size, size, channels], name="image")


def _each(tf, makes, make_input):
    """The gradient of each layer's output, in separate scopes."""
    for number, make in enumerate(makes):
        with tf.variable_scope(f"layer{number}"):
            y = make(make_input())
            _train(tf, tf.square(y))


def dense_layers(tf):
    layers = tf.layers
    _each(
        tf,
        [
            lambda x: layers.dense(x, 4, tf.nn.relu),
            lambda x: layers.dense(x, 4, use_bias=False),
            lambda x: layers.dropout(layers.dense(x, 4), 0.3, training=True),
            lambda x: layers.dropout(layers.dense(x, 4), 0.3, training=tf.placeholder_with_default(False, [])),
            lambda x: layers.batch_normalization(layers.dense(x, 4), training=True),
            lambda x: layers.batch_normalization(layers.dense(x, 4), training=False),
        ],
        lambda: tf.placeholder(tf.float32, [None, 5]),
    )
    with tf.variable_scope("cubes"):
        _each(tf, [lambda x: layers.dense(x, 6), layers.flatten], lambda: tf.get_variable("v", [2, 3, 5]))


def convolutions(tf):
    layers = tf.layers
    for batch in (None, 2):
        with tf.variable_scope(f"batch{batch}"):
            _each(
                tf,
                [
                    lambda x: layers.conv2d(x, 4, 3),
                    lambda x: layers.conv2d(x, 4, 3, 2, "same", activation=tf.nn.relu),
                    lambda x: layers.conv2d(x, 4, [1, 3], dilation_rate=2, use_bias=False),
                    lambda x: layers.conv2d_transpose(x, 4, 3, 2),
                    lambda x: layers.conv2d_transpose(x, 4, 3, 2, "same"),
                    lambda x: layers.separable_conv2d(x, 4, 3),
                    lambda x: layers.separable_conv2d(x, 4, 3, 2, "same", depth_multiplier=2),
                    lambda x: layers.max_pooling2d(layers.conv2d(x, 4, 1), 2, 2),
                    lambda x: layers.average_pooling2d(layers.conv2d(x, 4, 1), 3, 2, "same"),
                    lambda x: layers.flatten(layers.conv2d(x, 4, 3)),
                ],
                lambda batch=batch: _image(tf, batch),
            )


def convolutions_of_other_ranks(tf):
    layers = tf.layers
    _each(
        tf,
        [
            lambda x: layers.conv1d(x, 4, 3),
            lambda x: layers.conv1d(x, 4, 3, padding="same", dilation_rate=2),
            lambda x: layers.separable_conv1d(x, 4, 3),
            lambda x: layers.max_pooling1d(layers.conv1d(x, 4, 1), 2, 2),
            lambda x: layers.average_pooling1d(layers.conv1d(x, 4, 1), 2, 2, "same"),
        ],
        lambda: tf.placeholder(tf.float32, [None, 10, 3]),
    )
    _each(
        tf,
        [
            lambda x: layers.conv3d(x, 4, 3),
            lambda x: layers.conv3d(x, 4, 3, 2, "same"),
            lambda x: layers.conv3d_transpose(x, 4, 3, 2),
            lambda x: layers.max_pooling3d(layers.conv3d(x, 4, 1), 2, 2),
            lambda x: layers.average_pooling3d(layers.conv3d(x, 4, 1), 2, 2, "same"),
        ],
        lambda: tf.placeholder(tf.float32, [None, 6, 6, 6, 2], name="voxels"),
    )


def channels_first(tf):
    layers = tf.layers
    x = tf.placeholder(tf.float32, [None, 3, 8, 8])
    y = layers.conv2d(x, 4, 3, data_format="channels_first")
    y = layers.batch_normalization(y, 1, training=True)
    y = layers.max_pooling2d(y, 2, 2, data_format="channels_first")
    _train(tf, layers.dense(layers.flatten(y, data_format="channels_first"), 2))


def normalizations(tf):
    layers = tf.layers
    is_training = tf.placeholder_with_default(False, [], name="is_training")
    _each(
        tf,
        [
            lambda x: layers.batch_normalization(layers.conv2d(x, 4, 3), training=True),
            lambda x: layers.batch_normalization(layers.conv2d(x, 4, 3), training=False),
            lambda x: layers.batch_normalization(layers.conv2d(x, 4, 3), training=is_training),
            lambda x: layers.batch_normalization(layers.conv2d(x, 4, 3), training=is_training, fused=False),
            lambda x: layers.batch_normalization(layers.conv2d(x, 4, 3), center=False, scale=False, training=True),
            lambda x: layers.batch_normalization(layers.conv2d(x, 4, 3), training=True, renorm=True),
            lambda x: tf.nn.l2_normalize(layers.conv2d(x, 4, 3), -1),
            lambda x: tf.nn.local_response_normalization(layers.conv2d(x, 4, 3)),
            lambda x: (
                tf.nn.fused_batch_norm(x, tf.ones([3]), tf.zeros([3]), tf.zeros([3]), tf.ones([3]), is_training=False)[
                    0
                ]
                * tf.get_variable("scale", [3])
            ),
        ],
        lambda: _image(tf),
    )


def _keras(names):
    def program(tf):
        layers = tf.keras.layers
        for number, (make, shape) in enumerate(names(layers)):
            x = tf.placeholder(tf.float32, shape)
            y = make(x)
            weight = tf.get_variable(f"w{number}", [])
            _train(tf, weight * tf.square(y))
            tf.gradients(tf.square(y), x)

    return program


keras_core = _keras(
    lambda L: [
        (L.Dense(3, "tanh"), [None, 4]),
        (L.PReLU(), [None, 4]),
        (L.ELU(), [None, 4]),
        (L.LeakyReLU(), [None, 4]),
        (L.Softmax(), [None, 4]),
        (L.LayerNormalization(), [None, 4]),
        (L.BatchNormalization(), [None, 4, 4, 3]),
        (L.GaussianNoise(0.1), [None, 4]),
        (L.AlphaDropout(0.1), [None, 4]),
        (L.SpatialDropout2D(0.1), [None, 4, 4, 3]),
        (L.Reshape([2, -1]), [None, 4]),
        (L.Permute([2, 1]), [None, 4, 3]),
        (L.RepeatVector(3), [None, 4]),
        (L.TimeDistributed(L.Dense(3)), [None, 5, 4]),
        (L.Masking(), [None, 5, 4]),
    ]
)
keras_images = _keras(
    lambda L: [
        (L.Conv2D(4, 3, padding="same"), [None, 8, 8, 3]),
        (L.DepthwiseConv2D(3, 2, "same"), [None, 8, 8, 3]),
        (L.SeparableConv2D(4, 3), [None, 8, 8, 3]),
        (L.Conv2DTranspose(4, 3, 2), [None, 8, 8, 3]),
        (L.LocallyConnected2D(4, 3), [None, 8, 8, 3]),
        (L.LocallyConnected1D(4, 3), [None, 8, 3]),
        (L.UpSampling2D(), [None, 8, 8, 3]),
        (L.UpSampling2D(interpolation="bilinear"), [None, 8, 8, 3]),
        (L.ZeroPadding2D(), [None, 8, 8, 3]),
        (L.Cropping2D(), [None, 8, 8, 3]),
        (L.GlobalAveragePooling2D(), [None, 8, 8, 3]),
        (L.GlobalMaxPooling2D(), [None, None, None, 3]),
        (L.UpSampling1D(), [None, 8, 3]),
        (L.ZeroPadding1D(), [None, 8, 3]),
        (L.Cropping1D(), [None, 8, 3]),
        (L.Cropping3D(), [None, 4, 4, 4, 3]),
        (L.UpSampling3D(), [None, 4, 4, 4, 3]),
    ]
)
keras_recurrent = _keras(
    lambda L: [
        (L.LSTM(4, return_sequences=True), [None, 5, 3]),
        (L.GRU(4), [None, None, 3]),
        (L.ConvLSTM2D(2, 3), [None, 3, 6, 6, 2]),
    ]
)


def keras_attention(tf):
    layers = tf.keras.layers
    query, value = tf.placeholder(tf.float32, [None, 5, 4]), tf.placeholder(tf.float32, [None, 6, 4])
    _train(tf, layers.Attention(use_scale=True)([query, value]))
    _train(tf, layers.AdditiveAttention()([query, value]))
