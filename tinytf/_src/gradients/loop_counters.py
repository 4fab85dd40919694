"""Counts the iterations of a loop, and builds the backward loop with the same number of iterations."""

from __future__ import annotations

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops.control_flow.added_variables import enter_variable, exit_variable, iterate
from tinytf._src.ops.control_flow.context import inside
from tinytf._src.ops.control_flow.primitives import merge, next_iteration, switch
from tinytf._src.ops.control_flow.while_context import WhileContext


def count_iterations(loop: WhileContext, after: Operation | None) -> tuple[Tensor, Tensor]:
    """Adds an iteration counter to a loop. Returns its final value, outside of the loop, and its NextIteration tensor.

    `after`, if given, is a control input of the counter's start.
    """
    zero = constant(0, name="f_count")
    if after is not None:
        zero.op._add_control_input(after)
    with inside(loop):
        entered = enter_variable(loop, zero, "f_count")
        [following], [last] = iterate(loop, [entered], lambda counts: [gen_ops.add(counts[0], 1)])
        return exit_variable(loop, last, "f_count"), following


def count_down(loop: WhileContext, count: Tensor) -> tuple[Tensor, Tensor]:
    """Turns a new context into a loop of `count` iterations. Returns the NextIteration tensor of the remaining count,
    and its value after the loop (0)."""
    one = constant(1, name="b_count")
    with inside(loop):
        entered = enter_variable(loop, count, "b_count")
        merged = merge([entered, entered])[0]
        loop._pivot_for_pred = merged
        loop._pivot = gen_ops.loop_cond(gen_ops.greater_equal(merged, one), name="b_count")
        off, on = switch(merged, loop.pivot)
        left = gen_ops.sub(on, one)
        loop._pivot_for_body = left
        following = next_iteration(left)
        merged.op._set_input(1, following)
        return following, exit_variable(loop, off, "b_count")
