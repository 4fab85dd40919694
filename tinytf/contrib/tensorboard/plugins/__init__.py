"""`tf.contrib.tensorboard.plugins`: by plugin."""

from tinytf.contrib.tensorboard.plugins import projector

__all__ = ["projector"]
