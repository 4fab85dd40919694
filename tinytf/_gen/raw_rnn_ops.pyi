"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.rnn_ops import _BlockLSTMOutputs, _BlockLSTMGradOutputs, _BlockLSTMGradV2Outputs, _BlockLSTMV2Outputs, _GRUBlockCellOutputs, _GRUBlockCellGradOutputs, _LSTMBlockCellOutputs, _LSTMBlockCellGradOutputs

def BlockLSTM(*, seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, forget_bias: float | None = 1, cell_clip: float | None = 3, use_peephole: bool | None = False, name: str | None = None) -> _BlockLSTMOutputs:
    """Runs an LSTM over the first `seq_len_max` steps of `x` [time_len, batch, inputs]. Each step is computed as by `LSTMBlockCell`. The outputs are [time_len, batch, units], with zeros after the last step that is run; `seq_len_max` must be in [0, time_len]."""

def BlockLSTMGrad(*, seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, i: TensorLike, cs: TensorLike, f: TensorLike, o: TensorLike, ci: TensorLike, co: TensorLike, h: TensorLike, cs_grad: TensorLike, h_grad: TensorLike, use_peephole: bool, name: str | None = None) -> _BlockLSTMGradOutputs:
    """Computes the gradients of `BlockLSTM` from the gradients of its outputs `cs` and `h` in the first `seq_len_max` steps. The gradients with respect to `wci`, `wcf` and `wco` are zeros without `use_peephole`. Clipping of `cs` is ignored."""

def BlockLSTMGradV2(*, seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, i: TensorLike, cs: TensorLike, f: TensorLike, o: TensorLike, ci: TensorLike, co: TensorLike, h: TensorLike, cs_grad: TensorLike, h_grad: TensorLike, use_peephole: bool, name: str | None = None) -> _BlockLSTMGradV2Outputs:
    """Computes the gradients of `BlockLSTMV2` from the gradients of its outputs `cs` and `h` in the first `seq_len_max` steps. The gradients with respect to `wci`, `wcf` and `wco` are zeros without `use_peephole`. Clipping of `cs` is ignored."""

def BlockLSTMV2(*, seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, cell_clip: float | None = 0, use_peephole: bool | None = False, name: str | None = None) -> _BlockLSTMV2Outputs:
    """Runs an LSTM over the first `seq_len_max` steps of `x` [time_len, batch, inputs]. Each step is computed as by `LSTMBlockCell`, with gates in the order `i, f, ci, o` and no `forget_bias`. The outputs are [time_len, batch, units], with zeros after the last step that is run; `seq_len_max` must be in [0, time_len]."""

def GRUBlockCell(*, x: TensorLike, h_prev: TensorLike, w_ru: TensorLike, w_c: TensorLike, b_ru: TensorLike, b_c: TensorLike, name: str | None = None) -> _GRUBlockCellOutputs:
    """Computes one step of a GRU: `r, u = split(sigmoid([x, h_prev] @ w_ru + b_ru), 2, axis=1)`, `c = tanh([x, h_prev * r] @ w_c + b_c)` and `h = (1 - u) * c + u * h_prev`. `x` is [batch, inputs], `h_prev` [batch, units], `w_ru` [inputs + units, 2 * units], `w_c` [inputs + units, units], `b_ru` [2 * units], `b_c` [units]."""

def GRUBlockCellGrad(*, x: TensorLike, h_prev: TensorLike, w_ru: TensorLike, w_c: TensorLike, b_ru: TensorLike, b_c: TensorLike, r: TensorLike, u: TensorLike, c: TensorLike, d_h: TensorLike, name: str | None = None) -> _GRUBlockCellGradOutputs:
    """Computes the gradients of `GRUBlockCell` with respect to `x` and `h_prev`, and with respect to the pre-activations: `d_c_bar` [batch, units] for `c`, and `d_r_bar_u_bar` [batch, 2 * units] for `r` and `u`."""

def LSTMBlockCell(*, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, forget_bias: float | None = 1, cell_clip: float | None = 3, use_peephole: bool | None = False, name: str | None = None) -> _LSTMBlockCellOutputs:
    """Computes one step of an LSTM: `i, ci, f, o = split([x, h_prev] @ w + b, 4, axis=1)`, where with `use_peephole` `cs_prev * wci` and `cs_prev * wcf` are added to `i` and `f`; then `i = sigmoid(i)`, `ci = tanh(ci)`, `f = sigmoid(f + forget_bias)`, `cs = ci * i + cs_prev * f`, clipped to [-cell_clip, cell_clip] if `cell_clip` is positive, `o = sigmoid(o)`, or with `use_peephole` `sigmoid(o + cs * wco)`, `co = tanh(cs)` and `h = co * o`. `x` is [batch, inputs], `cs_prev` and `h_prev` are [batch, units], `w` is [inputs + units, 4 * units], `b` [4 * units], and `wci`, `wcf` and `wco` are [units]."""

def LSTMBlockCellGrad(*, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, i: TensorLike, cs: TensorLike, f: TensorLike, o: TensorLike, ci: TensorLike, co: TensorLike, cs_grad: TensorLike, h_grad: TensorLike, use_peephole: bool, name: str | None = None) -> _LSTMBlockCellGradOutputs:
    """Computes the gradients of `LSTMBlockCell` with respect to `cs_prev`, with respect to the pre-activations of the gates as `dicfo` [batch, 4 * units], and with respect to `wci`, `wcf` and `wco`, which are zeros without `use_peephole`. Clipping of `cs` is ignored."""
