"""`tf.contrib`: what tinytf has of TensorFlow 1's contributed code."""

from tinytf.contrib import checkpoint, eager, framework, rnn, staging, summary, util

__all__ = ["checkpoint", "eager", "framework", "rnn", "staging", "summary", "util"]
