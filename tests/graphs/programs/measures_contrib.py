"""Calls of `tf.contrib.metrics` and `tf.contrib.losses`, and training operations of `tf.contrib.training`."""

_COLLECTIONS = {"metrics_collections": ["values"], "updates_collections": ["updates"]}


def _floats(tf, shape):
    return tf.placeholder(tf.float32, shape)


def _each(tf, names, *more, **others):
    for name in names:
        function = getattr(tf.contrib.metrics, name)
        function(_floats(tf, [4]), _floats(tf, [4]), *more, **others)
        function(_floats(tf, [None]), _floats(tf, [None, 1]), *more, weights=_floats(tf, [None]), name="m", **others)


def streaming(tf):
    _each(tf, ["streaming_true_positives", "streaming_true_negatives", "streaming_precision", "streaming_recall"])
    _each(
        tf, ["streaming_accuracy", "streaming_mean_absolute_error", "streaming_root_mean_squared_error"], **_COLLECTIONS
    )
    _each(tf, ["streaming_false_positive_rate", "streaming_false_negative_rate"], **_COLLECTIONS)
    _each(tf, ["streaming_precision_at_thresholds", "streaming_recall_at_thresholds"], [0.5])
    _each(tf, ["streaming_specificity_at_sensitivity", "streaming_sensitivity_at_specificity"], 0.5, num_thresholds=3)
    _each(tf, ["streaming_auc"], num_thresholds=3, curve="PR")


def streaming_of_values(tf):
    tf.contrib.metrics.streaming_mean(_floats(tf, [3]), **_COLLECTIONS)
    tf.contrib.metrics.streaming_mean_tensor(_floats(tf, [3]), _floats(tf, [3]))
    tf.contrib.metrics.streaming_percentage_less(_floats(tf, [3]), 0.5, name="below")
    tf.contrib.metrics.streaming_mean_cosine_distance(_floats(tf, [3, 2]), _floats(tf, [3, 2]), 1, **_COLLECTIONS)
    tf.contrib.metrics.streaming_mean_relative_error(_floats(tf, [3]), _floats(tf, [3]), _floats(tf, [3]))
    tf.contrib.metrics.streaming_mean_iou(tf.placeholder(tf.int64, [3]), tf.placeholder(tf.int64, [3]), 2)


def moments(tf):
    _each(tf, ["streaming_covariance", "streaming_pearson_correlation"], **_COLLECTIONS)


def at_thresholds(tf):
    for weights in (None, _floats(tf, [None, 3])):
        predictions, labels = _floats(tf, [None, 3]), tf.placeholder(tf.bool, [None, 3])
        for name in ("true_positives", "true_negatives", "false_positives", "false_negatives"):
            getattr(tf.contrib.metrics, f"streaming_{name}_at_thresholds")(predictions, labels, [0.1, 3.0], weights)
        for name in ("false_positive", "false_negative"):
            getattr(tf.contrib.metrics, f"streaming_{name}_rate_at_thresholds")(
                predictions, labels, [0.1, 3.0], weights, **_COLLECTIONS
            )
        for curve in ("ROC", "PR"):
            tf.contrib.metrics.streaming_curve_points(labels, predictions, weights, 4, curve=curve)


def at_k(tf):
    labels, predictions = tf.placeholder(tf.int64, [4, 2]), _floats(tf, [4, 5])
    best = tf.placeholder(tf.int64, [4, 2])
    m = tf.contrib.metrics
    m.streaming_recall_at_k(predictions, tf.placeholder(tf.int64, [4]), 2)
    m.streaming_sparse_recall_at_k(predictions, labels, 2, class_id=1)
    m.streaming_sparse_precision_at_k(predictions, labels, 2, weights=_floats(tf, [4]), **_COLLECTIONS)
    m.streaming_sparse_precision_at_top_k(best, labels, class_id=1)
    m.sparse_recall_at_top_k(labels, best, name="best")
    m.streaming_sparse_average_precision_at_k(predictions, labels, 2)
    m.streaming_sparse_average_precision_at_top_k(best, labels, name="average")


def others(tf):
    m = tf.contrib.metrics
    m.accuracy(tf.placeholder(tf.int32, [3]), tf.placeholder(tf.int32, [3]))
    m.accuracy(tf.placeholder(tf.int32, [3]), tf.placeholder(tf.int32, [3]), weights=_floats(tf, [3]), name="right")
    m.f1_score(_floats(tf, [3]), _floats(tf, [3]), num_thresholds=3, **_COLLECTIONS)
    m.count(_floats(tf, [3]))
    m.count(tf.placeholder(tf.int32, [3]), weights=_floats(tf, [3]), **_COLLECTIONS)
    labels = tf.placeholder(tf.int64, [3, 1])
    m.cohen_kappa(labels, tf.placeholder(tf.int64, [3]), 3)
    m.cohen_kappa(labels, tf.placeholder(tf.int64, [3]), 3, weights=_floats(tf, [3]), **_COLLECTIONS)


