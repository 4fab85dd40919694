"""Predictors made from estimators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.contrib.predictor.predictor import Predictor, tensor_names

__all__ = ["CoreEstimatorPredictor"]


class CoreEstimatorPredictor(Predictor):
    """A predictor for an estimator, see `tf.contrib.predictor.from_estimator`."""

    def __init__(
        self,
        estimator: Any,
        serving_input_receiver_fn: Callable[[], Any],
        output_key: str | None = None,
        graph: Any = None,
        config: Any = None,
    ) -> None:
        self._graph = graph or tf.Graph()
        with self._graph.as_default():
            signature_def = _signature_def(serving_input_receiver_fn(), estimator, output_key)
            self._session = tf.train.MonitoredSession(
                session_creator=tf.train.ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir)
            )
        self._connect(tensor_names(signature_def.inputs), tensor_names(signature_def.outputs))


def _signature_def(receiver: Any, estimator: Any, output_key: str | None) -> Any:
    if output_key is None:
        output_key = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    spec = estimator.model_fn(receiver.features, None, tf.estimator.ModeKeys.PREDICT, estimator.config)
    output = spec.export_outputs.get(output_key)
    if output is None:
        raise KeyError(f"output_key must be one of {spec.export_outputs.keys()}; got {output_key}")
    return output.as_signature_def(receiver.receiver_tensors)
