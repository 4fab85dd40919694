"""Names that are not there: whether TensorFlow 1.15 has them, and the error that says so."""

from __future__ import annotations

import functools
import re
from pathlib import Path

_LIST = Path(__file__).with_name("missing_names.txt")  # of TensorFlow 1.15's names; written by tools/missing_names.py
# In TensorFlow 1.15, but not in that list; nor is what is below these modules, some of which are here, too.
_NO_PART = frozenset("tf.distribute tf.examples tf.keras tf.lite".split())
# Of `tf.estimator`: models that are written already, and what only they need.
_READY_MADE = re.compile(
    r"tf\.estimator\.((Baseline|BoostedTrees|DNN|DNNLinearCombined|Linear)(Classifier|Estimator|Regressor)|\w*Head|tpu\b.*"
    r"|(classifier|regressor)_parse_example_spec|experimental\.(KMeans|LinearSDCA|(dnn|linear)_logit_fn_builder))"
)
_NOT_LISTED = ("tf.compat.", "tf.contrib.", "tf.core.", "tf.python.", "tf.raw_ops.")


@functools.cache
def missing_names() -> frozenset[str]:
    """Of TensorFlow 1.15, such as `tf.while_loop`. Of what is missing as a whole, a module or a class, only the name."""
    return frozenset(_LIST.read_text().split())


def why_missing(name: str) -> str:
    """What to say of a public name, such as `tf.layers`, that is not there."""
    if name in missing_names():
        return f"{name} of TensorFlow 1.15 is not there yet"
    if _READY_MADE.fullmatch(name):
        return f"{name} of TensorFlow 1.15 is not a part of tinytf: tf.estimator.Estimator takes models that programs write"
    part = ".".join(name.split(".")[:2])
    if part in _NO_PART:
        return f"{part} of TensorFlow 1.15 is not a part of tinytf" + (", but for a few names" if part != name else "")
    if name.startswith(_NOT_LISTED):
        return f"tinytf has no {name}"
    return f"TensorFlow 1.15 has no {name} either"


def no_such_name(module: str, name: str) -> AttributeError:
    """The error of a module, `tinytf` or `tinytf.math` for example, that is asked for a name which it does not have."""
    text = f"module {module!r} has no attribute {name!r}"
    if not name.startswith("_"):
        text += ": " + why_missing(f"{module}.{name}".replace("tinytf", "tf", 1))
    return AttributeError(text, name=name, obj=_NoSuggestions())


class _NoSuggestions:
    """What Python looks at to suggest other names: those that are spelled alike mean other things."""

    def __dir__(self) -> list[str]:
        return []
