"""Checks the results of input functions."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging


def features_and_labels(result: Any) -> tuple[Any, Any]:
    """Splits the result of an input function; labels are None if it returned features only.

    ValueError for a sequence whose length is not 2, NotImplementedError for a dataset.
    """
    _refuse_dataset(result)
    if isinstance(result, (list, tuple)):
        if len(result) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
        return result[0], result[1]
    return result, None


def features_to_predict(result: Any) -> Any:
    """Returns the features only; warns if the input never ends."""
    features, _ = features_and_labels(result)
    if not get_default_graph().get_collection(GraphKeys.QUEUE_RUNNERS):
        tf_logging.warning(
            "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict yields forever. This is "
            "probably a mistake."
        )
    return features


def _refuse_dataset(result: Any) -> None:
    """Raises NotImplementedError for datasets, also TensorFlow's own, whose tensors belong to a foreign graph."""
    if any(kind.__name__ in ("DatasetV1", "DatasetV2") for kind in type(result).__mro__):
        raise NotImplementedError(
            "input_fn returned a dataset, but tinytf has no tf.data: return tensors, for example from "
            "tf.estimator.inputs.numpy_input_fn or from queues."
        )
