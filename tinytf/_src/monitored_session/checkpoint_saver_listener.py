"""`tf.train.CheckpointSaverListener`: callbacks of `CheckpointSaverHook`."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export


@tf_export("train.CheckpointSaverListener")
class CheckpointSaverListener:
    """Base class of objects that `CheckpointSaverHook` calls around saves. Subclasses override methods."""

    def begin(self) -> None:
        """Called when the hook begins; the graph may still be changed."""

    def before_save(self, session: Any, global_step_value: Any) -> None:
        """Called before each save.

        Args:
          session: the session without hooks.
          global_step_value: the global step, an integer.
        """

    def after_save(self, session: Any, global_step_value: Any) -> Any:
        """Called after each save; arguments as of `before_save`. A true result requests a stop of the training."""

    def end(self, session: Any, global_step_value: Any) -> None:
        """Called at the end, after the last save; arguments as of `before_save`."""
