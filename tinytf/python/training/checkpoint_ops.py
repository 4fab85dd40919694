"""TensorFlow's path to initializers that load and remap matrices from checkpoints."""

from tinytf._src.checkpoint.remapped_matrices import (
    load_and_remap_matrix_initializer as _load_and_remap_matrix_initializer,
)
from tinytf._src.checkpoint.remapped_matrices import load_embedding_initializer as _load_embedding_initializer

__all__ = ["_load_and_remap_matrix_initializer", "_load_embedding_initializer"]
