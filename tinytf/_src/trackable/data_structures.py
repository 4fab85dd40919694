"""Lists and dicts whose elements are saved in object-based checkpoints."""

from __future__ import annotations

import collections
import copy
import sys
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from collections.abc import Mapping as AnyMapping
from typing import TYPE_CHECKING, Any

from tinytf._src.framework.resources.trackable import Trackable, TrackableReference
from tinytf._src.variables.variable import Variable

_NOT_CHECKPOINTED = (
    "\n\nIf you don't need this {} checkpointed, wrap it in a tf.contrib.checkpoint.NoDependency object; it will be "
    "automatically un-wrapped and subsequently ignored."
)
_LIST = "Unable to save the object {} (a list wrapper constructed to track trackable TensorFlow objects). "
_DICT = "Unable to save the object {} (a dictionary wrapper constructed automatically on attribute assignment). "
_OUTSIDE = (
    "was modified outside the wrapper (its final value was {}, its value when a checkpoint dependency was added was {}), "
    "which breaks restoration on object creation."
)


class NoDependency:
    """Wraps a value so that assigning it to an attribute creates no dependency; the attribute holds the
    value itself."""

    def __init__(self, value: Any) -> None:
        self.value = value


def wrap_or_unwrap(value: Any) -> Any:
    """Wraps dicts and lists in trackable structures and unwraps `NoDependency`; returns other values unchanged."""
    if isinstance(value, NoDependency):
        return value.value
    if type(value) in (dict, collections.OrderedDict):
        return _DictWrapper(value)
    return ListWrapper(value) if type(value) is list else value


def sticky_attribute_assignment(trackable: Any, name: str, value: Any) -> Any:
    """Returns the object to store in an attribute for `value`, and tracks it under `name` if it is trackable."""
    tracked = not isinstance(value, NoDependency)
    value = wrap_or_unwrap(value)
    if tracked and isinstance(value, Trackable):
        trackable._track_trackable(value, name=name, overwrite=True)
    return value


def _has_weights(value: Any) -> bool:
    kind = type(value)
    return hasattr(kind, "trainable_weights") and hasattr(kind, "non_trainable_weights")


