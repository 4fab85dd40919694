"""Functions that make predictors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tinytf.contrib.predictor.core_estimator_predictor import CoreEstimatorPredictor
from tinytf.contrib.predictor.saved_model_predictor import SavedModelPredictor

__all__ = ["from_estimator", "from_saved_model"]


def from_estimator(
    estimator: Any,
    serving_input_receiver_fn: Callable[[], Any],
    output_key: str | None = None,
    graph: Any = None,
    config: Any = None,
) -> CoreEstimatorPredictor:
    """What an estimator has learned, as a function.

    Args:
      estimator: a `tf.estimator.Estimator`, whose latest checkpoint is read.
      serving_input_receiver_fn: makes the placeholders and the features made of them.
      output_key: the name of one of the model's `export_outputs`; by default that which servers take.
      graph: where it is built; a new graph by default.
      config: of the session.

    KeyError if there is no such output.
    """
    return CoreEstimatorPredictor(estimator, serving_input_receiver_fn, output_key, graph, config)


def from_saved_model(
    export_dir: Any,
    signature_def_key: str | None = None,
    signature_def: Any = None,
    input_names: Mapping[str, str] | None = None,
    output_names: Mapping[str, str] | None = None,
    tags: str | None = None,
    graph: Any = None,
    config: Any = None,
) -> SavedModelPredictor:
    """A saved model as a function.

    Args:
      export_dir: the model's folder.
      signature_def_key: the name of one of its signatures; by default that which servers take.
      signature_def: or a signature itself.
      input_names, output_names: or both, names of tensors by names of the caller's.
      tags: those of the graph, separated by commas; "serve" by default.
      graph: where it is loaded; a new graph by default.
      config: of the session.

    ValueError if the signature is named in two ways, or there is none of that name; else as `tf.saved_model.load`.
    """
    return SavedModelPredictor(
        export_dir, signature_def_key, signature_def, input_names, output_names, tags, graph, config
    )
