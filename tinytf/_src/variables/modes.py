"""Modes of replicated variables. There are no replicas here: the modes are validated and stored."""

from __future__ import annotations

import enum
from typing import Any

from tinytf._src.exports import tf_export


@tf_export("VariableSynchronization")
class VariableSynchronization(enum.Enum):
    """When the replicas of a variable are synchronized. Stored without effect: variables have no replicas here."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@tf_export("VariableAggregation")
class VariableAggregation(enum.Enum):
    """How the replicas of a variable are aggregated. Stored without effect: variables have no replicas here."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3


def checked_modes(
    synchronization: Any, aggregation: Any, trainable: bool | None, name: Any
) -> tuple[VariableSynchronization, VariableAggregation, bool]:
    """The validated modes (given as members, their numbers, or None for the default), and whether the variable is
    trainable: by default, unless it is synchronized on read. Raises ValueError for unknown modes."""
    kept = _member(VariableAggregation.NONE, aggregation, "aggregation", name)
    when = _member(VariableSynchronization.AUTO, synchronization, "synchronization", name)
    return when, kept, when is not VariableSynchronization.ON_READ if trainable is None else trainable


def _member(default: Any, value: Any, what: str, name: Any) -> Any:
    if value is None or value is default:
        return default
    try:
        return type(default)(value)
    except ValueError:
        raise ValueError(f"Invalid variable {what} mode: {value} for variable: {name}") from None
