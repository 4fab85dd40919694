"""Gradients of fused recurrent ops."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.slicing import slice as slice_of
from tinytf._src.ops.linalg.products import matmul


def _known(size: int | None, what: str, of: str) -> int:
    if size is None:
        raise ValueError(f"{what} from `{of}` should not be None.")
    return size


@gradient_of("LSTMBlockCell", free=True)
def _lstm_block_cell(op: Any, *grads: Any) -> Any:
    x, cs_prev, h_prev, w = op.inputs[:4]
    batch, inputs = x.shape.with_rank(2).as_list()
    batch = -1 if batch is None else batch
    inputs = _known(inputs, "input_size", "x")
    units = _known(cs_prev.shape.with_rank(2).as_list()[1], "cell_size", "cs_prev")
    given = [*op.inputs, *op.outputs[:6], grads[1], grads[6], op._raw_attr("use_peephole")]
    cs_prev_grad, gates, *seen = g.lstm_block_cell_grad(*given)
    joined = matmul(gates, w, transpose_b=True)
    x_grad = slice_of(joined, (0, 0), (batch, inputs))
    h_prev_grad = slice_of(joined, (0, inputs), (batch, units))
    w_grad = matmul(concat([x, h_prev], 1), gates, transpose_a=True)
    return x_grad, cs_prev_grad, h_prev_grad, w_grad, *seen, g.bias_add_grad(gates)


def _sequence(op: Any, grads: Any, backward: Any) -> Any:
    return None, *backward(*op.inputs, *op.outputs, grads[1], grads[6], op._raw_attr("use_peephole"))


@gradient_of("BlockLSTM")
def _block_lstm(op: Any, *grads: Any) -> Any:
    return _sequence(op, grads, g.block_lstm_grad)


@gradient_of("BlockLSTMV2")
def _block_lstm_v2(op: Any, *grads: Any) -> Any:
    # TensorFlow 1.15 uses the gradient of the first version, whose gates are in another order.
    return _sequence(op, grads, g.block_lstm_grad_v2)


@gradient_of("GRUBlockCell", free=True)
def _gru_block_cell(op: Any, *grads: Any) -> Any:
    x, h_prev = op.inputs[:2]
    r = op.outputs[0]
    given = [*op.inputs, *op.outputs[:3], grads[3]]
    x_grad, h_prev_grad, candidate, gates = g.gru_block_cell_grad(*given)
    w_ru_grad = matmul(concat([x, h_prev], 1), gates, transpose_a=True)
    b_ru_grad = g.bias_add_grad(gates)
    w_c_grad = matmul(concat([x, h_prev * r], 1), candidate, transpose_a=True)
    return x_grad, h_prev_grad, w_ru_grad, w_c_grad, b_ru_grad, g.bias_add_grad(candidate)
