"""`tf.contrib.tensorboard`: what plugins of TensorBoard are told."""

from tinytf.contrib.tensorboard import plugins

__all__ = ["plugins"]
