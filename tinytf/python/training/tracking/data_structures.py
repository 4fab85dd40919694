"""TensorFlow's path to data structures that checkpoints know."""

from tinytf.tracking.data_structures import (
    DictWrapper as _DictWrapper,
)
from tinytf.tracking.data_structures import (
    List,
    ListWrapper,
    Mapping,
    NoDependency,
    TrackableDataStructure,
)

__all__ = ["List", "ListWrapper", "Mapping", "NoDependency", "TrackableDataStructure", "_DictWrapper"]
