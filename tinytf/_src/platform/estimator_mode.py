"""The modes in which an Estimator calls its model function."""

from __future__ import annotations

from tinytf._src.exports import tf_export


@tf_export("estimator.ModeKeys")
class ModeKeys:
    """Modes of a model function: training, evaluation and prediction."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
