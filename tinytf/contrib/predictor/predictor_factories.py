"""Factory functions of predictors."""

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
    """Returns a predictor for a trained estimator.

    Args:
      estimator: a `tf.estimator.Estimator`; its latest checkpoint is loaded.
      serving_input_receiver_fn: function that returns a `ServingInputReceiver` with placeholders and features.
      output_key: string, key of the model's `export_outputs`; the default serving signature if None.
      graph: the graph to build the model in; a new one if None.
      config: a `ConfigProto` for the session.

    Returns:
      A `Predictor`.

    Raises:
      KeyError: if there is no output of that key.
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
    """Returns a predictor for a saved model.

    Args:
      export_dir: string, directory of the saved model.
      signature_def_key: string, name of a signature; the default serving signature if None.
      signature_def: a `SignatureDef` to use instead of a named one.
      input_names: dict from the caller's input names to tensor names, to use with `output_names` instead of a
        signature.
      output_names: dict from the caller's output names to tensor names.
      tags: string, comma-separated tags of the graph; "serve" if None.
      graph: the graph to load the model into; a new one if None.
      config: a `ConfigProto` for the session.

    Returns:
      A `Predictor`.

    Raises:
      ValueError: if more than one of signature name, signature and tensor names are given, or there is no signature of
        that name. Other errors are raised by `tf.saved_model.load`.
    """
    return SavedModelPredictor(
        export_dir, signature_def_key, signature_def, input_names, output_names, tags, graph, config
    )
