"""TensorFlow's path to trackable data structures."""

from tinytf._src.trackable.data_structures import (
    List,
    ListWrapper,
    Mapping,
    NoDependency,
    TrackableDataStructure,
    _DictWrapper,
)

__all__ = ["List", "ListWrapper", "Mapping", "NoDependency", "TrackableDataStructure", "_DictWrapper"]
