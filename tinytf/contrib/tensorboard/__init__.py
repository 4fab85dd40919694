"""`tf.contrib.tensorboard`: configuration of TensorBoard plugins."""

from tinytf.contrib.tensorboard import plugins
from tinytf.python.missing import no_other_names

__all__ = ["plugins"]
__getattr__ = no_other_names(__name__)
