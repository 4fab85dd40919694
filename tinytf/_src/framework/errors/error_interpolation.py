"""Converts runtime messages for users: node tags are replaced by the lines that created the nodes.

A graph is any object with `get_operation_by_name(name)`, which raises KeyError for unknown names. An operation has
`name`, `inputs` (tensors with `.op`), `control_inputs`, `node_def`, `_original_op` and `traceback`: frames (filename,
line number, function, source line), outermost first, the source line optional.
"""

from __future__ import annotations

import linecache
import os
import re
import traceback
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.sites.creation_line import (
    cell_name,
    defining_frame,
    files_of,
    frames_of,
    is_users_file,
    place,
)
from tinytf._src.framework.sites.function_callers import caller_of, graph_of

_NAME = r"[A-Za-z0-9_.][A-Za-z0-9_.\-/]*"
_TAG = re.compile(rf"\{{\{{(?:(?P<type>{_NAME}) (?P<name>{_NAME})|function_node (?P<function>[^{{}}]+))\}}\}}")
_FIRST_TAGGED_NODE = re.compile(r"\[\[\{\{node ([^\}\] ]*)\}\}")
_FIRST_NODE = re.compile(r"\[\[(?:Node: )?(?:\{\{node )?([^\}\] ]*)")

_NHWC_HINT = (
    "\nA possible workaround: Try disabling Grappler optimizer"
    "\nby modifying the config for creating the session eg."
    "\nsession_config.graph_options.rewrite_options.disable_meta_optimizer = True"
)


class Tag(NamedTuple):
    """A tag `{{type name}}` in a message."""

    type: str
    name: str


def parse_message(message: str) -> tuple[list[str], list[Tag]]:
    """Splits a message at its tags: n + 1 separators around n tags."""
    separators, tags, position = [], [], 0
    for match in _TAG.finditer(message):
        separators.append(message[position : match.start()])
        function = match["function"]
        tags.append(Tag("function_node", function) if function else Tag(match["type"], match["name"]))
        position = match.end()
    return separators + [message[position:]], tags


def node_name_in_message(message: str) -> str | None:
    """The name in the first `[[…]]` of a runtime message, which is the node that failed; None if there is none.

    Text before the first tagged node may be foreign, for example from an exception of a Python function.
    """
    match = _FIRST_TAGGED_NODE.search(message) or _FIRST_NODE.search(message)
    return match.group(1) or None if match else None


def make_op_error(graph: Any, error_code: int, message: str, feeds: Iterable[Any] | None = None) -> errors_impl.OpError:
    """The exception for a failed step: the node is looked up in `graph`, and the tags of the message are replaced.

    `feeds` are the keys of the run's feed dict, if known; the advice at the end of the message may name them.
    """
    from tinytf._src.framework.errors.error_advice import advice

    op = _find(*_first_node(graph, message))
    text = interpolate(message, graph) + ("" if graph is None else advice(graph, message, feeds))
    if "only supports NHWC tensor format" in text:
        text += _NHWC_HINT
    return errors_impl.make_specific_exception(None, op, text, error_code)


def interpolate(error_message: str, graph: Any) -> str:
    """Replaces the tags of a runtime message.

    `{{node N}}` becomes `node N (defined at FILE:LINE) `, with the lines of its inputs at the end of the message;
    `{{colocation_node N}}` also names the requested devices; `{{function_node F}}` is removed. Tags of nodes that the
    graph lacks stay. The node behind `{{function_node F}}` is one of function F; if F belongs to a stage of an input
    pipeline, the end of the message says where the program made the stage.
    """
    separators, tags = parse_message(error_message)
    if not tags:
        return error_message
    ops = [_find(inside, tag.name) for inside, tag in zip(_graphs_of(graph, tags), tags, strict=True)]
    prefix = common_file_prefix([[op, *_input_ops(op)] for op in ops if op is not None])
    output, sources, colocations = [separators[0]], [], []
    for tag, op, separator in zip(tags, ops, separators[1:], strict=True):
        text = f"{{{{{tag.type} {tag.name}}}}}"
        if tag.type == "function_node":
            text = ""
            separator = separator.removeprefix(" ") if not "".join(output) else separator
        elif op is not None and tag.type == "node":
            text = f"node {tag.name}{_defined_at(op, prefix)} "
            sources += _input_sources(op, prefix)
        elif op is not None and tag.type == "colocation_node":
            devices = _device_summary(op)
            text = f"node {op.name}{_defined_at(op, prefix)} placed on device {devices} "
            colocations.append(_colocation_summary(op) + "\n" + devices)
        output += [text, separator]
    if sources:
        output += ["\n\nErrors may have originated from an input operation.", "\n".join(sources)]
    if colocations:
        output += ["Additional information about colocations:", "\n".join(colocations)]
    callers = [caller_of(tag.name) for tag in reversed(tags) if tag.type == "function_node"]
    output += [f"\n\nThe error is in the function of {caller}." for caller in dict.fromkeys(callers) if caller]
    return "".join(output)


