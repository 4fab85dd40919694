"""Inputs of exported models: fed tensors, and the features made of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import convert_to_tensor

SINGLE_FEATURE, SINGLE_RECEIVER, SINGLE_LABEL = "feature", "input", "label"
_SINGLE = {
    "feature": SINGLE_FEATURE,
    "label": SINGLE_LABEL,
    "receiver_tensor": SINGLE_RECEIVER,
    "receiver_tensors_alternative": SINGLE_RECEIVER,
}


class _ServingInputReceiver(NamedTuple):
    features: Any
    receiver_tensors: Any
    receiver_tensors_alternatives: Any


@tf_export("estimator.export.ServingInputReceiver")
class ServingInputReceiver(_ServingInputReceiver):
    """The inputs of an exported model. A named tuple.

    Args:
      features: a tensor, named "feature", or a dict of tensors by str or int: the model's features.
      receiver_tensors: a tensor, named "input", or a dict of tensors by name: the tensors to feed.
      receiver_tensors_alternatives: dict from names to such tensors or dicts, each of which may be fed instead; or
        None.

    All are `Tensor`s or `SparseTensor`s.

    Raises:
      ValueError: for other values or keys.
    """

    __slots__ = ()

    @called_by_users
    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> ServingInputReceiver:
        features = _named_tensors(features, "feature", integers=True)
        receiver_tensors = _named_tensors(receiver_tensors, "receiver_tensor")
        if receiver_tensors_alternatives is not None:
            if not isinstance(receiver_tensors_alternatives, dict):
                raise ValueError(f"receiver_tensors_alternatives must be a dict: {receiver_tensors_alternatives}.")
            receiver_tensors_alternatives = {
                name: _named_tensors(tensors, "receiver_tensors_alternative")
                for name, tensors in receiver_tensors_alternatives.items()
            }
        return super().__new__(cls, features, receiver_tensors, receiver_tensors_alternatives)


@tf_export("estimator.export.TensorServingInputReceiver")
class TensorServingInputReceiver(_ServingInputReceiver):
    """Like `ServingInputReceiver`, for a model whose features are a single tensor instead of a dict."""

    __slots__ = ()

    @called_by_users
    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> TensorServingInputReceiver:
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, None, "feature")
        checked = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        return super().__new__(cls, checked.features[SINGLE_FEATURE], *checked[1:])


class _SupervisedInputReceiver(NamedTuple):
    features: Any
    labels: Any
    receiver_tensors: Any


class SupervisedInputReceiver(_SupervisedInputReceiver):
    """The inputs of a model that is exported for training or evaluation: features, labels and the tensors to feed."""

    __slots__ = ()

    def __new__(cls, features: Any, labels: Any, receiver_tensors: Any) -> SupervisedInputReceiver:
        _named_tensors(features, "feature", integers=True)
        _named_tensors(labels, "label", integers=True)
        return super().__new__(cls, features, labels, _named_tensors(receiver_tensors, "receiver_tensor"))


def _named_tensors(tensors: Any, what: str, integers: bool = False) -> dict[Any, Any]:
    if tensors is None:
        raise ValueError(f"{what}s must be defined.")
    named = tensors if isinstance(tensors, dict) else {_SINGLE[what]: tensors}
    for name, tensor in named.items():
        if not isinstance(name, (str, int) if integers else str):
            raise ValueError(f"{what} keys must be strings{' or ints' if integers else ''}: {name}.")
        _check_tensor(tensor, name, what)
    return named


def _check_tensor(tensor: Any, name: Any, what: str) -> None:
    if isinstance(tensor, (Tensor, SparseTensor)):
        return
    refusal = ValueError(f"{what}{f' {name}' if name else ''} must be a Tensor or SparseTensor.")
    if not hasattr(tensor, "tensor"):
        raise refusal
    try:  # an object that converts to a tensor
        convert_to_tensor(tensor)
    except TypeError:
        raise refusal from None
