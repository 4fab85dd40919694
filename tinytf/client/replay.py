"""`tf.replay`: runs a recorded step again, in a graph and session of its own, and compares node by node."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Any

from tinytf import _core, protos
from tinytf.client.feed import feed_array
from tinytf.client.record_damage import damage_if, damage_told
from tinytf.client.record_reader import RecordReader
from tinytf.client.recorded_step import RecordedStep
from tinytf.client.replay_report import NodeDifference, NonFiniteNode, Replay, Value, value_of
from tinytf.client.session import Session
from tinytf.framework import errors_impl
from tinytf.framework.graph import Graph
from tinytf.framework.importer import import_graph_def
from tinytf.framework.op_spec import op_spec
from tinytf.framework.tensor import Tensor

_Nodes = list[tuple[str, list[Any], list[Any], list[Any]]]  # as `DigestRecorder.take` gives them


def replay(path: str | os.PathLike[str], step: int = 0, config: Any = None, infinities: bool = True) -> Replay:
    """Runs a step that `Session.record` recorded once more, with the same bits on any number of threads.

    The step runs in a graph and a session of its own, from the recorded feeds, values of variables and states of random
    generators; neither the program that made the graph nor the session is needed. Outputs of nodes that look outside
    (dequeues, readers, Python functions, stored tensors) are the recorded ones; nodes that only change something outside
    (enqueues, saves) are left out; the rest of the graph runs as it is, so replay files only of those whose programs you
    would run. Steps that race with others, or with themselves, for a variable may differ; so may the last bits where
    kernels use other instructions than those of the record (`Replay.isa`).

    Args:
      path: the file.
      step: number of the step in it, from 0.
      config: a `ConfigProto` for the session, such as for its threads; rewriting of the graph is switched off in any case.
      infinities: whether `first_nan` looks for infinities too.

    Returns a `Replay`: `fetches` by name, `matches`, `first_difference`, `first_nan`, `error`. A step that fails is
    replayed to the same failure. DataLossError if the file is broken, IndexError if it has no such step,
    FileNotFoundError if it does not exist.
    """
    path = os.fspath(path)
    with RecordReader(path) as file:
        recorded = file.step(step)
        graph_def = file.graph_def(recorded.graph)
        lines = file.graph_lines[recorded.graph]
        feeds = {name: file.array(ref) for name, ref in recorded.feeds}
        kept = {name: [file.array(ref) for ref in refs] for name, refs in recorded.kept}
        variables = {name: None if ref is None else file.array(ref) for name, ref in recorded.variables}
    with damage_told(path):
        ops = {node.name: node.op for node in graph_def.node}
        feeds.update(_make_repeatable(graph_def, set(feeds), kept))
        graph = Graph()
        with graph.as_default(), damage_if(TypeError, ValueError, errors_impl.OpError):
            import_graph_def(graph_def, name="")
        with damage_if(KeyError, ValueError):
            fed = [graph.get_tensor_by_name(name) for name in feeds]
            fetched = [graph.get_tensor_by_name(name) for name in recorded.fetches]
            targets = [graph.get_operation_by_name(name) for name in recorded.targets]
        with damage_if(KeyError, TypeError, ValueError):
            fed_values = [feed_array(tensor, value) for tensor, value in zip(fed, feeds.values(), strict=True)]
    with Session(graph=graph, config=_unrewritten(config)) as session:
        with damage_told(path), damage_if(errors_impl.OpError):
            session._extend()
            prepared = session._prepare(fed, fetched, targets)
            for name, state in recorded.random_states:
                prepared.set_random_state(name, state)
            for name, value in variables.items():
                if value is not None:
                    prepared.set_variable(name, value)
        digests = _core.DigestRecorder(notes_inputs=True)
        error, values = None, []
        try:
            values, _ = prepared.call_with(fed_values, digests=digests)
        except errors_impl.OpError as e:
            error = session._explain(e)
        nodes = digests.take()
        after = dict(prepared.variable_digests())
    about = _About(graph, ops, lines)
    both_failed = error is not None and recorded.error is not None
    difference = _first_difference(about, recorded, nodes, None if both_failed else after)
    nan = _first_nan(about, nodes, infinities)
    return Replay(
        dict(zip(recorded.fetches, values)), difference, nan, error, recorded.error, _core.isa(), recorded.isa
    )


class _About:
    """What there is to tell of nodes."""

    def __init__(self, graph: Graph, ops: dict[str, str], lines: dict[str, str]) -> None:
        self.graph = graph
        self._ops = ops
        self.lines = lines

    def __call__(self, name: str) -> tuple[str, str, str]:
        """Name, op and line of a node of the recorded graph."""
        return name, self._ops.get(name, "?"), self.lines.get(name, "?")

    def inputs_of(self, name: str) -> list[Tensor]:
        """The inputs of a node."""
        return list(self.graph.get_operation_by_name(name).inputs)


def _unrewritten(config: Any) -> Any:
    """The config for a session that runs each node of the graph, so that each can be compared."""
    own = protos.ConfigProto()
    if config is not None:
        own.CopyFrom(config)
    own.graph_options.rewrite_options.disable_meta_optimizer = True
    return own


def _make_repeatable(graph_def: Any, fed: set[str], kept: dict[str, list[Any]]) -> dict[str, Any]:
    """Cuts a graph off from the world; returns what is to be fed besides.

    A node whose outputs were kept passes on what it is fed; one that only changes the world does nothing. Both wait for
    the same nodes as before.
    """
    names = {node.name for node in graph_def.node}
    feeds: dict[str, Any] = {}
    declared = set(_core.op_names())
    for node in list(graph_def.node):
        node.device = ""
        if node.op not in declared:  # who imports it will say so
            continue
        spec = op_spec(node.op)
        is_kept = spec.reads_world and node.name in kept
        if not is_kept and (spec.outputs or not spec.writes_world):
            continue
        waits = dict.fromkeys(_control_input(text) for text in node.input if _tensor_name(text) not in fed)
        del node.input[:]
        node.attr.clear()
        node.op = "NoOp"
        if is_kept:
            node.op = "IdentityN"
            for i, value in enumerate(kept[node.name]):
                own = f"{node.name}/replayed_{i}"
                while own in names:
                    own += "_"
                names.add(own)
                dtype = _type_number(value)
                placeholder = graph_def.node.add(name=own, op="Placeholder")
                placeholder.attr["dtype"].type = dtype
                placeholder.attr["shape"].shape.CopyFrom(
                    protos.TensorShapeProto(dim=[protos.TensorShapeProto.Dim(size=size) for size in value.shape])
                )
                node.attr["T"].list.type.append(dtype)
                node.input.append(own)
                feeds[f"{own}:0"] = value
        node.input.extend(waits)
    return feeds


def _tensor_name(text: str) -> str:
    """The name of the tensor that a NodeDef's input is; of a control input, something that is none."""
    return text if text.startswith("^") or ":" in text else f"{text}:0"


