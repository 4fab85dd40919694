"""Selects how control flow of graphs is built. Functions always use functional control flow."""

from __future__ import annotations

from tinytf._src.eager.control_flow.branches import build_branches
from tinytf._src.eager.control_flow.loops import build_while
from tinytf._src.exports import tf_export
from tinytf._src.ops.control_flow.version import nodes


def hand_down() -> None:
    """Installs the builders of functional control flow; to be called before a function is traced."""
    nodes.build_branches, nodes.build_while = build_branches, build_while


@tf_export("enable_control_flow_v2")
def enable_control_flow_v2() -> None:
    """Makes `tf.cond` and `tf.while_loop` build functional If and While nodes in graphs, from now on."""
    hand_down()
    nodes.is_wanted = True


@tf_export("disable_control_flow_v2")
def disable_control_flow_v2() -> None:
    """Makes `tf.cond` and `tf.while_loop` build Switch and Merge primitives in graphs, the default, from now on."""
    nodes.is_wanted = False


@tf_export("control_flow_v2_enabled")
def control_flow_v2_enabled() -> bool:
    """Returns whether control flow of graphs is built as If and While nodes."""
    return nodes.is_wanted
