"""Describes the part of a partitioned variable that one of its pieces holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src import protos
from tinytf._src.framework.scopes.name_scope import prepend_name_scope, strip_name_scope


class SaveSliceInfo:
    """The part of a variable that a piece holds, for savers; `tf.Variable.SaveSliceInfo`.

    Args:
      full_name: str, name of the whole variable.
      full_shape: list of ints, shape of the whole variable.
      var_offset: list of ints, offset of the piece.
      var_shape: list of ints, shape of the piece.
      save_slice_info_def: SaveSliceInfoDef from which all four are read, if given.
      import_scope: str, name scope prepended to the name that is read.
    """

    def __init__(
        self,
        full_name: str | None = None,
        full_shape: Sequence[int] | None = None,
        var_offset: Sequence[int] | None = None,
        var_shape: Sequence[int] | None = None,
        save_slice_info_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if save_slice_info_def is not None:
            full_name = prepend_name_scope(save_slice_info_def.full_name, import_scope)
            full_shape = list(save_slice_info_def.full_shape)
            var_offset = list(save_slice_info_def.var_offset)
            var_shape = list(save_slice_info_def.var_shape)
        self.full_name: Any = full_name
        self.full_shape: Any = full_shape
        self.var_offset: Any = var_offset
        self.var_shape: Any = var_shape

    @property
    def spec(self) -> str:
        """The piece in the notation of checkpoints: full shape and `offset,length` per dimension, for example "5 3
        0,3:0,3"."""
        shape = "".join(f"{size} " for size in self.full_shape)
        return shape + ":".join(f"{o},{s}" for o, s in zip(self.var_offset, self.var_shape, strict=True))

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A SaveSliceInfoDef whose name is relative to `export_scope`; None if the variable is not in that scope."""
        if export_scope is not None and not self.full_name.startswith(export_scope):
            return None
        return protos.SaveSliceInfoDef(
            full_name=strip_name_scope(self.full_name, export_scope),
            full_shape=self.full_shape,
            var_offset=self.var_offset,
            var_shape=self.var_shape,
        )
