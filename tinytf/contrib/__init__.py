"""`tf.contrib`: what tinytf has of TensorFlow 1's contributed code."""

from tinytf.contrib import eager

__all__ = ["eager"]
