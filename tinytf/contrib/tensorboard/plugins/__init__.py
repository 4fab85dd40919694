"""`tf.contrib.tensorboard.plugins`: one module per plugin."""

from tinytf.contrib.tensorboard.plugins import projector

__all__ = ["projector"]
