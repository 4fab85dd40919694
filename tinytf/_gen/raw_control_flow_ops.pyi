"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.control_flow_ops import _MergeOutputs, _RefMergeOutputs, _RefSwitchOutputs, _SwitchOutputs

def Abort(*, error_msg: str | bytes | None = '', exit_without_error: bool | None = False, name: str | None = None) -> Operation:
    """Ends the process when it runs: by an abort with `error_msg`, or with a successful exit if `exit_without_error` is true."""

def ControlTrigger(*, name: str | None = None) -> Operation:
    """Does nothing, like NoOp, but is live even if its inputs are dead."""

def Enter(*, data: TensorLike, frame_name: str | bytes, is_constant: bool | None = False, parallel_iterations: int | None = 10, name: str | None = None) -> Tensor:
    """Passes `data` into the loop `frame_name`: to its first iteration, or to all iterations if `is_constant` is true."""

def Exit(*, data: TensorLike, name: str | None = None) -> Tensor:
    """Passes `data` out of the loop."""

def LoopCond(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Passes `input` on as the condition of a loop."""

def Merge(*, inputs: Sequence[TensorLike], name: str | None = None) -> _MergeOutputs:
    """Passes on the first input that is not dead, as soon as it is available, as `output`, and its index as `value_index`."""

def NextIteration(*, data: TensorLike, name: str | None = None) -> Tensor:
    """Passes `data` to the next iteration of the loop."""

def NoOp(*, name: str | None = None) -> Operation:
    """Does nothing. It serves as a common target or source of control edges."""

def RefEnter(*, data: RefLike, frame_name: str | bytes, is_constant: bool | None = False, parallel_iterations: int | None = 10, name: str | None = None) -> Tensor:
    """Passes the reference `data` into the loop `frame_name`: to its first iteration, or to all iterations if `is_constant` is true."""

def RefExit(*, data: RefLike, name: str | None = None) -> Tensor:
    """Passes the reference `data` out of the loop."""

def RefMerge(*, inputs: Sequence[RefLike], name: str | None = None) -> _RefMergeOutputs:
    """Passes on the first reference that is not dead as `output`, and its index as `value_index`."""

def RefNextIteration(*, data: RefLike, name: str | None = None) -> Tensor:
    """Passes the reference `data` to the next iteration of the loop."""

def RefSelect(*, index: TensorLike, inputs: Sequence[RefLike], name: str | None = None) -> Tensor:
    """Passes on the reference at position `index` of `inputs`."""

def RefSwitch(*, data: RefLike, pred: TensorLike, name: str | None = None) -> _RefSwitchOutputs:
    """Passes the reference `data` to `output_true` if `pred` is true, else to `output_false`. The other output is dead."""

def Switch(*, data: TensorLike, pred: TensorLike, name: str | None = None) -> _SwitchOutputs:
    """Passes `data` to `output_true` if `pred` is true, else to `output_false`. The other output is dead: its consumers do not run."""
