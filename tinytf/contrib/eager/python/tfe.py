"""`tf.contrib.eager` under the path by which programs import it."""

from tinytf.contrib.eager import *  # noqa: F403
from tinytf.contrib.eager import __all__ as __all__
