"""Which part of a partitioned variable one of its partitions is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf import protos
from tinytf.framework.name_scope import prepend_name_scope, strip_name_scope


class SaveSliceInfo:
    """What a saver writes about one partition, `tf.Variable.SaveSliceInfo`.

    Args:
      full_name: name of the whole variable.
      full_shape: shape of the whole variable.
      var_offset: where the partition begins in it, one number per dimension.
      var_shape: shape of the partition.
      save_slice_info_def: a SaveSliceInfoDef to read all four from.
      import_scope: name scope that the name read gets in front.
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
        """The partition as checkpoints name it: full shape and `offset,length` per dimension, "5 3 0,3:0,3"."""
        shape = "".join(f"{size} " for size in self.full_shape)
        return shape + ":".join(f"{o},{s}" for o, s in zip(self.var_offset, self.var_shape, strict=True))

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A SaveSliceInfoDef whose name lacks `export_scope`; None if the variable is not in that scope."""
        if export_scope is not None and not self.full_name.startswith(export_scope):
            return None
        return protos.SaveSliceInfoDef(
            full_name=strip_name_scope(self.full_name, export_scope),
            full_shape=self.full_shape,
            var_offset=self.var_offset,
            var_shape=self.var_shape,
        )
