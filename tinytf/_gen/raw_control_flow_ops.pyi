"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.control_flow_ops import _MergeOutputs, _RefMergeOutputs, _RefSwitchOutputs, _SwitchOutputs

def Abort(*, error_msg: str | bytes | None = '', exit_without_error: bool | None = False, name: str | None = None) -> Operation:
    """Ends the process when it is run: by an abort with `error_msg`, or without an error."""

def ControlTrigger(*, name: str | None = None) -> Operation:
    """NoOp that is alive even where its inputs are dead."""

def Enter(*, data: TensorLike, frame_name: str | bytes, is_constant: bool | None = False, parallel_iterations: int | None = 10, name: str | None = None) -> Tensor:
    """`data`, in the first iteration of the loop `frame_name`; in all of them if it `is_constant`."""

def Exit(*, data: TensorLike, name: str | None = None) -> Tensor:
    """`data`, outside of the loop."""

def LoopCond(*, input: TensorLike, name: str | None = None) -> Tensor:
    """`input`, as the condition of a loop."""

def Merge(*, inputs: Sequence[TensorLike], name: str | None = None) -> _MergeOutputs:
    """The first of the inputs that is not dead, as soon as it is there, and its number."""

def NextIteration(*, data: TensorLike, name: str | None = None) -> Tensor:
    """`data`, in the next iteration of the loop."""

def NoOp(*, name: str | None = None) -> Operation:
    """Does nothing; a place for control edges to meet."""

def RefEnter(*, data: RefLike, frame_name: str | bytes, is_constant: bool | None = False, parallel_iterations: int | None = 10, name: str | None = None) -> Tensor:
    """The reference `data`, in the loop `frame_name`."""

def RefExit(*, data: RefLike, name: str | None = None) -> Tensor:
    """The reference `data`, outside of the loop."""

def RefMerge(*, inputs: Sequence[RefLike], name: str | None = None) -> _RefMergeOutputs:
    """The first of the references that is not dead, and its number."""

def RefNextIteration(*, data: RefLike, name: str | None = None) -> Tensor:
    """The reference `data`, in the next iteration of the loop."""

def RefSelect(*, index: TensorLike, inputs: Sequence[RefLike], name: str | None = None) -> Tensor:
    """The reference number `index` of `inputs`."""

def RefSwitch(*, data: RefLike, pred: TensorLike, name: str | None = None) -> _RefSwitchOutputs:
    """The reference `data`, as the output that `pred` names; the other one is dead."""

def Switch(*, data: TensorLike, pred: TensorLike, name: str | None = None) -> _SwitchOutputs:
    """`data`, as the output that `pred` names. The other one is dead: what needs it does not run."""
