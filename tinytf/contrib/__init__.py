"""`tf.contrib`: what tinytf has of TensorFlow 1's contributed code."""

from tinytf.contrib import (
    checkpoint,
    eager,
    framework,
    losses,
    metrics,
    rnn,
    staging,
    summary,
    tensorboard,
    training,
    util,
)

__all__ = [
    "checkpoint",
    "eager",
    "framework",
    "losses",
    "metrics",
    "rnn",
    "staging",
    "summary",
    "tensorboard",
    "training",
    "util",
]
