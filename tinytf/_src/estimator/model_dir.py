"""The directory of a model: its checkpoints, and the directories of its evaluations."""

from __future__ import annotations

import os
from typing import Any

from tinytf._src.checkpoint.checkpoint_reader import list_variables, load_variable, new_checkpoint_reader
from tinytf._src.checkpoint.checkpoint_state import latest_checkpoint
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging


class ModelDir:
    """Reads the checkpoints of a directory, of which the latest one counts."""

    def __init__(self, path: Any) -> None:
        self.path = path

    def latest(self) -> str | None:
        """Returns the path prefix of the latest checkpoint; None if there is none."""
        return latest_checkpoint(self.path)

    def latest_for(self, purpose: str) -> str | None:
        """Does the same; logs that variables are initialized for that purpose if there is no checkpoint."""
        path = self.latest()
        if not path:
            tf_logging.info(
                "Could not find trained model in model_dir: %s, running initialization to %s.", self.path, purpose
            )
        return path

    def global_step(self) -> int:
        """Returns the saved global step; 0 if there is no checkpoint or it lacks the step."""
        path = self.latest()
        if path is None:
            return 0
        try:
            return new_checkpoint_reader(path).get_tensor(GraphKeys.GLOBAL_STEP)
        except errors_impl.OpError:
            return 0

    def value(self, name: str) -> Any:
        """Returns the saved value of a variable. ValueError if there is no checkpoint."""
        self._check_trained()
        return load_variable(self.path, name)

    def names(self) -> list[str]:
        """Returns the names of the saved variables. ValueError if there is no checkpoint."""
        self._check_trained()
        return [name for name, _ in list_variables(self.path)]

    def of_evaluations(self, name: str | None) -> str:
        """Returns the directory of the summaries of evaluations with that name; None: the unnamed ones."""
        return os.path.join(self.path, f"eval_{name}" if name else "eval")

    def _check_trained(self) -> None:
        if not self.latest():
            raise ValueError(f"Could not find trained model in model_dir: {self.path}.")
