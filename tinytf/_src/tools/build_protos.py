"""Compiles `tinytf/_src/protos/*.proto` to one descriptor set, and writes the stub of that package.

Run `python -m tinytf._src.tools.build_protos` after changing a .proto file; it needs `grpcio-tools` or `protoc`. The
package itself needs only the result.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).resolve().parent.parent / "protos"
DESCRIPTORS = SOURCES / "descriptors.binpb"
STUB = SOURCES / "__init__.pyi"

_SCALARS = {
    "float": (1, 2),
    "int": (3, 4, 5, 6, 7, 13, 14, 15, 16, 17, 18),
    "bool": (8,),
    "str": (9,),
    "bytes": (12,),
}
_SCALAR_OF_TYPE = {number: name for name, numbers in _SCALARS.items() for number in numbers}

_STUB_HEAD = '''\
"""Written by tinytf._src.tools.build_protos; do not edit."""

from collections.abc import MutableMapping, MutableSequence
from typing import Any

from google.protobuf.message import Message

def adopt(message: Any) -> Any: ...
def is_message(value: Any, name: str) -> bool: ...
def message_class(name: str) -> Any: ...
def pool() -> Any: ...

'''


def compiler() -> list[str] | None:
    """The command of a protocol-buffer compiler, or None if none is installed."""
    if importlib.util.find_spec("grpc_tools"):
        return [sys.executable, "-m", "grpc_tools.protoc"]
    protoc = shutil.which("protoc")
    return None if protoc is None else [protoc]


def compile_sources() -> bytes:
    """The serialized FileDescriptorSet of all sources and their imports.

    Raises RuntimeError if there is no compiler, CalledProcessError if it rejects a source.
    """
    command = compiler()
    if command is None:
        raise RuntimeError("no protocol-buffer compiler: install grpcio-tools or protoc")
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory) / "descriptors"
        sources = sorted(path.name for path in SOURCES.glob("*.proto"))
        options = [f"-I{SOURCES}", f"--descriptor_set_out={output}", "--include_imports"]
        subprocess.run([*command, *options, *sources], check=True)
        return normalized(output.read_bytes())


def normalized(serialized: bytes) -> bytes:
    """A FileDescriptorSet without the parts that depend on the compiler's version: JSON names and file options."""
    from google.protobuf import descriptor_pb2

    files = descriptor_pb2.FileDescriptorSet.FromString(serialized)
    for file in files.file:
        file.ClearField("options")
        for message in file.message_type:
            _drop_json_names(message)
    return files.SerializeToString(deterministic=True)


def _drop_json_names(message: Any) -> None:
    for field in message.field:
        field.ClearField("json_name")
    for nested in message.nested_type:
        _drop_json_names(nested)


def stub(serialized: bytes) -> str:
    """The text of the package's .pyi file: every message with its fields, every enum with its values."""
    from google.protobuf import descriptor_pb2

    files = descriptor_pb2.FileDescriptorSet.FromString(serialized).file
    lines: list[str] = []
    for file in files:
        if file.package.startswith("tensorflow"):
            for enum in file.enum_type:
                lines += ["", *_enum_stub(enum, "")]
            for message in file.message_type:
                lines += ["", *_message_stub(message, "")]
    return _STUB_HEAD + "\n".join(lines).replace("\n\n\n", "\n\n").strip() + "\n"


def _enum_stub(enum: Any, indent: str) -> list[str]:
    return [f"{indent}{enum.name}: Any"] + [f"{indent}{value.name}: int" for value in enum.value]


def _message_stub(message: Any, indent: str) -> list[str]:
    inner = indent + "    "
    entries = {nested.name: nested for nested in message.nested_type if nested.options.map_entry}
    lines = [f"{indent}class {message.name}(Message):", f"{inner}def __init__(self, **fields: Any) -> None: ..."]
    for enum in message.enum_type:
        lines += _enum_stub(enum, inner)
    for nested in message.nested_type:
        if nested.name not in entries:
            lines += [*_message_stub(nested, inner), ""]
    for field in message.field:
        python = _SCALAR_OF_TYPE.get(field.type, "Any")
        entry = entries.get(field.type_name.rsplit(".", 1)[-1])
        if entry is not None:
            key, value = [_SCALAR_OF_TYPE.get(part.type, "Any") for part in entry.field]
            python = f"MutableMapping[{key}, {value}]"
        elif field.label == field.LABEL_REPEATED:
            python = "Any" if python == "Any" else f"MutableSequence[{python}]"
        lines.append(f"{inner}{field.name}: {python}")
    return lines


def main() -> None:
    """Writes the descriptor set and the stub."""
    serialized = compile_sources()
    DESCRIPTORS.write_bytes(serialized)
    STUB.write_text(stub(serialized))


if __name__ == "__main__":
    main()
