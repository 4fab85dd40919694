"""Builds the signatures of an exported model: one for each compatible pair of inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tinytf._src.framework.logs import tf_logging
from tinytf._src.saved_model import constants
from tinytf._src.saved_model.signatures import is_valid_signature

_METHODS = {
    constants.CLASSIFY_METHOD_NAME: "Classify",
    constants.REGRESS_METHOD_NAME: "Regress",
    constants.PREDICT_METHOD_NAME: "Predict",
    constants.SUPERVISED_TRAIN_METHOD_NAME: "Train",
    constants.SUPERVISED_EVAL_METHOD_NAME: "Eval",
}


def all_signatures(
    receiver_tensors: Any, export_outputs: Mapping[Any, Any], alternatives: Any, serving_only: bool
) -> dict[str, Any]:
    """Returns `SignatureDef`s by name: the outputs' names, for alternative inputs prefixed by the input's name. Logs
    which signatures were included and why others were not."""
    found: dict[str, Any] = {}
    excluded: dict[str, str] = {}

    def add(prefix: str, tensors: Any) -> None:
        inputs = tensors if isinstance(tensors, dict) else {"input": tensors}
        for key, output in export_outputs.items():
            name = f"{prefix}{key or 'None'}"
            try:
                found[name] = output.as_signature_def(inputs)
            except ValueError as error:
                excluded[name] = str(error)

    add("", receiver_tensors)
    for name, tensors in (alternatives or {}).items():
        add(f"{name or 'None'}:", tensors)
    _report(found, excluded)
    return {name: each for name, each in found.items() if not serving_only or is_valid_signature(each)}


def _report(found: Mapping[str, Any], excluded: Mapping[str, str]) -> None:
    names: dict[str, list[str]] = {method: [] for method in _METHODS}
    for name, signature in found.items():
        names.setdefault(signature.method_name, []).append(name)
    for method, of_method in names.items():
        tf_logging.info(
            "Signatures INCLUDED in export for %s: %s", _METHODS.get(method, method), of_method if of_method else "None"
        )
    if excluded:
        tf_logging.info("Signatures EXCLUDED from export because they cannot be be served via TensorFlow Serving APIs:")
        for name, why in excluded.items():
            tf_logging.info("'%s' : %s", name, why)
    if not found:
        tf_logging.warning("Export includes no signatures!")
    elif constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY not in found:
        tf_logging.warning("Export includes no default signature!")
