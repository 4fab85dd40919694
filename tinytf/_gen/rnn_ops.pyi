"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

class _BlockLSTMOutputs(NamedTuple):
    i: Tensor
    cs: Tensor
    f: Tensor
    o: Tensor
    ci: Tensor
    co: Tensor
    h: Tensor
def block_lstm(seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, forget_bias: float | None = 1, cell_clip: float | None = 3, use_peephole: bool | None = False, name: str | None = None) -> _BlockLSTMOutputs: ...
class _BlockLSTMGradOutputs(NamedTuple):
    x_grad: Tensor
    cs_prev_grad: Tensor
    h_prev_grad: Tensor
    w_grad: Tensor
    wci_grad: Tensor
    wcf_grad: Tensor
    wco_grad: Tensor
    b_grad: Tensor
def block_lstm_grad(seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, i: TensorLike, cs: TensorLike, f: TensorLike, o: TensorLike, ci: TensorLike, co: TensorLike, h: TensorLike, cs_grad: TensorLike, h_grad: TensorLike, use_peephole: bool, name: str | None = None) -> _BlockLSTMGradOutputs: ...
class _BlockLSTMGradV2Outputs(NamedTuple):
    x_grad: Tensor
    cs_prev_grad: Tensor
    h_prev_grad: Tensor
    w_grad: Tensor
    wci_grad: Tensor
    wcf_grad: Tensor
    wco_grad: Tensor
    b_grad: Tensor
def block_lstm_grad_v2(seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, i: TensorLike, cs: TensorLike, f: TensorLike, o: TensorLike, ci: TensorLike, co: TensorLike, h: TensorLike, cs_grad: TensorLike, h_grad: TensorLike, use_peephole: bool, name: str | None = None) -> _BlockLSTMGradV2Outputs: ...
class _BlockLSTMV2Outputs(NamedTuple):
    i: Tensor
    cs: Tensor
    f: Tensor
    o: Tensor
    ci: Tensor
    co: Tensor
    h: Tensor
def block_lstmv2(seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, cell_clip: float | None = 0, use_peephole: bool | None = False, name: str | None = None) -> _BlockLSTMV2Outputs: ...
class _GRUBlockCellOutputs(NamedTuple):
    r: Tensor
    u: Tensor
    c: Tensor
    h: Tensor
def gru_block_cell(x: TensorLike, h_prev: TensorLike, w_ru: TensorLike, w_c: TensorLike, b_ru: TensorLike, b_c: TensorLike, name: str | None = None) -> _GRUBlockCellOutputs: ...
class _GRUBlockCellGradOutputs(NamedTuple):
    d_x: Tensor
    d_h_prev: Tensor
    d_c_bar: Tensor
    d_r_bar_u_bar: Tensor
def gru_block_cell_grad(x: TensorLike, h_prev: TensorLike, w_ru: TensorLike, w_c: TensorLike, b_ru: TensorLike, b_c: TensorLike, r: TensorLike, u: TensorLike, c: TensorLike, d_h: TensorLike, name: str | None = None) -> _GRUBlockCellGradOutputs: ...
class _LSTMBlockCellOutputs(NamedTuple):
    i: Tensor
    cs: Tensor
    f: Tensor
    o: Tensor
    ci: Tensor
    co: Tensor
    h: Tensor
def lstm_block_cell(x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, forget_bias: float | None = 1, cell_clip: float | None = 3, use_peephole: bool | None = False, name: str | None = None) -> _LSTMBlockCellOutputs: ...
class _LSTMBlockCellGradOutputs(NamedTuple):
    cs_prev_grad: Tensor
    dicfo: Tensor
    wci_grad: Tensor
    wcf_grad: Tensor
    wco_grad: Tensor
def lstm_block_cell_grad(x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, i: TensorLike, cs: TensorLike, f: TensorLike, o: TensorLike, ci: TensorLike, co: TensorLike, cs_grad: TensorLike, h_grad: TensorLike, use_peephole: bool, name: str | None = None) -> _LSTMBlockCellGradOutputs: ...
