"""Rows of ops that make datasets.

A row gives a node with its inputs, which may be nodes of other datasets, and the elements that iterators of the dataset
yield.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tinytf import _core
from tinytf._src.eager.defined.defun import Defun
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes


@dataclass(frozen=True)
class Function:
    """A function of tensors of these types: the value of an attr."""

    function: Callable[..., Any]
    types: tuple[Any, ...]

    def made(self) -> Any:
        defined = Defun(*self.types)(self.function)
        if not executing_eagerly():
            defined.add_to_graph(node("NoOp").graph)
        return defined


_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []  # of this process; removed at its end


def folder() -> str:
    """The folder that `$D` stands for in texts of rows."""
    if not _FOLDERS:
        _FOLDERS.append(tempfile.TemporaryDirectory())
    return _FOLDERS[0].name


def placed(value: Any) -> Any:
    """The value with the folder for `$D` in its texts."""
    if isinstance(value, bytes):
        return value.replace(b"$D", folder().encode())
    if isinstance(value, (list, tuple)):
        return type(value)(map(placed, value))
    if isinstance(value, np.ndarray) and value.dtype == object:
        return np.array(placed(value.tolist()), object).reshape(value.shape)
    return value


@dataclass(frozen=True)
class Node:
    """A node that makes a dataset, or something that a dataset is made of. The first of several outputs counts.

    inputs: arrays, other nodes, or lists of them for inputs that are lists.
    attrs: a Function stands for a function of the graph.
    types: of the components of elements.
    shapes: the same; unknown if None.
    files: the contents of files that the node reads, by name; `$D` in texts is their folder. Files of the same name
        have the same contents in all rows.
    """

    op: str
    inputs: tuple[Any, ...] = ()
    attrs: dict[str, Any] = field(default_factory=dict)
    types: tuple[Any, ...] = (dtypes.int64,)
    shapes: tuple[Any, ...] | None = None
    files: dict[str, bytes] = field(default_factory=dict)

    def spec(self) -> dict[str, Any]:
        """The attrs that tell the types and shapes of elements."""
        shapes = [None] * len(self.types) if self.shapes is None else list(self.shapes)
        return {"output_types": list(self.types), "output_shapes": shapes}

    def built(self) -> Any:
        """The dataset, in the current graph or executed."""
        for name, content in self.files.items():
            _write(Path(folder(), name), content)
        definition = _core.op_def(self.op)
        given = {name for name, *_ in definition["attrs"]} - inferred_attrs(definition)
        attrs = {name: value for name, value in self.spec().items() if name in given}
        attrs.update({name: _attr(value) for name, value in self.attrs.items()})
        made = node(self.op, *map(_built, self.inputs), **attrs)
        return made[0] if isinstance(made, tuple) else made

    def ops(self) -> set[str]:
        """The ops of this node and of the nodes of its inputs."""
        return {self.op}.union(*(value.ops() for _, value in places(self) if isinstance(value, Node)))

    def named(self, old: str, new: str) -> Node:
        """This node with the op `new` where it or a node of its inputs has the op `old`."""

        def renamed(value: Any) -> Any:
            if isinstance(value, list):
                return [renamed(v) for v in value]
            return value.named(old, new) if isinstance(value, Node) else value

        return replace(self, op=new if self.op == old else self.op, inputs=tuple(map(renamed, self.inputs)))

    def with_input(self, place: tuple[int, ...], value: Any) -> Node:
        """This node with another input at a place in it and in the nodes of its inputs."""
        inputs = list(self.inputs)
        inputs[place[0]] = value if len(place) == 1 else _changed(inputs[place[0]], place[1:], value)
        return replace(self, inputs=tuple(inputs))


def _built(value: Any) -> Any:
    if isinstance(value, list):
        return [_built(v) for v in value]
    return value.built() if isinstance(value, Node) else value if hasattr(value, "op") else constant(placed(value))


def _attr(value: Any) -> Any:
    if isinstance(value, list):
        return [_attr(v) for v in value]
    return value.made() if isinstance(value, Function) else value


def _write(path: Path, content: bytes) -> None:
    """Writes the file, unless another row has written it."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert path.read_bytes() == content, f"rows have other contents of {path.name}"


def inferred_attrs(definition: Any) -> set[str]:
    """The attrs that follow from the inputs."""
    return {attr for argument in definition["inputs"] for attr in argument[2:5] if attr}


def _changed(value: Any, place: tuple[int, ...], new: Any) -> Any:
    if isinstance(value, Node):
        return value.with_input(place, new)
    rest = new if len(place) == 1 else _changed(value[place[0]], place[1:], new)
    return [rest if i == place[0] else old for i, old in enumerate(value)]


def places(value: Any, around: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yields each input of a node and of the nodes in it, with its place."""
    for i, item in enumerate(value.inputs if isinstance(value, Node) else value):
        place = (*around, i)
        if not isinstance(item, list):
            yield place, item
        if isinstance(item, (list, Node)):
            yield from places(item, place)


def node(op: str, *inputs: Any, **attrs: Any) -> Any:
    """A node of an op, or the result of its execution."""
    return apply_op(op_spec(op), None, inputs, attrs)


@dataclass(frozen=True)
class DatasetRow:
    """A dataset and its elements.

    made: its node.
    elements: what iterators yield, an array or list for each component; the class of an error in place of an element.
    cardinality: what DatasetCardinality yields: -1 for a sequence without end, -2 if the number is unknown.
    ends: whether the sequence ends after `elements`.
    ordered: whether elements come in this order; if not, all that come are among them.
    saves: whether the position of an iterator can be saved.
    needs_memory: whether iterators request memory.
    about: the op that the row is about, if that is not the one of `made`, which then makes its elements readable.
    other_names: earlier names of this op, which have the same kernel.
    """

    made: Node
    elements: tuple[Any, ...]
    cardinality: int
    ends: bool = True
    ordered: bool = True
    saves: bool = True
    needs_memory: bool = True
    about: str = ""
    other_names: tuple[str, ...] = ()

    @property
    def op(self) -> str:
        return self.about or self.made.op

    def named(self, name: str) -> DatasetRow:
        """The row of an earlier name."""
        return replace(self, made=self.made.named(self.op, name))

    def expected(self) -> list[Any]:
        """The elements as lists of lists; errors as the names of their classes."""
        elements = placed(self.elements)
        return [e.__name__ if isinstance(e, type) else plain(e if isinstance(e, tuple) else (e,)) for e in elements]


def plain(value: Any) -> Any:
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else np.asarray(value).tolist()


def all_dataset_rows() -> Iterator[tuple[str, DatasetRow]]:
    """Yields every row with a unique name."""
    for path in sorted(Path(__file__).parent.glob("data_rows*.py")):
        for number, row in enumerate(importlib.import_module(path.stem).ROWS):
            yield f"{row.op}-{path.stem.removeprefix('data_rows')}{number}", row


def dataset_ops() -> set[str]:
    """The ops of the rows, and the ops that every check of a row uses."""
    return USED.union(*({*row.made.ops(), *row.other_names} for _, row in all_dataset_rows()))


# What `data_cases.py` runs for each row.
USED = {
    "AnonymousIterator",
    "AnonymousIteratorV2",
    "DatasetCardinality",
    "DeleteIterator",
    "DeserializeIterator",
    "ExperimentalDatasetCardinality",
    "IteratorGetNext",
    "IteratorGetNextAsOptional",
    "IteratorGetNextSync",
    "IteratorV2",
    "MakeIterator",
    "SerializeIterator",
}
