"""Which way branches and loops of graphs are built. Those of functions are nodes in any case."""

from __future__ import annotations

from tinytf.eager.control_flow.branches import build_branches
from tinytf.eager.control_flow.loops import build_while
from tinytf.exports import tf_export
from tinytf.ops.control_flow.version import nodes


def hand_down() -> None:
    """Lets loops and conditions be built as nodes: to be called before a function is traced."""
    nodes.build_branches, nodes.build_while = build_branches, build_while


@tf_export("enable_control_flow_v2")
def enable_control_flow_v2() -> None:
    """From now on branches and loops are If and While nodes, whose parts are functions."""
    hand_down()
    nodes.is_wanted = True


@tf_export("disable_control_flow_v2")
def disable_control_flow_v2() -> None:
    """From now on branches and loops of graphs are made of TensorFlow's primitives, as they are at first."""
    nodes.is_wanted = False


@tf_export("control_flow_v2_enabled")
def control_flow_v2_enabled() -> bool:
    """Whether branches and loops of graphs are If and While nodes."""
    return nodes.is_wanted
