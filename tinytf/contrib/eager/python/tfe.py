"""`tf.contrib.eager` under its usual import path."""

from tinytf.contrib.eager import *  # noqa: F403
from tinytf.contrib.eager import __all__ as __all__
