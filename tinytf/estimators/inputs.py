"""What input functions return: features, or features and labels."""

from __future__ import annotations

from typing import Any

from tinytf.framework import nest, tf_logging
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.tensor import Tensor


def features_and_labels(result: Any) -> tuple[Any, Any]:
    """Both of what an input function returned; labels are None if it gave none.

    ValueError for a sequence of other than two, NotImplementedError for a dataset.
    """
    _refuse_dataset(result)
    if isinstance(result, (list, tuple)):
        if len(result) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
        return result[0], result[1]
    return result, None


def features_to_predict(result: Any) -> Any:
    """The features alone, with a warning if they never end."""
    features, _ = features_and_labels(result)
    tensors = [part for part in nest.flatten(features) if isinstance(part, Tensor)]
    ends = any(tensor.op.type == "IteratorGetNext" for tensor in tensors)
    if not ends and not get_default_graph().get_collection(GraphKeys.QUEUE_RUNNERS):
        tf_logging.warning(
            "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict yields forever. This is "
            "probably a mistake."
        )
    return features


def _refuse_dataset(result: Any) -> None:
    """Also one of TensorFlow's own: its tensors would be of no graph of ours."""
    if any(kind.__name__ in ("DatasetV1", "DatasetV2") for kind in type(result).__mro__):
        raise NotImplementedError(
            "input_fn returned a dataset: tinytf has no tf.data; return tensors, of tf.estimator.inputs.numpy_input_fn or of "
            "queues for example."
        )
