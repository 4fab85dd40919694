"""`tf.contrib`: what tinytf has of TensorFlow 1's contributed code."""

from tinytf.contrib import eager, framework, rnn, summary, util

__all__ = ["eager", "framework", "rnn", "summary", "util"]
