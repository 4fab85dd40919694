"""Advice appended to errors of failed steps: names the variable or placeholder, where it was created, and a remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tinytf._src.framework.errors.wait_advice import about_wait, is_timeout
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.sites.creation_line import creation_line, made_at

_UNINITIALIZED = re.compile(
    r"Attempting to use uninitialized value (\S+)"
    r"|Attempting to use uninitialized variables: ([^\s,]+)"
    r"|Error while reading resource variable (\S+) from Container"
    r"|Resource [^/\s]+/(\S+)/[^/\s]+ does not exist"
    r"|Could not find resource: [^/\s]+/([^\s)]+)"
)
_UNFED = re.compile(r"You must feed a value for placeholder tensor '([^']+)'")
_COLLECTIONS = {  # of variables, with the functions that initialize all of a collection
    GraphKeys.GLOBAL_VARIABLES: "tf.global_variables_initializer",
    GraphKeys.LOCAL_VARIABLES: "tf.local_variables_initializer",
    GraphKeys.TRAINABLE_VARIABLES: "",
    GraphKeys.MODEL_VARIABLES: "",
}
_MOST_FEEDS = 8  # number of feeds to name


def advice(graph: Any, message: str, feeds: Iterable[Any] | None) -> str:
    """The text to append to a runtime message; '' if there is none. `feeds`: the keys of the run's feed dict, if
    known."""
    match = _UNINITIALIZED.search(message)
    if match is not None:
        return _about_variable(graph, next(name for name in match.groups() if name))
    match = _UNFED.search(message)
    if match is not None:
        return _about_placeholder(graph, match[1], feeds)
    return about_wait(graph, message) if is_timeout(message) else ""


# -- Variables without a value -----------------------------------------------------------------------------------------


def _about_variable(graph: Any, name: str) -> str:
    op = _variable_op(graph, name)
    if op is None:
        return ""
    text = f"\n\nVariable {name!r}{made_at(op)} has no value in this session yet: "
    variable, collection_initializer = _known_variable(graph, op)
    if variable is None:
        return text + "run its initializer first (the variable is in no collection of variables)."
    python_name = name if name.isidentifier() else "variable"
    text += f"run its initializer first, e.g. sess.run({python_name}.initializer)"
    if collection_initializer:
        text += f" or sess.run({collection_initializer}())"
    return text + "." + _about_stale_initializer(graph, op, variable.initializer, collection_initializer)


def _variable_op(graph: Any, name: str) -> Any:
    op = graph._nodes.named(name)
    if op is not None and op._spec.is_variable:
        return op
    for op in graph.get_operations():  # a resource variable is identified by its shared name
        if _is_resource_variable(op) and op.get_attr("shared_name") == name.encode():
            return op
    return None


def _is_resource_variable(op: Any) -> bool:
    return op._spec.is_variable and not op._spec.outputs[0].is_ref


def _known_variable(graph: Any, op: Any) -> tuple[Any, str]:
    """The Python variable of a node, and the function whose operation initializes it; (None, '') if unknown."""
    for collection, initializer in _COLLECTIONS.items():
        for variable in graph.get_collection(collection):
            if getattr(variable, "op", None) is op:
                return variable, initializer
    return None, ""


def _about_stale_initializer(graph: Any, op: Any, initializer: Any, function: str) -> str:
    """Advice about an operation that initializes many variables and was created before this variable."""
    stale, initializers = None, _initializers(graph)
    for group in graph.get_operations() if function else ():
        spec = group._spec
        if spec.inputs or spec.outputs or not group.name.rpartition("/")[2].startswith("init"):
            continue
        controls = group.control_inputs
        if initializer in controls:
            return ""
        if group._id < op._id and not initializers.isdisjoint(controls):
            stale = group
    if stale is None:
        return ""
    return (
        f" The operation {stale.name!r}{made_at(stale)} initializes only variables that existed before it: call "
        f"{function}() when all variables are made."
    )


def _initializers(graph: Any) -> set[Any]:
    variables = [v for collection in _COLLECTIONS for v in graph.get_collection(collection)]
    return {getattr(v, "initializer", None) for v in variables} - {None}


# -- Placeholders without a value --------------------------------------------------------------------------------------


def _about_placeholder(graph: Any, name: str, feeds: Iterable[Any] | None) -> str:
    op = graph._nodes.named(name)
    if op is None:
        return ""
    text = f"\n\nPlaceholder {name!r}{made_at(op)} was not fed"
    if feeds is None:
        return text + "."
    fed = list(_leaves(feeds))
    if not fed:
        return f"{text}: the call has no feeds. Pass feed_dict={{{name if name.isidentifier() else repr(name + ':0')}: …}}."
    shown = [_feed_key(graph, key) for key in fed[:_MOST_FEEDS]]
    more = f" and {len(fed) - _MOST_FEEDS} more" if len(fed) > _MOST_FEEDS else ""
    return f"{text}; the call feeds {', '.join(shown)}{more}." + _about_twin(name, fed)


def _leaves(keys: Iterable[Any]) -> Iterable[Any]:
    for key in keys:
        if isinstance(key, (tuple, list)):
            yield from _leaves(key)
        else:
            yield key


def _name_of(key: Any) -> str:
    name = key if isinstance(key, str) else getattr(key, "name", None)
    return name if isinstance(name, str) else repr(key)


def _feed_key(graph: Any, key: Any) -> str:
    name = _name_of(key)
    op = graph._nodes.named(name.rpartition(":")[0])
    line = creation_line(op) if op is not None else ""
    return f"{name!r} ({line})" if line else repr(name)


def _about_twin(name: str, fed: list[Any]) -> str:
    """Advice about two placeholders whose names differ by a number only: the program, or a notebook cell, ran twice."""
    for key in fed:
        other = _name_of(key).rpartition(":")[0]
        if other != name and re.sub(r"_\d+$", "", other) == re.sub(r"_\d+$", "", name):
            return (
                f" {other!r} and {name!r} may be one placeholder created twice: running a notebook cell again adds to the "
                "graph, unless tf.reset_default_graph() is called first."
            )
    return ""