def _control_input(text: str) -> str:
    return "^" + text.lstrip("^").partition(":")[0]


def _type_number(value: Any) -> int:
    from tinytf.framework import dtypes

    return dtypes.as_dtype(value.dtype).as_datatype_enum


def _first_difference(
    about: _About, recorded: RecordedStep, nodes: _Nodes, variables_after: dict[str, int] | None
) -> NodeDifference | None:
    """In the order in which nodes ran when they were recorded.

    Without `variables_after` the step failed both times: then nodes may have run in one of them only.
    """
    replayed: dict[str, list[list[Any]]] = defaultdict(list)
    for name, outputs, _, _ in nodes:
        replayed[name].append(outputs)
    for name, outputs in recorded.nodes:
        runs = replayed.get(name)
        if runs:
            now = runs.pop(0)
            if [output[0] for output in now] == [output[0] for output in outputs]:
                continue
            return NodeDifference(*about(name), _values(outputs), _values(now))
        if variables_after is not None:
            return NodeDifference(*about(name), _values(outputs), None)
    if variables_after is not None and recorded.error is None:
        for name, digest in recorded.variables_after:
            if variables_after.get(name) != digest:
                return NodeDifference(*about(name), (), ())
    return None


def _first_nan(about: _About, nodes: _Nodes, infinities: bool) -> NonFiniteNode | None:
    """The source of the first value that is not finite, in the order in which nodes ran."""
    ran = {name for name, _, _, _ in nodes}
    for name, outputs, inputs, _ in nodes:
        yielded, given = _values(outputs), _values(inputs)
        if not any(_is_bad(value, infinities) for value in yielded):
            continue
        tensors = about.inputs_of(name)
        for tensor, value in zip(tensors, given):
            source = tensor.op.name
            if _is_bad(value, infinities) and source not in ran and source in about.lines:  # was fed, or is a constant
                return NonFiniteNode(*about(source), (value,), {})
        by_name = {tensor.name: value for tensor, value in zip(tensors, given) if tensor.op.name in about.lines}
        return NonFiniteNode(*about(name), yielded, by_name)
    return None


def _is_bad(value: Value, infinities: bool) -> bool:
    return value.nans > 0 or (infinities and value.infinities > 0)


def _values(fields: list[Any]) -> tuple[Value, ...]:
    return tuple(value_of(one) for one in fields)
