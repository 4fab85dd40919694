"""Calls of `tf.metrics`: each function with known, partially known and unknown shapes, and all kinds of weights."""

_COLLECTIONS = {"metrics_collections": ["values", "others"], "updates_collections": "updates"}


def _floats(tf, shape):
    return tf.placeholder(tf.float32, shape)


def _pair(function, make=_floats, **more):
    """A metric of labels and predictions."""

    def call(tf, shape, weights):
        getattr(tf.metrics, function)(make(tf, shape), make(tf, shape), weights=weights, **more)

    return call


def _values(name, *more):
    """A metric of values."""

    def call(tf, shape, weights):
        getattr(tf.metrics, name)(_floats(tf, shape), *more, weights=weights)

    return call


def _integers(tf, shape):
    return tf.placeholder(tf.int64, shape)


def _relative(tf, shape, weights):
    values = [_floats(tf, shape) for _ in range(3)]
    tf.metrics.mean_relative_error(*values, weights=weights)


def _other_types(tf, shape, weights):
    tf.metrics.accuracy(tf.placeholder(tf.int32, shape), tf.placeholder(tf.int64, shape), weights, name="right")


_AT = {"thresholds": [0.25, 0.5]}
_CALLS = {
    "accuracy": _pair("accuracy", _integers),
    "accuracy_of_types": _other_types,
    "mean": _values("mean"),
    "percentage_below": _values("percentage_below", 0.5),
    "mean_absolute_error": _pair("mean_absolute_error"),
    "mean_squared_error": _pair("mean_squared_error"),
    "root_mean_squared_error": _pair("root_mean_squared_error", name="rmse"),
    "mean_relative_error": _relative,
    "true_positives": _pair("true_positives"),
    "true_negatives": _pair("true_negatives", _integers),
    "false_positives": _pair("false_positives"),
    "false_negatives": _pair("false_negatives"),
    "precision": _pair("precision"),
    "recall": _pair("recall"),
    "true_positives_at_thresholds": _pair("true_positives_at_thresholds", **_AT),
    "true_negatives_at_thresholds": _pair("true_negatives_at_thresholds", **_AT),
    "false_positives_at_thresholds": _pair("false_positives_at_thresholds", **_AT),
    "false_negatives_at_thresholds": _pair("false_negatives_at_thresholds", **_AT),
    "precision_at_thresholds": _pair("precision_at_thresholds", **_AT),
    "recall_at_thresholds": _pair("recall_at_thresholds", **_AT),
    "sensitivity_at_specificity": _pair("sensitivity_at_specificity", specificity=0.5, num_thresholds=4),
    "specificity_at_sensitivity": _pair("specificity_at_sensitivity", sensitivity=0.5, num_thresholds=4),
    "auc": _pair("auc", num_thresholds=4),
    "auc_pr": _pair("auc", num_thresholds=4, curve="PR", summation_method="careful_interpolation"),
    "auc_minoring": _pair("auc", thresholds=[0.75, 0.5], curve="PR", summation_method="minoring"),
    "auc_majoring": _pair("auc", num_thresholds=3, summation_method="majoring"),
}
_SHAPES = {"known": [4, 3], "partly": [None, 3], "unknown": None}


def _weights(tf, kind, shape):
    return {
        "none": lambda: None,
        "number": lambda: 2.0,
        "tensor": lambda: _floats(tf, shape),
        "column": lambda: _floats(tf, [4, 1]),
        "unknown": lambda: _floats(tf, None),
    }[kind]()


def _program(call, shape, weights):
    return lambda tf: call(tf, shape, _weights(tf, weights, shape))


for _name, _call in _CALLS.items():
    _grid = [("known", "none"), ("partly", "tensor"), ("unknown", "unknown")]
    if _name in ("mean", "precision", "recall_at_thresholds"):
        _grid = [(shape, weights) for shape in _SHAPES for weights in ("none", "number", "tensor", "column", "unknown")]
    for _kind, _weight in _grid:
        globals()[f"{_name}_{_kind}_{_weight}"] = _program(_call, _SHAPES[_kind], _weight)


def mean_of_fewer_weights(tf):
    tf.metrics.mean(_floats(tf, [4, 3]), weights=_floats(tf, [4]))


def mean_of_more_weights(tf):
    tf.metrics.mean(_floats(tf, [4]), weights=_floats(tf, [4, 1]))


def mean_in_collections(tf):
    with tf.variable_scope("model"):
        value, update = tf.metrics.mean(_floats(tf, [3]), name="loss", **_COLLECTIONS)
    for collection in ("values", "others", "updates"):
        for index, member in enumerate(tf.get_collection(collection)):
            tf.identity(member, name=f"{collection}{index}")
    for index, variable in enumerate(tf.get_collection(tf.GraphKeys.METRIC_VARIABLES) + tf.local_variables()):
        tf.identity(variable, name=f"variable{index}")
    tf.add(value, update)


def mean_twice(tf):
    for _ in range(2):
        tf.metrics.mean(_floats(tf, [3]))
    tf.local_variables_initializer()


