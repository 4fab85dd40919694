"""TensorFlow's path to the export and import of graphs with their collections as MetaGraphDef messages."""

from tinytf._src.checkpoint.collection_defs import add_collection_def
from tinytf._src.checkpoint.meta_graph import create_meta_graph_def
from tinytf._src.checkpoint.meta_graph_export import export_scoped_meta_graph
from tinytf._src.checkpoint.meta_graph_import import (
    copy_scoped_meta_graph,
    import_scoped_meta_graph,
    import_scoped_meta_graph_with_return_elements,
    read_meta_graph_file,
)
from tinytf._src.checkpoint.used_ops import (
    ops_used_by_graph_def,
    strip_graph_default_valued_attrs,
    stripped_op_list_for_graph,
)

__all__ = [
    "add_collection_def",
    "copy_scoped_meta_graph",
    "create_meta_graph_def",
    "export_scoped_meta_graph",
    "import_scoped_meta_graph",
    "import_scoped_meta_graph_with_return_elements",
    "ops_used_by_graph_def",
    "read_meta_graph_file",
    "strip_graph_default_valued_attrs",
    "stripped_op_list_for_graph",
]
