"""Validates the arguments of `import_graph_def`."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf.version import GRAPH_DEF_VERSION, VERSION


def checked_graph_def(graph_def: Any) -> Any:
    """`graph_def` as a `GraphDef` of this package's class. Raises TypeError if it is not a GraphDef."""
    try:
        message = protos.adopt(graph_def)
    except (TypeError, KeyError):
        message = None
    if not isinstance(message, protos.GraphDef):
        raise TypeError("graph_def must be a GraphDef proto.")
    return message


def checked_input_map(input_map: Any) -> dict[str, Any]:
    """`input_map` with str keys. Raises TypeError if it is not a dict with names as keys."""
    if input_map is None:
        return {}
    if not (isinstance(input_map, dict) and all(isinstance(key, (str, bytes)) for key in input_map)):
        raise TypeError("input_map must be a dictionary mapping strings to Tensor objects.")
    return {_text(key): value for key, value in input_map.items()}


def checked_names(return_elements: Any) -> list[str]:
    """`return_elements` as a list of str. Raises TypeError for items that are not names."""
    if return_elements is None:
        return []
    names = tuple(return_elements)
    if not all(isinstance(name, (str, bytes)) for name in names):
        raise TypeError("return_elements must be a list of strings.")
    return [_text(name) for name in names]


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def check_versions(versions: Any) -> None:
    """Raises ValueError unless graphs of these versions (`VersionDef`) can be read."""
    if versions.producer < 0:
        raise ValueError(
            f"GraphDef producer version {versions.producer} below min producer 0 supported by TensorFlow "
            f"{VERSION}.  Please regenerate your graph."
        )
    if versions.min_consumer > GRAPH_DEF_VERSION:
        raise ValueError(
            f"GraphDef min consumer version {versions.min_consumer} above current version {GRAPH_DEF_VERSION} for "
            f"TensorFlow {VERSION}.  Please upgrade TensorFlow."
        )
    if GRAPH_DEF_VERSION in versions.bad_consumers:
        raise ValueError(
            f"GraphDef disallows consumer version {GRAPH_DEF_VERSION}.  Please upgrade TensorFlow: this version is "
            "likely buggy."
        )


def producer_defaults(op_list: Any) -> dict[str, dict[str, Any]]:
    """The default values by op and attr in a producer's `OpList`; empty for None."""
    if op_list is None:
        return {}
    return {op.name: {a.name: a.default_value for a in op.attr if a.HasField("default_value")} for op in op_list.op}


def parse_tensor_name(name: str) -> tuple[str, int]:
    """The pair ("op", index) for "op:index" or "op". Raises ValueError for other forms."""
    parts = name.split(":")
    if len(parts) == 1:
        return name, 0
    if len(parts) == 2 and parts[1].isdecimal():
        return parts[0], int(parts[1])
    raise ValueError(f"Cannot convert {name!r} to a tensor name.")
