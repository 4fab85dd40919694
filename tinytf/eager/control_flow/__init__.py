"""Branches and loops whose parts are functions: nodes If, Case and While, which functions are built with."""

from tinytf.eager.control_flow.branches import build_branches
from tinytf.eager.control_flow.loops import build_while
from tinytf.ops.control_flow.version import nodes

nodes.build_branches = staticmethod(build_branches)
nodes.build_while = staticmethod(build_while)
