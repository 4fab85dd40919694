"""Initializers that can be passed to layers by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.variables import initializers


def _small_uniform() -> Any:
    return initializers.random_uniform(-0.05, 0.05)


def _small_normal() -> Any:
    return initializers.random_normal(stddev=0.05)


def _small_truncated_normal() -> Any:
    return initializers.truncated_normal(stddev=0.05)


# Initializer classes by their TensorFlow names.
_CLASSES: dict[str, type] = {
    "Constant": initializers.constant,
    "GlorotNormal": initializers.glorot_normal,
    "GlorotUniform": initializers.glorot_uniform,
    "Identity": initializers.identity,
    "Ones": initializers.ones,
    "Orthogonal": initializers.orthogonal,
    "RandomNormal": initializers.random_normal,
    "RandomUniform": initializers.random_uniform,
    "TruncatedNormal": initializers.truncated_normal,
    "VarianceScaling": initializers.variance_scaling,
    "Zeros": initializers.zeros,
}
_CLASS_NAMES = {made: name for name, made in _CLASSES.items()}
# Initializers by name. The normal and uniform ones have a smaller spread than the classes of `tf.initializers`.
_INITIALIZERS: dict[str, Callable[[], Any]] = {
    **_CLASSES,
    "RandomNormal": _small_normal,
    "RandomUniform": _small_uniform,
    "TruncatedNormal": _small_truncated_normal,
    "constant": initializers.constant,
    "glorot_normal": initializers.glorot_normal,
    "glorot_uniform": initializers.glorot_uniform,
    "he_normal": initializers.he_normal,
    "he_uniform": initializers.he_uniform,
    "identity": initializers.identity,
    "lecun_normal": initializers.lecun_normal,
    "lecun_uniform": initializers.lecun_uniform,
    "normal": _small_normal,
    "one": initializers.ones,
    "ones": initializers.ones,
    "orthogonal": initializers.orthogonal,
    "random_normal": _small_normal,
    "random_uniform": _small_uniform,
    "truncated_normal": _small_truncated_normal,
    "uniform": _small_uniform,
    "zero": initializers.zeros,
    "zeros": initializers.zeros,
}


def initializer_of(identifier: Any) -> Any:
    """Returns the initializer for a name, for a dict with the class name and the config, or for a callable; None stays
    None.

    Raises ValueError for an unknown name and for any other value.
    """
    if isinstance(identifier, dict):
        name = identifier["class_name"]
        if name not in _CLASSES:
            raise ValueError(f"Unknown initializer: {name}")
        return _CLASSES[name](**identifier["config"])
    if isinstance(identifier, str):
        if identifier not in _INITIALIZERS:
            raise ValueError(f"Unknown initializer:{identifier}")
        return _INITIALIZERS[identifier]()
    if identifier is not None and not callable(identifier):
        raise ValueError(f"Could not interpret initializer identifier: {identifier}")
    return identifier


def initializer_config(initializer: Any) -> Any:
    """Returns a description from which `initializer_of` restores the initializer: class name and config, or a
    function's name.
    """
    if initializer is None:
        return None
    if hasattr(initializer, "get_config"):
        name = _CLASS_NAMES.get(type(initializer)) or type(initializer).__name__
        return {"class_name": name, "config": initializer.get_config()}
    return initializer.__name__
