"""TensorFlow's path to data structures that checkpoints know."""

from tinytf.tracking.data_structures import (
    List,
    ListWrapper,
    Mapping,
    NoDependency,
    TrackableDataStructure,
    _DictWrapper,
)

__all__ = ["List", "ListWrapper", "Mapping", "NoDependency", "TrackableDataStructure", "_DictWrapper"]
