"""Default names of layers."""

from __future__ import annotations

import re
import weakref

from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph

_COUNTS: weakref.WeakKeyDictionary[Graph, dict[str, int]] = weakref.WeakKeyDictionary()


def class_name_as_words(name: str) -> str:
    """Converts a class name to snake case: `BasicLSTMCell` becomes "basic_lstm_cell"."""
    words = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    words = re.sub("([a-z])([A-Z])", r"\1_\2", words).lower()
    return "private" + words if words.startswith("_") else words


def numbered_name(base: str, first: int = 1) -> str:
    """Returns the next default name in the default graph: `base` followed by _1, _2 and so on.

    With `first` 0, the first name has no number. Both kinds of names share one count.
    """
    counts = _COUNTS.setdefault(get_default_graph(), {})
    number = counts.get(base, 0) + first
    counts[base] = counts.get(base, 0) + 1
    return f"{base}_{number}" if number else base
