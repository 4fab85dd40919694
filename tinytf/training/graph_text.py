"""GraphDefs as text, as protobuf's own printer has them, in a fraction of its time: nodes are many, kinds of attrs few."""

from __future__ import annotations

import re
from typing import Any

_needs_no_escape = re.compile(r"[ !#-&(-\[\]-~]*").fullmatch


def graph_text(graph_def: Any) -> str:
    """The text of a `GraphDef`."""
    from google.protobuf import text_format

    quoted = _Quoted()
    attr_texts: dict[tuple[str, bytes], str] = {}
    parts = []
    for node in graph_def.node:
        text = "node {\n"
        if node.name:
            text += f"  name: {quoted[node.name]}\n"
        if node.op:
            text += f"  op: {quoted[node.op]}\n"
        for name in node.input:
            text += f"  input: {quoted[name]}\n"
        if node.device:
            text += f"  device: {quoted[node.device]}\n"
        parts.append(text)
        for key, value in sorted(node.attr.items(), key=_key):
            entry = key, value.SerializeToString()
            attr = attr_texts.get(entry)
            if attr is None:
                shown = text_format.MessageToString(value, indent=6)
                attr = f"  attr {{\n    key: {quoted[key]}\n    value {{\n{shown}    }}\n  }}\n"
                attr_texts[entry] = attr
            parts.append(attr)
        if node.HasField("experimental_debug_info"):
            shown = text_format.MessageToString(node.experimental_debug_info, indent=4)
            parts.append(f"  experimental_debug_info {{\n{shown}  }}\n")
        parts.append("}\n")
    rest = type(graph_def)()
    for field in ("versions", "library"):
        if graph_def.HasField(field):
            getattr(rest, field).CopyFrom(getattr(graph_def, field))
    rest.version = graph_def.version
    parts.append(text_format.MessageToString(rest))
    return "".join(parts)


def _key(item: tuple[str, Any]) -> str:
    return item[0]


class _Quoted(dict[str, str]):
    """Texts as they stand between quotes, by text."""

    def __missing__(self, text: str) -> str:
        if _needs_no_escape(text):
            quoted = f'"{text}"'
        else:
            from google.protobuf import text_encoding

            quoted = f'"{text_encoding.CEscape(text, as_utf8=True)}"'
        self[text] = quoted
        return quoted
