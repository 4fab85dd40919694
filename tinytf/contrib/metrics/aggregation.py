"""Values and updates of several measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def aggregate_metrics(*value_update_tuples: tuple[Any, Any]) -> tuple[list[Any], list[Any]]:
    """The values of pairs of values and updates, and the updates, as lists. ValueError of none."""
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples, strict=True)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples: Mapping[str, tuple[Any, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values by name, and the updates by name, of pairs by name."""
    values, updates = zip(*names_to_tuples.values(), strict=True)
    return dict(zip(names_to_tuples, values, strict=True)), dict(zip(names_to_tuples, updates, strict=True))
