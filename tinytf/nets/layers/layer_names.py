"""Names of layers that are given none."""

from __future__ import annotations

import re
import weakref

from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.graph import Graph

_COUNTS: weakref.WeakKeyDictionary[Graph, dict[str, int]] = weakref.WeakKeyDictionary()


def class_name_as_words(name: str) -> str:
    """`BasicLSTMCell` as "basic_lstm_cell"."""
    words = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    words = re.sub("([a-z])([A-Z])", r"\1_\2", words).lower()
    return "private" + words if words.startswith("_") else words


def numbered_name(base: str) -> str:
    """The next name of layers of this kind in the default graph: with _1 after it, _2 and so on."""
    counts = _COUNTS.setdefault(get_default_graph(), {})
    counts[base] = counts.get(base, 0) + 1
    return f"{base}_{counts[base]}"