class TrackableDataStructure(Trackable):
    """Base of the data structures: collects the variables among the elements and in the layers among them."""

    def __init__(self) -> None:
        self._self_trainable = True
        self._self_extra_variables: list[Any] = []

    @property
    def _values(self) -> Iterable[Any]:
        """All elements. To be overridden."""
        raise NotImplementedError

    @property
    def trainable(self) -> bool:
        """Whether the variables are trainable: if False, `trainable_weights` is empty."""
        return self._self_trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._self_trainable = value

    def _track_value(self, value: Any, name: str) -> Any:
        """Adds an element as a dependency and returns the object to store. Raises ValueError if it is not trackable."""
        value = sticky_attribute_assignment(self, name, value)
        if isinstance(value, Variable):
            self._self_extra_variables.append(value)
        if not isinstance(value, Trackable):
            raise ValueError(
                "Only trackable objects (such as Layers or Optimizers) may be stored in a List object. "
                f"Got {value}, which does not inherit from Trackable."
            )
        return value

    @property
    def _layers(self) -> list[Any]:
        return [value for value in self._values if _has_weights(value)]

    @property
    def layers(self) -> list[Any]:
        """The layers among the elements and in nested data structures, without duplicates."""
        found: dict[int, Any] = {}
        for value in self._layers:
            inner = value.layers if isinstance(value, TrackableDataStructure) else [value]
            found.update((id(layer), layer) for layer in inner)
        return list(found.values())

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables; empty if `trainable` is False."""
        if not self.trainable:
            return []
        weights = [weight for layer in self._layers for weight in layer.trainable_weights]
        return weights + [v for v in self._self_extra_variables if v.trainable]

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that are not in `trainable_weights`."""
        weights = [weight for layer in self._layers for weight in layer.non_trainable_weights]
        others = [v for v in self._self_extra_variables if not v.trainable]
        if self.trainable:
            return weights + others
        trained = [weight for layer in self._layers for weight in layer.trainable_weights]
        return trained + [v for v in self._self_extra_variables if v.trainable] + weights + others

    @property
    def weights(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return self.trainable_weights + self.non_trainable_weights

    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights
    variables = weights

    @property
    def updates(self) -> list[Any]:
        """The update operations of the layers."""
        return [update for layer in self.layers for update in getattr(layer, "updates", ())]

    @property
    def losses(self) -> list[Any]:
        """The loss tensors of the layers."""
        return [loss for layer in self.layers for loss in getattr(layer, "losses", ())]

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class List(TrackableDataStructure, Sequence[Any]):
    """An append-only sequence of trackable objects.

    Takes the arguments of `list`. The name of a dependency is its index. Raises ValueError for elements that are not
    trackable.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self._storage = self._make_storage(*args, **kwargs)
        for i, element in enumerate(self._storage):
            self._storage[i] = self._track_value(element, str(i))

    def _make_storage(self, *args: Any, **kwargs: Any) -> list[Any]:
        return list(*args, **kwargs)

    def copy(self) -> Any:
        """Returns a new list with the same elements."""
        return type(self)(copy.copy(self._storage))

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return type(self)(copy.deepcopy(self._storage, memo))

    @property
    def _values(self) -> Any:
        return self

    def append(self, value: Any) -> None:
        """Appends one element. Raises ValueError if it is not trackable."""
        self._storage.append(self._track_value(value, str(len(self._storage))))

    def extend(self, values: Iterable[Any]) -> None:
        """Appends all elements of an iterable. Raises ValueError if one is not trackable."""
        for value in values:
            self.append(value)

    def __iadd__(self, values: Any) -> Any:
        self.extend(values)
        return self

    def __add__(self, other: Any) -> Any:
        return type(self)(self._storage + getattr(other, "_storage", other))

    def __radd__(self, other: Any) -> Any:
        return type(self)(other) + self

    def __imul__(self, y: int) -> Any:
        if y <= 0:
            raise ValueError(f"List only supports append, multiplying in place by {y:d} removes elements.")
        self.extend(self._storage[:] * (y - 1))
        return self

    def __mul__(self, n: int) -> Any:
        return type(self)(self._storage * n)

    def __rmul__(self, n: int) -> Any:
        return self * n

    def __getitem__(self, key: Any) -> Any:
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __repr__(self) -> str:
        return f"List({self._storage!r})"

    def __sizeof__(self) -> int:
        return super().__sizeof__() + sys.getsizeof(self._storage)


if TYPE_CHECKING:
    _AnyList = MutableSequence[Any]
else:

    class _AnyList(MutableSequence, list):
        """A `list` whose methods are the ones of `MutableSequence`, which use the overridden primitives."""


class ListWrapper(List, _AnyList):
    """Wrapper of a list that is assigned to an attribute of a trackable object. The wrapped list stores the elements.

    It supports all list operations and elements of any type. Saving fails once a trackable element was removed,
    replaced or moved, or the wrapped list was modified other than through this wrapper.
    """

    def __init__(self, wrapped_list: list[Any]) -> None:
        self._non_append_mutation = False
        self._external_modification = False
        super().__init__(wrapped_list)
        self._snapshot: list[Any] = []
        self._update_snapshot()

    def _make_storage(self, wrapped_list: list[Any]) -> list[Any]:
        return wrapped_list

    def __copy__(self) -> Any:
        return self._with_flags(super().__copy__())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self._with_flags(super().__deepcopy__(memo))

    def _with_flags(self, copied: Any) -> Any:
        copied._non_append_mutation = self._non_append_mutation
        copied._external_modification = self._external_modification
        return copied

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self._storage,)

    def _check_external_modification(self) -> None:
        dirty = self._external_modification or self._non_append_mutation
        if not dirty and not _same(self._storage, self._snapshot):
            self._external_modification = True

    def _update_snapshot(self) -> None:
        _set_native(self, self._storage)  # C code that reads the list storage directly sees the elements, too
        if not self._external_modification and not self._non_append_mutation:
            self._snapshot = list(self._storage)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        self._check_external_modification()
        if self._non_append_mutation:
            raise ValueError(
                _LIST.format(self) + "A list element was replaced (__setitem__, __setslice__), deleted (__delitem__, "
                "__delslice__), or moved (sort). In order to support restoration on object creation, tracking is exclusively "
                "for append-only data structures." + _NOT_CHECKPOINTED.format("list")
            )
        if self._external_modification:
            raise ValueError(
                _LIST.format(self)
                + "The wrapped list "
                + _OUTSIDE.format(self._storage, self._snapshot)
                + _NOT_CHECKPOINTED.format("list")
            )
        return super()._checkpoint_dependencies

    def _track_value(self, value: Any, name: str) -> Any:
        """Unlike `List`, accepts elements that are not trackable."""
        if isinstance(wrap_or_unwrap(value), Trackable):
            return super()._track_value(value, name)
        return sticky_attribute_assignment(self, name, value)

    def __delitem__(self, key: Any) -> None:
        self._non_append_mutation = True
        del self._storage[key]
        self._update_snapshot()

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check_external_modification()
        before = list(self._storage)
        if isinstance(key, slice):
            self._storage[key] = value
            if any(isinstance(element, Trackable) for element in before):
                self._non_append_mutation = True
            for i, element in enumerate(self._storage):
                if element is not None and (i >= len(before) or element is not before[i]):
                    self._storage[i] = self._track_value(element, str(i))
        else:
            if isinstance(before[key], Trackable):
                self._non_append_mutation = True
            self._storage[key] = self._track_value(value, str(key))
        self._update_snapshot()

    def append(self, value: Any) -> None:
        """Appends one element of any type."""
        self._check_external_modification()
        super().append(value)
        self._update_snapshot()

    def __imul__(self, y: int) -> Any:
        if y <= 0:
            self._storage *= y
            self._check_external_modification()  # TensorFlow treats a removal of all elements as one, too
            self._update_snapshot()
            return self
        return super().__imul__(y)

    def insert(self, index: int, obj: Any) -> None:
        """Inserts an element before `index`; the list can no longer be saved."""
        self._non_append_mutation = True
        self._storage.insert(index, obj)
        self._update_snapshot()

    def sort(self, **options: Any) -> None:
        """Sorts the elements in place; the list can no longer be saved."""
        self._non_append_mutation = True
        self._storage.sort(**options)
        self._update_snapshot()

    def __eq__(self, other: object) -> bool:
        return bool(self._storage == getattr(other, "_storage", other))

    def __ne__(self, other: object) -> bool:
        return bool(self._storage != getattr(other, "_storage", other))

    def __lt__(self, other: Any) -> bool:
        return bool(self._storage < getattr(other, "_storage", other))

    def __le__(self, other: Any) -> bool:
        return bool(self._storage <= getattr(other, "_storage", other))

    def __gt__(self, other: Any) -> bool:
        return bool(self._storage > getattr(other, "_storage", other))

    def __ge__(self, other: Any) -> bool:
        return bool(self._storage >= getattr(other, "_storage", other))

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'ListWrapper'")

    def __repr__(self) -> str:
        return f"ListWrapper({self._storage!r})"


class Mapping(TrackableDataStructure, AnyMapping[str, Any]):
    """An append-only mapping from strings to trackable objects.

    Takes the arguments of `dict`. The name of a dependency is its key. Raises TypeError for other keys, and ValueError
    for elements that are not trackable and for keys that already have another value.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self._storage: dict[str, Any] = dict(*args, **kwargs)
        for key, value in self._storage.items():
            self._storage[key] = self._track_value(value, _string_key(key))

    def __copy__(self) -> Any:
        return type(self)(copy.copy(self._storage))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return type(self)(copy.deepcopy(self._storage, memo))

    @property
    def _values(self) -> list[Any]:
        return [self._storage[key] for key in sorted(self._storage)]

    def __setitem__(self, key: str, value: Any) -> None:
        value = self._track_value(value, _string_key(key))
        current = self._storage.setdefault(key, value)
        if current is not value:
            raise ValueError(
                f"Mappings are an append-only data structure. Tried to overwrite the key '{key}' with value {value}, but it "
                f"already contains {current}"
            )

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Adds the entries of a mapping. Raises ValueError if a key already has another value."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __getitem__(self, key: str) -> Any:
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[str]:
        return iter(self._storage)

    def __repr__(self) -> str:
        return f"Mapping({self._storage!r})"


def _string_key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"Mapping accepts only string keys, but got a key {key!r}.")
    return key


