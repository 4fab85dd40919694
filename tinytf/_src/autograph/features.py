"""Optional features and options of a conversion."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from tinytf._src.exports import tf_export


@tf_export("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Optional features of AutoGraph.

    `EQUALITY_OPERATORS`: `==` and `!=` compare tensors by value. `BUILTIN_FUNCTIONS`: `print` prints the values of
    tensors when the graph runs. `LISTS`: `tensor[i] = x` assigns a new tensor to the variable. `ALL` turns on all of
    them. `ASSERT_STATEMENTS` is always on; the remaining features have no effect.
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
        """Returns a tuple of all features."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """Returns a tuple of all features except `ALL` and the excluded ones.

        Args:
          exclude: a feature, or a list, tuple or set of features.

        Returns:
          A tuple of `Feature`s.
        """
        left_out = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple(feature for feature in cls if feature is not cls.ALL and feature not in left_out)


@dataclass(frozen=True)
class Options:
    """Options of a conversion. `recursive`: whether called functions are converted, too."""

    recursive: bool = True
    features: frozenset[Feature] = frozenset()

    def uses(self, feature: Feature) -> bool:
        """Whether a feature is turned on."""
        return feature in self.features or Feature.ALL in self.features


def options_of(recursive: bool, features: Any) -> Options:
    """Returns the options for a feature, a collection of features or None. Raises ValueError for anything else."""
    if features is None:
        features = ()
    if isinstance(features, Feature):
        features = (features,)
    if not isinstance(features, (list, tuple, set, frozenset)) or not all(isinstance(f, Feature) for f in features):
        raise ValueError(
            f"experimental_optional_features must be features of tf.autograph.experimental, not {features!r}"
        )
    return Options(recursive, frozenset(features))
