"""What a rewrite may be asked for."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from tinytf.exports import tf_export


@tf_export("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Parts of AutoGraph that are off unless they are asked for.

    `EQUALITY_OPERATORS`: `==` and `!=` compare tensors by value. `BUILTIN_FUNCTIONS`: `print` prints values of tensors when
    the graph runs. `LISTS`: `tensor[i] = x` makes a new tensor. `ALL` is all of them. `ASSERT_STATEMENTS` is always on, the
    others have no effect.
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All features."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """All features but those, or that one, and `ALL`."""
        left_out = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple(feature for feature in cls if feature is not cls.ALL and feature not in left_out)


@dataclass(frozen=True)
class Options:
    """How functions are rewritten. `recursive`: those that they call, too."""

    recursive: bool = True
    features: frozenset[Feature] = frozenset()

    def uses(self, feature: Feature) -> bool:
        """Whether a feature was asked for."""
        return feature in self.features or Feature.ALL in self.features


def options_of(recursive: bool, features: Any) -> Options:
    """Options of what a user gives: a feature, several, or None. ValueError for anything else."""
    if features is None:
        features = ()
    if isinstance(features, Feature):
        features = (features,)
    if not isinstance(features, (list, tuple, set, frozenset)) or not all(isinstance(f, Feature) for f in features):
        raise ValueError(
            f"experimental_optional_features must be features of tf.autograph.experimental, not {features!r}"
        )
    return Options(recursive, frozenset(features))