def concatenated(tf):
    tf.contrib.metrics.streaming_concat(_floats(tf, [None, 3]))
    tf.contrib.metrics.streaming_concat(_floats(tf, [2, 3]), axis=-1, max_size=5, **_COLLECTIONS)


def areas(tf):
    m = tf.contrib.metrics
    m.auc_using_histogram(tf.placeholder(tf.bool, [4]), _floats(tf, [4]), [0.0, 1.0], nbins=5)
    labels = tf.placeholder(tf.bool, [None, 1])
    m.auc_using_histogram(labels, _floats(tf, [None]), [0.0, 1.0], check_shape=False, name="h", collections=["mine"])
    m.auc_using_histogram(tf.placeholder(tf.bool, [4]), _floats(tf, None), [0.0, 1.0], nbins=1)
    for shape, others in (([None], {}), ([4, 2], {"curve": "PR", "weights": _floats(tf, [4, 2]), "name": "d"})):
        m.streaming_dynamic_auc(tf.placeholder(tf.int64, shape), _floats(tf, shape), **others, **_COLLECTIONS)
    m.auc_with_confidence_intervals(tf.placeholder(tf.int64, [None]), _floats(tf, [None]))
    others = {"alpha": 0.5, "logit_transformation": False, "name": "c"}
    given = tf.placeholder(tf.int64, [4, 2]), _floats(tf, [4, 2]), _floats(tf, [4, 2])
    m.auc_with_confidence_intervals(*given, **others, **_COLLECTIONS)


def precision_and_recall(tf):
    m = tf.contrib.metrics
    for name in ("precision_at_recall", "recall_at_precision"):
        function = getattr(m, name)
        function(_floats(tf, [None]), _floats(tf, [None]), 0.5, num_thresholds=3, **_COLLECTIONS)
        function(_floats(tf, [4, 1]), _floats(tf, [4]), 0.5, weights=_floats(tf, [4]), num_thresholds=3, name="p")
    m.recall_at_precision(_floats(tf, [4]), _floats(tf, [4]), 0.5, num_thresholds=3, strict_mode=True)
    m.precision_recall_at_equal_thresholds(tf.placeholder(tf.bool, [None]), _floats(tf, [None]))
    given = tf.placeholder(tf.bool, [3, 2]), _floats(tf, [3, 2]), _floats(tf, [3, 2])
    m.precision_recall_at_equal_thresholds(*given, num_thresholds=4, use_locking=False, name="e")


def zeros_of_a_number(tf):
    tf.zeros(1), tf.ones(3, tf.int64), tf.zeros([1])


def losses(tf):
    for weights in (1.0, _floats(tf, [4]), _floats(tf, [4, 1])):
        x, y = _floats(tf, [4, 3]), _floats(tf, [4, 3])
        module = tf.contrib.losses
        module.absolute_difference(x, y, weights)
        module.mean_squared_error(x, y, weights=weights, scope="squares")
        module.log_loss(x, y, weights)
        module.mean_pairwise_squared_error(x, y, weights)
        module.cosine_distance(x, y, 1, weights)
        module.sigmoid_cross_entropy(x, y, 1.0, label_smoothing=0.1)
        module.softmax_cross_entropy(x, y, weights, label_smoothing=0.1)
        module.sparse_softmax_cross_entropy(x, tf.placeholder(tf.int32, [4, 1]), weights)
        module.compute_weighted_loss(x, weights)
    module.hinge_loss(x, y)
    module.get_total_loss()


def _model(tf):
    w = tf.get_variable("w", [3, 2], initializer=tf.zeros_initializer())
    table = tf.get_variable("table", [4, 2], initializer=tf.zeros_initializer())
    logits = tf.matmul(_floats(tf, [None, 3]), w) + tf.gather(table, tf.placeholder(tf.int32, [None]))
    return tf.reduce_mean(tf.square(logits))


def train_op(tf):
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    tf.contrib.training.create_train_op(
        _model(tf),
        optimizer,
        transform_grads_fn=tf.contrib.training.clip_gradient_norms_fn(3.0),
        summarize_gradients=True,
    )


def train_op_with_updates(tf):
    loss = _model(tf)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.no_op(name="statistics"))
    tf.contrib.training.create_train_op(
        loss,
        tf.train.MomentumOptimizer(0.1, 0.9),
        global_step=None,
        variables_to_train=tf.trainable_variables()[:1],
        transform_grads_fn=lambda pairs: tf.contrib.training.multiply_gradients(pairs, {"w": 2.0}),
        check_numerics=False,
    )
