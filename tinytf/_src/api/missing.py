"""Errors for missing names, which say whether TensorFlow 1.15 has the name."""

from __future__ import annotations

import functools
import re
from pathlib import Path

_LIST = Path(__file__).with_name("missing_names.txt")  # names of TensorFlow 1.15; written by tools/missing_names.py
# Modules of TensorFlow 1.15 that the list leaves out with all their members, some of which exist here.
_NO_PART = frozenset("tf.distribute tf.examples tf.keras tf.lite".split())
# The premade models of `tf.estimator` and the names that only they need.
_READY_MADE = re.compile(
    r"tf\.estimator\.((Baseline|BoostedTrees|DNN|DNNLinearCombined|Linear)(Classifier|Estimator|Regressor)|\w*Head|tpu\b.*"
    r"|(classifier|regressor)_parse_example_spec|experimental\.(KMeans|LinearSDCA|(dnn|linear)_logit_fn_builder))"
)
_NOT_LISTED = ("tf.compat.", "tf.contrib.", "tf.core.", "tf.python.", "tf.raw_ops.")


@functools.cache
def missing_names() -> frozenset[str]:
    """The public names of TensorFlow 1.15 that tinytf lacks, such as `tf.while_loop`. A module or class that is missing
    as a whole is listed without its members."""
    return frozenset(_LIST.read_text().split())


def why_missing(name: str) -> str:
    """The explanation for a public name, such as `tf.layers`, that does not exist."""
    if name in missing_names():
        return f"{name} of TensorFlow 1.15 is not implemented yet"
    if _READY_MADE.fullmatch(name):
        return f"{name} of TensorFlow 1.15 is not part of tinytf: write a model_fn for tf.estimator.Estimator"
    part = ".".join(name.split(".")[:2])
    if part in _NO_PART:
        return f"{part} of TensorFlow 1.15 is not part of tinytf" + (", except for a few names" if part != name else "")
    if name.startswith(_NOT_LISTED):
        return f"tinytf has no {name}"
    return f"neither tinytf nor TensorFlow 1.15 has {name}"


def no_such_name(module: str, name: str) -> AttributeError:
    """The AttributeError for a missing name of a module such as `tinytf` or `tinytf.math`."""
    text = f"module {module!r} has no attribute {name!r}"
    if not name.startswith("_"):
        text += ": " + why_missing(f"{module}.{name}".replace("tinytf", "tf", 1))
    return AttributeError(text, name=name, obj=_NoSuggestions())


class _NoSuggestions:
    """Stands for the module in the error, so that Python suggests no similarly spelled names, which mean other
    things."""

    def __dir__(self) -> list[str]:
        return []
