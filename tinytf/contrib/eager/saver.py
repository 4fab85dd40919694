"""Checkpoints by names, where operations are executed."""

from __future__ import annotations

from typing import Any

import tinytf as tf


class Saver:
    """Writes variables to checkpoints and reads them from there, as `tf.train.Saver` does, without a session.

    Args: a list of variables, or a dict with them by their names in checkpoints. RuntimeError where graphs are built.
    """

    def __init__(self, var_list: Any) -> None:
        if not tf.executing_eagerly():
            raise RuntimeError(
                "tfe.Saver can only be used when eager execution is enabled. Use tf.train.Saver when building graphs."
            )
        self._saver = tf.train.Saver(var_list=var_list)

    def save(self, file_prefix: str, global_step: Any = None) -> str | None:
        """Writes a checkpoint, with a step's number at the end of its name, which it returns."""
        with tf.device("/device:CPU:0"):
            return self._saver.save(None, file_prefix, write_meta_graph=False, global_step=global_step)

    def restore(self, file_prefix: str) -> None:
        """Gives the variables the values of a checkpoint."""
        with tf.device("/device:CPU:0"):
            self._saver.restore(None, file_prefix)
