"""Functions that build the inputs of exported models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.estimator.receivers import SINGLE_LABEL, SINGLE_RECEIVER, ServingInputReceiver, SupervisedInputReceiver
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops import array_ops
from tinytf._src.ops.parsing.examples import parse_example


@tf_export("estimator.export.build_parsing_serving_input_receiver_fn")
def build_parsing_serving_input_receiver_fn(
    feature_spec: Any, default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """Returns a receiver function for a model that is fed serialized `tf.train.Example`s.

    Args:
      feature_spec: dict of feature configurations, as for `tf.io.parse_example`.
      default_batch_size: int, number of examples; None: any.

    Returns:
      A function that returns a `ServingInputReceiver` with the string vector "examples" as its input.
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
    """Returns a receiver function for a model that is fed its features directly.

    Args:
      features: dict of tensors by name, of which dtype and shape are used.
      default_batch_size: int, the first dimension of all shapes; None: any.

    Returns:
      A function that returns a `ServingInputReceiver` of placeholders.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        receivers = {name: _placeholder(tensor, default_batch_size) for name, tensor in features.items()}
        return ServingInputReceiver(receivers, receivers)

    return serving_input_receiver_fn


@tf_export("estimator.experimental.build_raw_supervised_input_receiver_fn")
@called_by_users
def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: int | None = None
) -> Callable[[], SupervisedInputReceiver]:
    """Returns a receiver function for a model, exported for training or evaluation, that is fed its features and
    labels.

    Args:
      features, labels: tensors, or dicts of tensors by name, of which dtype and shape are used.
      default_batch_size: int, the first dimension of all shapes; None: any.

    Returns:
      A function that returns a `SupervisedInputReceiver` of placeholders.

    Raises:
      ValueError: for keys in both `features` and `labels`.
    """
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
    """Returns a placeholder of the tensor's name, dtype and shape, except for the first dimension."""
    shape = TensorShape([batch_size]).concatenate(tensor.get_shape()[1:])
    name = getattr(getattr(tensor, "op", None), "name", None)
    return array_ops.placeholder(tensor.dtype, shape=shape, name=name)
