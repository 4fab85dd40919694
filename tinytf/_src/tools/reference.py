"""Generates `docs/reference/`: the ops, from their declarations, and the coverage of TensorFlow 1.15's API.

python tinytf/_src/tools/reference.py           writes the pages
python tinytf/_src/tools/reference.py --check   exits with 1 if a page is out of date
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tinytf import _core
from tinytf._src.framework import dtypes
from tinytf._src.tools.missing_names import missing

_SOURCES = Path(__file__).resolve().parents[3]
_GRADIENTS = {"registered": "", "not_differentiable": "Gradients stop here.", "none": "It has no gradient."}


def _type_name(number: int) -> str:
    return dtypes.as_dtype(number).name


def _argument(arg: Any) -> str:
    name, number, type_attr, number_attr, type_list_attr, is_ref = arg
    kind = type_list_attr or type_attr or _type_name(number)
    kind = f"Ref({kind})" if is_ref else kind
    return f"{name}: {number_attr} * {kind}" if number_attr else f"{name}: {kind}"


def _default(kind: str, value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_default(kind.removeprefix("list(").removesuffix(")"), v) for v in value) + "]"
    if kind == "type":
        return _type_name(value)
    return repr(value.decode()) if isinstance(value, bytes) else str(value)


def _attr(attr: Any) -> str:
    name, kind, has_default, default, types, strings, minimum = attr
    text = f"`{name}: {kind}" + (f" >= {minimum}" if minimum is not None else "")
    text += f" = {_default(kind, default)}`" if has_default else "`"
    if strings:
        text += ", one of " + ", ".join(f"`{s}`" for s in strings)
    if types:
        text += " of " + ", ".join(sorted(_type_name(t) for t in types))
    return text


def _op(name: str) -> str:
    definition: Any = _core.op_def(name)
    inputs = ", ".join(map(_argument, definition["inputs"]))
    outputs = ", ".join(map(_argument, definition["outputs"]))
    text = f"## {definition['name']}\n\n`({inputs}) -> ({outputs})`\n\n{definition['doc']}\n"
    attrs = [f"- {_attr(attr)}\n" for attr in definition["attrs"]]
    text += ("\n" + "".join(attrs)) if attrs else ""
    notes = [_GRADIENTS[definition["gradient"]]]
    notes.append("It has state: equal calls are not one." if definition["is_stateful"] else "")
    if definition["endpoints"]:
        notes.append("Public: " + ", ".join(f"`tf.{name}`" for name in definition["endpoints"]) + ".")
    told = " ".join(note for note in notes if note)
    return text + (f"\n{told}\n" if told else "") + "\n"


def ops_page() -> str:
    """The page of all ops, sorted by name."""
    names = sorted(_core.op_names())
    text = "# Ops\n\nWhat graphs are made of: written from the declarations in `csrc/ops/` by `tinytf._src.tools.reference`.\n"
    text += "A type in an input's place is an attr's name where the attr chooses it.\n\n"
    return (text + "".join(map(_op, names))).rstrip() + "\n"


def _module(name: str) -> str:
    """The module under which a public name is counted: `tf.nn` for its members, `tf` for the rest and for members of
    classes."""
    first = name.split(".")[1] if "." in name else ""
    return f"tf.{first}" if name.count(".") > 1 and first.islower() else "tf"


def status_page(names: list[str]) -> str:
    """The page with the number of TensorFlow 1.15's public names that exist, by module, and a list of the missing
    names."""
    lacking = missing(names)
    under = tuple(f"{name}." for name in lacking)
    gone = {name for name in names if name in set(lacking) or name.startswith(under)}
    module = {name: _module(name) for name in names}
    all_of, gone_of = Counter(module.values()), Counter(module[name] for name in gone)
    text = "# What there is of TensorFlow 1.15\n\n"
    text += f"Of {len(names)} public names of TensorFlow 1.15, members of classes included, {len(names) - len(gone)} exist. "
    text += "Written by `tinytf._src.tools.reference`.\n\n| module | names | there |\n|---|---|---|\n"
    for name in sorted(all_of):
        text += f"| `{name}` | {all_of[name]} | {all_of[name] - gone_of[name]} |\n"
    text += "\n## Missing\n\nA module or class stands for all that is in it.\n\n"
    return text + "".join(f"- `{name}`\n" for name in lacking)


def generate(sources: Path) -> dict[Path, str]:
    """The contents of the pages, by path; `sources` is the root of the repository."""
    golden = (sources / "tests/framework/names_of_1_15.txt").read_text()
    names = [line.split()[0] for line in golden.splitlines()]
    pages = sources / "docs" / "reference"
    return {pages / "ops.md": ops_page(), pages / "status.md": status_page(names)}


def main(arguments: list[str]) -> int:
    """Writes or checks the pages, depending on the arguments; returns the exit status."""
    pages = generate(_SOURCES)
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text() != text]
    if "--check" in arguments:
        for path in stale:
            print(f"docs/reference/{path.name} is not up to date: run python tinytf/_src/tools/reference.py")
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(pages[path])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
