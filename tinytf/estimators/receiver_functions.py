"""Functions that make the inputs of exported models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.estimators.receivers import SINGLE_LABEL, SINGLE_RECEIVER, ServingInputReceiver, SupervisedInputReceiver
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.tensor_shape import TensorShape
from tinytf.ops import array_ops
from tinytf.ops.parsing.examples import parse_example


@tf_export("estimator.export.build_parsing_serving_input_receiver_fn")
def build_parsing_serving_input_receiver_fn(
    feature_spec: Any, default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A function whose model is fed serialized `tf.train.Example`s, a string vector `examples`.

    Args:
      feature_spec: what they hold, as for `tf.io.parse_example`.
      default_batch_size: how many there are; any number when None.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        serialized = array_ops.placeholder(dtypes.string, shape=[default_batch_size], name="input_example_tensor")
        features = parse_example(serialized, feature_spec)
        return ServingInputReceiver(features, {"examples": serialized})

    return serving_input_receiver_fn


@tf_export("estimator.export.build_raw_serving_input_receiver_fn")
def build_raw_serving_input_receiver_fn(
    features: Any, default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A function whose model is fed the features themselves: a dict of tensors, whose types and shapes count, but for the
    first dimension, which is `default_batch_size`, any when None."""

    def serving_input_receiver_fn() -> ServingInputReceiver:
        receivers = {name: _placeholder(tensor, default_batch_size) for name, tensor in features.items()}
        return ServingInputReceiver(receivers, receivers)

    return serving_input_receiver_fn


@tf_export("estimator.experimental.build_raw_supervised_input_receiver_fn")
@called_by_users
def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: int | None = None
) -> Callable[[], SupervisedInputReceiver]:
    """As `build_raw_serving_input_receiver_fn`, for models that are exported for training or evaluation: features and labels,
    tensors or dicts of such, are fed. ValueError for keys that both have."""
    overlap = set(_by_key(features, SINGLE_RECEIVER)) & set(_by_key(labels, SINGLE_LABEL))
    if overlap:
        raise ValueError(f"Features and labels must have distinct keys. Found overlapping keys: {overlap}")

    def supervised_input_receiver_fn() -> SupervisedInputReceiver:
        def fed(tensors: Any, single: str) -> tuple[Any, dict[Any, Any]]:
            made = {name: _placeholder(each, default_batch_size) for name, each in _by_key(tensors, single).items()}
            return (made if isinstance(tensors, dict) else made[single]), made

        of_features, named_features = fed(features, SINGLE_RECEIVER)
        of_labels, named_labels = fed(labels, SINGLE_LABEL)
        return SupervisedInputReceiver(of_features, of_labels, {**named_features, **named_labels})

    return supervised_input_receiver_fn


def _by_key(tensors: Any, single: str) -> dict[Any, Any]:
    return tensors if isinstance(tensors, dict) else {single: tensors}


def _placeholder(tensor: Any, batch_size: int | None) -> Any:
    """Of the tensor's type and shape, but for the first dimension, and of its name, if it has one."""
    shape = TensorShape([batch_size]).concatenate(tensor.get_shape()[1:])
    name = getattr(getattr(tensor, "op", None), "name", None)
    return array_ops.placeholder(tensor.dtype, shape=shape, name=name)
