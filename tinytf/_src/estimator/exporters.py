"""Exporters that `train_and_evaluate` runs: after each evaluation, at the end, or for the best result."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from tinytf._src.estimator.arguments import fn_args
from tinytf._src.estimator.evaluation_summaries import read_results
from tinytf._src.estimator.kept_exports import delete_old_exports
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.logs import tf_logging


@tf_export("estimator.Exporter")
class Exporter(ABC):
    """Base class of objects that may export the model after each evaluation in `train_and_evaluate`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the directory below `export` in the `model_dir`."""

    @abstractmethod
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Exports a checkpoint, or decides not to.

        Args:
          estimator: the `Estimator`.
          export_path: the directory in which to create a new subdirectory.
          checkpoint_path: the evaluated checkpoint.
          eval_result: dict of its metrics by name.
          is_the_final_export: bool, whether the training has ended.

        Returns:
          The path of the export; None if nothing was exported.
        """


class _SavedModelExporter(Exporter):
    """Base class of exporters that write SavedModels."""

    def __init__(self, name: Any, receiver_fn: Any, assets_extra: Any, as_text: bool, exports_to_keep: Any) -> None:
        self._name = name
        self._serving_input_receiver_fn = receiver_fn
        self._assets_extra = assets_extra
        self._as_text = as_text
        self._exports_to_keep = exports_to_keep

    @property
    def name(self) -> str:
        """Name of the directory below `export` in the `model_dir`."""
        return self._name

    def _export(self, estimator: Any, export_path: str, checkpoint_path: str) -> Any:
        result = estimator.export_saved_model(
            export_path,
            self._serving_input_receiver_fn,
            assets_extra=self._assets_extra,
            as_text=self._as_text,
            checkpoint_path=checkpoint_path,
        )
        if self._exports_to_keep is not None:
            delete_old_exports(export_path, self._exports_to_keep)
        return result


@tf_export("estimator.FinalExporter")
class FinalExporter(_SavedModelExporter):
    """Exports once, when the training reaches `max_steps`.

    Args:
      name: str, name of the directory below `export`.
      serving_input_receiver_fn, assets_extra, as_text: as of `Estimator.export_saved_model`.
    """

    def __init__(
        self, name: str, serving_input_receiver_fn: Any, assets_extra: Any = None, as_text: bool = False
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, None)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Exports if the training has ended; see `Exporter.export`."""
        if not is_the_final_export:
            return None
        tf_logging.info("Performing the final export in the end of training.")
        return self._export(estimator, export_path, checkpoint_path)


@tf_export("estimator.LatestExporter")
class LatestExporter(_SavedModelExporter):
    """Exports after each evaluation, and deletes old exports.

    Args:
      name: str, name of the directory below `export`.
      serving_input_receiver_fn, assets_extra, as_text: as of `Estimator.export_saved_model`.
      exports_to_keep: int, number of exports to keep; None: all.

    Raises:
      ValueError: if `exports_to_keep` is not positive.
    """

    @called_by_users
    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Any,
        assets_extra: Any = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError("`exports_to_keep`, if provided, must be positive number")
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Exports; see `Exporter.export`."""
        return self._export(estimator, export_path, checkpoint_path)


def _loss_smaller(best_eval_result: Any, current_eval_result: Any) -> bool:
    """Returns whether the loss has become smaller. ValueError if a result has no loss."""
    for name, result in (("best_eval_result", best_eval_result), ("current_eval_result", current_eval_result)):
        if not result or "loss" not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return best_eval_result["loss"] > current_eval_result["loss"]


@tf_export("estimator.BestExporter")
class BestExporter(_SavedModelExporter):
    """Exports when an evaluation result is better than all before, including results in the event files of earlier
    runs.

    Args:
      name: str, name of the directory below `export`.
      serving_input_receiver_fn, assets_extra, as_text: as of `Estimator.export_saved_model`.
      event_file_pattern: glob pattern, relative to the `model_dir`, of event files with earlier results; None: they are
        ignored.
      compare_fn: takes `best_eval_result` and `current_eval_result`, dicts of metrics; returns whether the current one
        is better. By default, whether its loss is smaller.
      exports_to_keep: int, number of exports to keep; None: all.

    Raises:
      ValueError: if `exports_to_keep` is not positive, or for a `compare_fn` with other parameters.
    """

    @called_by_users
    def __init__(
        self,
        name: str = "best_exporter",
        serving_input_receiver_fn: Any = None,
        event_file_pattern: str | None = "eval/*.tfevents.*",
        compare_fn: Callable[..., bool] = _loss_smaller,
        assets_extra: Any = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        _check_compare_fn(compare_fn)
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(f"`exports_to_keep`, if provided, must be a positive number. Got {exports_to_keep}")
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)
        self._compare_fn = compare_fn
        self._event_file_pattern = event_file_pattern
        self._model_dir: str | None = None  # the directory whose event files were read
        self._best_eval_result: Any = None

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Exports if this result is the best; see `Exporter.export`."""
        if self._model_dir != estimator.model_dir and self._event_file_pattern:
            tf_logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best_eval_result = self._best_of(os.path.join(estimator.model_dir, self._event_file_pattern))
        if self._best_eval_result is not None and not self._compare_fn(
            best_eval_result=self._best_eval_result, current_eval_result=eval_result
        ):
            return None
        tf_logging.info("Performing best model export.")
        self._best_eval_result = eval_result
        return self._export(estimator, export_path, checkpoint_path)

    def _best_of(self, pattern: str) -> dict[str, float] | None:
        """Returns the best result in the event files, or None."""
        best = None
        for _, result in read_results(pattern):
            if best is None or self._compare_fn(best, result):
                best = result
        return best


def _check_compare_fn(compare_fn: Callable[..., bool]) -> None:
    names, wanted = fn_args(compare_fn), ("best_eval_result", "current_eval_result")
    for name in wanted:
        if name not in names:
            raise ValueError(f"compare_fn ({compare_fn}) must include {name} argument.")
    others = sorted(set(names) - set(wanted))
    if others:
        raise ValueError(f"compare_fn ({compare_fn}) has following not expected args: {others}")
