"""`tf.train.CheckpointSaverListener`: what a `CheckpointSaverHook` tells of its saves."""

from __future__ import annotations

from typing import Any

from tinytf.exports import tf_export


@tf_export("train.CheckpointSaverListener")
class CheckpointSaverListener:
    """Subclasses do something in the methods that they have."""

    def begin(self) -> None:
        """Called when the hook begins: the graph may still be changed."""

    def before_save(self, session: Any, global_step_value: Any) -> None:
        """Called before each save."""

    def after_save(self, session: Any, global_step_value: Any) -> Any:
        """Called after each save; something true requests the stop of the training."""

    def end(self, session: Any, global_step_value: Any) -> None:
        """Called at the end, after the last save."""