def mean_of_resource_variables(tf):
    with tf.variable_scope("model", use_resource=True):
        tf.metrics.mean(_floats(tf, [3]), weights=_floats(tf, [3]))
        tf.metrics.precision(_floats(tf, [3]), _floats(tf, [3]))
        tf.metrics.auc(_floats(tf, [3]), _floats(tf, [3]), num_thresholds=3)


def mean_tensor(tf):
    tf.metrics.mean_tensor(_floats(tf, [2, 3]))
    tf.metrics.mean_tensor(_floats(tf, [2, 3]), weights=_floats(tf, [2, 1]), **_COLLECTIONS)
    tf.metrics.mean_tensor(_floats(tf, [2, 3]), weights=_floats(tf, [2]))


def mean_cosine_distance(tf):
    for shape in ([2, 3], None):
        tf.metrics.mean_cosine_distance(_floats(tf, shape), _floats(tf, shape), 1)
        tf.metrics.mean_cosine_distance(
            _floats(tf, shape), _floats(tf, shape), 1, weights=_floats(tf, [2, 1]), **_COLLECTIONS
        )


def mean_iou(tf):
    for shape in ([4], [None], [2, 3]):
        tf.metrics.mean_iou(_integers(tf, shape), _integers(tf, shape), 3)
        tf.metrics.mean_iou(
            _integers(tf, shape), tf.placeholder(tf.int32, shape), 3, weights=_floats(tf, shape), **_COLLECTIONS
        )


def mean_per_class_accuracy(tf):
    for shape in ([4], [None], [2, 3]):
        tf.metrics.mean_per_class_accuracy(_integers(tf, shape), _integers(tf, shape), 3)
        tf.metrics.mean_per_class_accuracy(
            _integers(tf, shape), tf.placeholder(tf.int32, shape), 3, weights=_floats(tf, shape), **_COLLECTIONS
        )


def measures_with_collections(tf):
    x, y = _floats(tf, [3]), _floats(tf, [3])
    for name in ("precision", "recall", "true_positives", "false_negatives", "root_mean_squared_error"):
        getattr(tf.metrics, name)(x, y, **_COLLECTIONS)
    tf.metrics.auc(x, y, num_thresholds=3, **_COLLECTIONS)
    tf.metrics.precision_at_thresholds(x, y, [0.5], **_COLLECTIONS)
    tf.metrics.sensitivity_at_specificity(x, y, 0.5, num_thresholds=3, **_COLLECTIONS)
    for collection in ("values", "others", "updates"):
        for member in tf.get_collection(collection):
            tf.identity(member, name=collection)


def careful_interpolation_of_roc(tf):
    tf.metrics.auc(_floats(tf, [3]), _floats(tf, [3]), num_thresholds=3, summation_method="careful_interpolation")


_K_CALLS = {
    "precision_at_k": lambda tf, labels, scores, **more: tf.metrics.precision_at_k(labels, scores, 2, **more),
    "recall_at_k": lambda tf, labels, scores, **more: tf.metrics.recall_at_k(labels, scores, 2, **more),
    "average_precision_at_k": lambda tf, labels, scores, **more: tf.metrics.average_precision_at_k(
        labels, scores, 2, **more
    ),
    "sparse_precision_at_k": lambda tf, labels, scores, **more: tf.metrics.sparse_precision_at_k(
        labels, scores, 2, **more
    ),
    "sparse_average_precision_at_k": lambda tf, labels, scores, **more: tf.metrics.sparse_average_precision_at_k(
        labels, scores, 2, **more
    ),
}
_LABELS = {
    "one": lambda tf: _integers(tf, [4]),
    "some": lambda tf: _integers(tf, [4, 2]),
    "batch": lambda tf: _integers(tf, [None, 2]),
    "unknown": lambda tf: _integers(tf, None),
    "sparse": lambda tf: tf.sparse_placeholder(tf.int64),
    "sparse_known": lambda tf: tf.sparse_placeholder(tf.int64, [4, 3]),
}


def _k_program(call, labels, scores, more):
    return lambda tf: call(tf, labels(tf), _floats(tf, scores), **more(tf))


_MORE = {
    "": lambda tf: {},
    "_weighted": lambda tf: {"weights": _floats(tf, [None]), "name": "best", **_COLLECTIONS},
    "_class": lambda tf: {"class_id": 3},
}
for _name, _call in _K_CALLS.items():
    for _kind, _labels in _LABELS.items():
        for _more, _given in _MORE.items():
            if (_name.startswith("sparse") and (_kind, _more) != ("some", "")) or (
                "average" in _name and "class" in _more
            ):
                continue
            if _name == "recall_at_k" and _kind not in ("unknown", "sparse"):
                continue
            _scores = [4, 5] if _kind in ("one", "some", "sparse_known") else [None, 5]
            globals()[f"{_name}_{_kind}{_more}"] = _k_program(_call, _labels, _scores, _given)


def at_top_k(tf):
    best = tf.placeholder(tf.int32, [4, 2])
    tf.metrics.precision_at_top_k(_integers(tf, [4, 1]), best)
    tf.metrics.recall_at_top_k(_integers(tf, [4, 1]), best, k=2, class_id=1, weights=2.0, **_COLLECTIONS)
    tf.metrics.recall_at_top_k(_integers(tf, [4, 1]), tf.placeholder(tf.int64, None), name="given")
