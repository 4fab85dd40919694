"""`tf.contrib`: the parts of TensorFlow 1's contributed code that tinytf has."""

from tinytf.contrib import (
    checkpoint,
    data,
    deprecated,
    eager,
    framework,
    losses,
    metrics,
    predictor,
    rnn,
    saved_model,
    staging,
    summary,
    tensorboard,
    training,
    util,
)
from tinytf.python.missing import no_other_names
from tinytf.python.paths import CONTRIB as _CONTRIB

__all__ = [
    "checkpoint",
    "data",
    "deprecated",
    "eager",
    "framework",
    "losses",
    "metrics",
    "predictor",
    "rnn",
    "saved_model",
    "staging",
    "summary",
    "tensorboard",
    "training",
    "util",
]
_CONTRIB.install()
__getattr__ = no_other_names(__name__)