class _DictWrapper(TrackableDataStructure, dict):
    """Wrapper of a dict that is assigned to an attribute of a trackable object. The wrapped dict stores the elements.

    It supports all dict operations and elements of any type. Saving fails once a trackable element has a key that is
    not a string, or the wrapped dict was modified other than through this wrapper.
    """

    def __init__(self, wrapped_dict: Any = None) -> None:
        wrapped: Any = {} if wrapped_dict is None else wrapped_dict
        if not isinstance(wrapped, AnyMapping):
            wrapped = dict(wrapped)
        self.__wrapped__ = wrapped
        super().__init__()
        self._self_non_string_key = False
        self._self_external_modification = False
        self._self_snapshot: dict[Any, Any] = {}
        for key, value in list(self.__wrapped__.items()):
            self.__wrapped__[key] = self._tracked_value(key, value)
        self._update_snapshot()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self.__wrapped__,)

    def copy(self) -> Any:
        """Returns a new wrapper of a shallow copy of the dict."""
        return copy.copy(self)

    def __copy__(self) -> Any:
        return self._with_flags(_DictWrapper(copy.copy(self.__wrapped__)))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self._with_flags(_DictWrapper(copy.deepcopy(self.__wrapped__, memo)))

    def _with_flags(self, copied: Any) -> Any:
        copied._self_external_modification = self._self_external_modification
        copied._self_non_string_key = self._self_non_string_key
        return copied

    @property
    def _values(self) -> list[Any]:
        return [value for _, value in sorted(self.__wrapped__.items(), key=lambda item: item[0])]

    @property
    def _dirty(self) -> bool:
        return self._self_external_modification or self._self_non_string_key

    def _check_external_modification(self) -> None:
        if not self._dirty and not _same(self.__wrapped__, self._self_snapshot):
            self._self_external_modification = True

    def _update_snapshot(self) -> None:
        dict.clear(self)
        dict.update(self, self.__wrapped__)  # C code that reads the dict storage directly sees the elements, too
        if not self._dirty:
            self._self_snapshot = dict(self.__wrapped__)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        self._check_external_modification()
        if self._self_non_string_key:
            raise ValueError(
                _DICT.format(self)
                + "The wrapped dictionary contains a non-string key which maps to a trackable object or "
                "mutable data structure." + _NOT_CHECKPOINTED.format("dictionary")
            )
        if self._self_external_modification:
            raise ValueError(
                _DICT.format(self)
                + "The wrapped dictionary "
                + _OUTSIDE.format(self, self._self_snapshot)
                + _NOT_CHECKPOINTED.format("dictionary")
            )
        return super()._checkpoint_dependencies

    def _tracked_value(self, key: Any, value: Any) -> Any:
        """Returns the object to store; tracks it if it is trackable and the key is a string."""
        tracked = not isinstance(value, NoDependency)
        value = wrap_or_unwrap(value)
        if tracked and isinstance(value, Trackable):
            if isinstance(key, str):
                return self._track_value(value, key)
            self._self_non_string_key = True
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check_external_modification()
        self.__wrapped__[key] = self._tracked_value(key, value)
        self._update_snapshot()

    def __delitem__(self, key: Any) -> None:
        self._check_external_modification()
        del self.__wrapped__[key]
        self._update_snapshot()

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Sets the entries of a mapping."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __getitem__(self, key: Any) -> Any:
        return self.__wrapped__[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.__wrapped__)

    def __len__(self) -> int:
        return len(self.__wrapped__)

    def __contains__(self, key: object) -> bool:
        return key in self.__wrapped__

    def __getattribute__(self, name: str) -> Any:
        """Forwards the remaining dict methods to the wrapped dict."""
        if name in _METHODS_OF_WRAPPED:
            return getattr(self.__wrapped__, name)
        return super().__getattribute__(name)

    def __eq__(self, other: object) -> bool:
        return bool(self.__wrapped__ == getattr(other, "__wrapped__", other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:  # type: ignore[override]
        raise TypeError("unhashable type: 'DictWrapper'")

    def __repr__(self) -> str:
        return f"DictWrapper({self.__wrapped__!r})"

    def __str__(self) -> str:
        return str(self.__wrapped__)


def _set_native(wrapper: Any, elements: list[Any]) -> None:
    list.__setitem__(wrapper, slice(None), elements)


_METHODS_OF_WRAPPED = frozenset(
    ("clear", "get", "items", "keys", "move_to_end", "pop", "popitem", "setdefault", "values")
)


def _same(one: Any, other: Any) -> bool:
    """Whether two lists, or two dicts, hold identical objects. `==` is not used: it may compare variables and arrays by
    value."""
    if isinstance(one, AnyMapping):
        return one.keys() == other.keys() and all(one[key] is other[key] for key in one)
    return len(one) == len(other) and all(map(lambda a, b: a is b, one, other))
