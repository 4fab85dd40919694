"""The modes that model functions are called in."""

from __future__ import annotations

from tinytf.exports import tf_export


@tf_export("estimator.ModeKeys")
class ModeKeys:
    """Whether a model is trained, evaluated, or asked for predictions."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
