"""Writes `tinytf/_src/framework/graph_defs/newer_attrs.json`: attrs that later releases added to ops of TensorFlow 1.15.

    python -m tinytf._src.tools.newer_attrs OLD NEW

OLD and NEW are files with serialized `OpList` messages of the ops that TensorFlow 1.15 and a later release declare (in
C: `TF_GetAllOpList`). The table maps op → attr → [kind, default]. Attrs without a default are left out, because their
value cannot be dropped.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tinytf._src import protos
from tinytf._src.framework.declarations.attr_values import plain_attr

TABLE = Path(__file__).resolve().parent.parent / "framework/graph_defs/newer_attrs.json"


def newer_attrs(old: Any, new: Any) -> dict[str, dict[str, list[Any]]]:
    """The table for two `OpList`s."""
    known = {op.name: {attr.name for attr in op.attr} for op in old.op}
    table = {}
    for op in sorted(new.op, key=lambda op: op.name):
        added = {
            attr.name: [attr.type, _plain(attr.default_value)]
            for attr in op.attr
            if op.name in known and attr.name not in known[op.name] and attr.HasField("default_value")
        }
        if added:
            table[op.name] = added
    return table


def _plain(default: Any) -> Any:
    value = plain_attr(None, default)
    return value.decode() if isinstance(value, bytes) else value


def _read(path: str) -> Any:
    return protos.OpList.FromString(Path(path).read_bytes())


if __name__ == "__main__":
    lines = [f"{json.dumps(op)}: {json.dumps(attrs)}" for op, attrs in newer_attrs(*map(_read, sys.argv[1:])).items()]
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
