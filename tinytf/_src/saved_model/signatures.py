"""Builds `SignatureDef`s: inputs and outputs of a model for one use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.saved_model import constants
from tinytf._src.saved_model.tensor_infos import (
    build_tensor_info,
    build_tensor_info_from_op,
    get_element_from_tensor_info,
)

_STRING = dtypes.string.as_datatype_enum
_FLOAT = dtypes.float32.as_datatype_enum


@tf_export("saved_model.build_signature_def", "saved_model.signature_def_utils.build_signature_def")
@called_by_users
def build_signature_def(
    inputs: Mapping[str, Any] | None = None, outputs: Mapping[str, Any] | None = None, method_name: str | None = None
) -> Any:
    """Returns a `SignatureDef`.

    Args:
      inputs, outputs: dicts of `TensorInfo`s by name, or None.
      method_name: str, the name of the serving method, or None.
    """
    return protos.SignatureDef(inputs=inputs, outputs=outputs, method_name=method_name)


def _infos(tensors: Mapping[str, Any]) -> dict[str, Any]:
    return {key: build_tensor_info(tensor) for key, tensor in tensors.items()}


def _checked_info(tensor: Any, dtype: int, refusal: str) -> Any:
    """Returns the `TensorInfo` of a tensor. ValueError for another dtype."""
    info = build_tensor_info(tensor)
    if info.dtype != dtype:
        raise ValueError(refusal)
    return info


def _examples(kind: str, examples: Any) -> Any:
    if examples is None:
        raise ValueError(f"{kind} examples cannot be None.")
    refusal = f"{kind} examples must be a string Tensor."
    if not isinstance(examples, Tensor):
        raise ValueError(refusal)
    return _checked_info(examples, _STRING, refusal)


@tf_export("saved_model.regression_signature_def", "saved_model.signature_def_utils.regression_signature_def")
@called_by_users
def regression_signature_def(examples: Any, predictions: Any) -> Any:
    """Returns the `SignatureDef` of a regression.

    Args:
      examples: string tensor of serialized `Example`s.
      predictions: float32 tensor.

    Raises:
      ValueError: for tensors of other dtypes, or None.
    """
    if examples is not None and isinstance(examples, Tensor) and predictions is None:
        raise ValueError("Regression predictions cannot be None.")
    inputs = {constants.REGRESS_INPUTS: _examples("Regression", examples)}
    output = _checked_info(predictions, _FLOAT, "Regression output must be a float Tensor.")
    return build_signature_def(inputs, {constants.REGRESS_OUTPUTS: output}, constants.REGRESS_METHOD_NAME)


@tf_export("saved_model.classification_signature_def", "saved_model.signature_def_utils.classification_signature_def")
@called_by_users
def classification_signature_def(examples: Any, classes: Any, scores: Any) -> Any:
    """Returns the `SignatureDef` of a classification.

    Args:
      examples: string tensor of serialized `Example`s.
      classes: string tensor, or None.
      scores: float32 tensor, or None.

    Raises:
      ValueError: for tensors of other dtypes, and if both outputs are None.
    """
    if examples is not None and isinstance(examples, Tensor) and classes is None and scores is None:
        raise ValueError("Classification classes and scores cannot both be None.")
    inputs = {constants.CLASSIFY_INPUTS: _examples("Classification", examples)}
    outputs = {}
    if classes is not None:
        refusal = "Classification classes must be a string Tensor."
        outputs[constants.CLASSIFY_OUTPUT_CLASSES] = _checked_info(classes, _STRING, refusal)
    if scores is not None:
        refusal = "Classification scores must be a float Tensor."
        outputs[constants.CLASSIFY_OUTPUT_SCORES] = _checked_info(scores, _FLOAT, refusal)
    return build_signature_def(inputs, outputs, constants.CLASSIFY_METHOD_NAME)


@tf_export("saved_model.predict_signature_def", "saved_model.signature_def_utils.predict_signature_def")
@called_by_users
def predict_signature_def(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
    """Returns the `SignatureDef` of a prediction.

    Args:
      inputs, outputs: dicts of tensors by name.

    Raises:
      ValueError: if one of them is empty or None.
    """
    for what, tensors in (("inputs", inputs), ("outputs", outputs)):
        if not tensors:
            raise ValueError(f"Prediction {what} cannot be None or empty.")
    return build_signature_def(_infos(inputs), _infos(outputs), constants.PREDICT_METHOD_NAME)


def supervised_signature_def(method_name: str, inputs: Mapping[str, Any], *outputs: Mapping[str, Any] | None) -> Any:
    """Returns the `SignatureDef` of a training or evaluation. `outputs`: loss, predictions and metrics, each of which
    may be None."""
    if not inputs:
        raise ValueError(f"{method_name} inputs cannot be None or empty.")
    found = {key: info for tensors in outputs for key, info in _infos(tensors or {}).items()}
    return build_signature_def(_infos(inputs), found, method_name)


@tf_export("saved_model.is_valid_signature", "saved_model.signature_def_utils.is_valid_signature")
def is_valid_signature(signature_def: Any) -> bool:
    """Returns whether a `SignatureDef` is a complete classification, regression or prediction signature, which servers
    accept."""
    if signature_def is None:
        return False
    method, inputs, outputs = signature_def.method_name, signature_def.inputs, signature_def.outputs
    if method == constants.PREDICT_METHOD_NAME:
        return bool(inputs) and bool(outputs)
    if method == constants.REGRESS_METHOD_NAME:
        return _fits(inputs, {constants.REGRESS_INPUTS: _STRING}) and _fits(
            outputs, {constants.REGRESS_OUTPUTS: _FLOAT}
        )
    if method == constants.CLASSIFY_METHOD_NAME:
        types = {constants.CLASSIFY_OUTPUT_CLASSES: _STRING, constants.CLASSIFY_OUTPUT_SCORES: _FLOAT}
        return (
            _fits(inputs, {constants.CLASSIFY_INPUTS: _STRING})
            and set(outputs) <= set(types)
            and _fits(outputs, {key: types[key] for key in outputs})
            and bool(outputs)
        )
    return False


def _fits(infos: Any, types: Mapping[str, int]) -> bool:
    return set(infos) == set(types) and all(infos[key].dtype == dtype for key, dtype in types.items())


def op_signature_def(op: Any, key: str) -> Any:
    """Returns a signature that only names an operation."""
    return build_signature_def(outputs={key: build_tensor_info_from_op(op)})


def load_op_from_signature_def(signature_def: Any, key: str, import_scope: str | None = None) -> Any:
    """Returns the operation that such a signature names. NotFoundError if the graph lacks it."""
    try:
        return get_element_from_tensor_info(signature_def.outputs[key], import_scope=import_scope)
    except KeyError:
        raise errors_impl.NotFoundError(
            None,
            None,
            f"The {key} could not be found in the graph. Please make sure the SavedModel was created by the internal "
            "_SavedModelBuilder. If you are using the public API, please make sure the SignatureDef in the SavedModel "
            f'does not contain the key "{key}".',
        ) from None
