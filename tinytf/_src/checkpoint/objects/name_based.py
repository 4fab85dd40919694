"""Restores checkpoints of `tf.train.Saver`, which have global names, to objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.checkpoint.objects.identity import IdentityDict
from tinytf._src.checkpoint.saved_names import op_list_to_dict, saveable_objects_for_op
from tinytf._src.framework.resources.trackable import next_restore_uid
from tinytf._src.framework.scopes.name_scope import device


class NameBasedRestore:
    """The state of a name-based restore.

    Args:
      path: the checkpoint's name.
      dtypes: dtypes of its tensors by name; required in eager execution.
    """

    def __init__(self, path: str, dtypes: Mapping[str, Any] | None = None) -> None:
        self.path = path
        self.restore_uid = next_restore_uid()
        self.unused_attributes = IdentityDict()  # object → attributes or names that got no value
        self._dtypes = dtypes or {}

    def saveables_of(self, trackable: Any) -> Iterator[Any]:
        """Yields the saveable objects of one object under global names. Notes attributes that have none."""
        for attribute, factory in trackable._gather_saveables_for_checkpoint().items():
            saveable = factory
            if callable(factory):
                try:
                    saveable = factory()
                except TypeError:  # its name has no default: name-based savers do not handle it
                    if not factory("").optional_restore:
                        self._note(trackable, attribute)
                    continue
            for name, op in op_list_to_dict([saveable], convert_variable_to_tensor=False).items():
                yield from saveable_objects_for_op(op, name)

    def eager_restore(self, trackable: Any) -> None:
        """Restores one object. Notes values that the checkpoint lacks."""
        for saveable in self.saveables_of(trackable):
            if all(spec.name in self._dtypes for spec in saveable.specs):
                saveable.restore([self._read(spec.name) for spec in saveable.specs], None)
            else:
                self._note(trackable, saveable.name)

    def _note(self, trackable: Any, name: str) -> None:
        self.unused_attributes.setdefault(trackable, []).append(name)

    def _read(self, name: str) -> Any:
        with device("cpu:0"):
            [value] = gen_ops.restore_v2(self.path, [name], [""], [self._dtypes[name]], name=f"{name}_checkpoint_read")
        return gen_ops.identity(value)
