"""Name-based checkpoints in eager execution."""

from __future__ import annotations

from typing import Any

import tinytf as tf


class Saver:
    """Saves and restores variables in eager execution, like `tf.train.Saver` but without a session.

    Args:
      var_list: list of variables, or dict from names in the checkpoint to variables.

    Raises:
      RuntimeError: in graph mode.
    """

    def __init__(self, var_list: Any) -> None:
        if not tf.executing_eagerly():
            raise RuntimeError(
                "tfe.Saver can only be used when eager execution is enabled. Use tf.train.Saver when building graphs."
            )
        self._saver = tf.train.Saver(var_list=var_list)

    def save(self, file_prefix: str, global_step: Any = None) -> str | None:
        """Writes a checkpoint and returns its path prefix: `file_prefix`, followed by `global_step` if that
        is given."""
        with tf.device("/device:CPU:0"):
            return self._saver.save(None, file_prefix, write_meta_graph=False, global_step=global_step)

    def restore(self, file_prefix: str) -> None:
        """Restores the variables from a checkpoint."""
        with tf.device("/device:CPU:0"):
            self._saver.restore(None, file_prefix)