def original_stack_trace(op: Any) -> str:
    """Where `op` was created, and, for an operation of a gradient, where the forward operation was created."""
    lines = _format_traceback(op)
    output = [f"\n\nOriginal stack trace for {op.name!r}:\n", *lines]
    while (original := getattr(op, "_original_op", None)) is not None:
        previous, lines, op = lines, _format_traceback(original), original
        output.append(f"\n...which was originally created as op {op.name!r}, defined at:\n")
        same = 0
        while same < min(len(lines), len(previous)) and lines[same] == previous[same]:
            same += 1
        if same > 2:
            elided = f"[elided {same - 2} identical lines from previous traceback]\n"
            output += [lines[0], elided, *lines[same - 1 :]]
        else:
            output += lines
    return "".join(output)


def common_file_prefix(groups: Iterable[Iterable[Any]]) -> str:
    """The directory that contains all files in the tracebacks of these operations, with a separator at its end, or
    ''."""
    files = {file for ops in groups for op in ops for file in files_of(op) if "<embedded" not in file}
    directory = os.path.dirname(os.path.commonprefix(list(files)))
    return directory + os.sep if directory not in ("", os.sep) else ""


def _graphs_of(graph: Any, tags: list[Tag]) -> list[Any]:
    """For each tag, the graph that has the node: the function that the last `function_node` before it names, if it is
    known; that function belongs to the next node only."""
    graphs, inside = [], None
    for tag in tags:
        if tag.type == "function_node":
            inside = graph_of(tag.name)
        graphs.append(graph if inside is None else inside)
        if tag.type != "function_node":
            inside = None
    return graphs


def _first_node(graph: Any, message: str) -> tuple[Any, str | None]:
    """The graph and name of the node that failed."""
    name = node_name_in_message(message)
    _, tags = parse_message(message)
    for inside, tag in zip(_graphs_of(graph, tags), tags, strict=True):
        if tag == ("node", name):
            return inside, name
    return graph, name


def _find(graph: Any, name: str | None) -> Any:
    if name is None or graph is None:
        return None
    try:
        return graph.get_operation_by_name(name)
    except (KeyError, ValueError):
        nodes = getattr(graph, "_nodes", None)
        return None if nodes is None else nodes.told_of(name)


def _input_ops(op: Any) -> list[Any]:
    return list(dict.fromkeys([tensor.op for tensor in op.inputs] + list(op.control_inputs)))


def _strip(filename: str, prefix: str) -> str:
    return filename[len(prefix) :] if filename.startswith(prefix) else filename


def _defined_at(op: Any, prefix: str) -> str:
    frame = defining_frame(op)
    return "" if frame is None else f" (defined at {place(_strip(frame[0], prefix), frame[1], frame[0])})"


def _input_sources(op: Any, prefix: str) -> list[str]:
    seen, lines = {_defined_at(op, prefix)}, []
    for source in _input_ops(op):
        place = _defined_at(source, prefix)
        if place not in seen:
            seen.add(place)
            lines.append(f" {source.name}{place}")
    if not lines:
        return []
    return [f"\nInput Source operations connected to node {op.name}:\n" + "\t\n".join(lines)]


def _device_summary(op: Any) -> str:
    """The open `tf.device` scopes; each item of `op._device_assignments` has `obj`, `filename` and `lineno`."""
    assignments = getattr(op, "_device_assignments", None)
    if not assignments:
        return f"No device assignments were active during op '{op.name}' creation."
    lines = [f"  with tf.device({a.obj}): <{a.filename}:{a.lineno}>" for a in assignments]
    return "\n".join([f"Device assignments active during op '{op.name}' creation:", *lines])


def _colocation_summary(op: Any) -> str:
    """The open colocation scopes; `op._colocation_dict` maps names to objects with `filename` and `lineno`."""
    colocations = getattr(op, "_colocation_dict", None)
    if not colocations:
        return f"No node-device colocations were active during op '{op.name}' creation."
    lines = [f"  with tf.colocate_with({n}): <{at.filename}:{at.lineno}>" for n, at in colocations.items()]
    return "\n".join([f"Node-device colocations active during op '{op.name}' creation:", *lines])


def _format_traceback(op: Any) -> list[str]:
    prefix = common_file_prefix([[op]])
    return traceback.format_list(
        [
            (
                cell_name(f[0]) or _strip(f[0], prefix),
                f[1],
                f[2],
                f[3] if len(f) > 3 else linecache.getline(f[0], f[1]).strip(),
            )
            for f in _users_frames(frames_of(op))
        ]
    )


def _users_frames(frames: Sequence[Any]) -> Sequence[Any]:
    """The frames of the user's program: without frames of this package, of program launchers, and, in notebooks, of
    code around the cell. All frames if none would remain."""
    own = [f for f in frames if is_users_file(f[0]) and not f[0].startswith("<frozen ")]
    first_cell = next((i for i, f in enumerate(own) if cell_name(f[0])), 0)
    return own[first_cell:] or frames


errors_impl.OpError._origin = staticmethod(original_stack_trace)
