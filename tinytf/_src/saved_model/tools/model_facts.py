"""Prints the contents of SavedModels in TensorFlow's format."""

from __future__ import annotations

from typing import Any

from tinytf._src.checkpoint.used_ops import ops_used_by_graph_def
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.protos import DataType
from tinytf._src.saved_model.tools.model_graphs import get_saved_model_tag_sets, read_graph

# Ops with effects outside of the model.
_OUTSIDE = {"PrintV2", "ReadFile", "WriteFile"}


def get_signature_def_map(saved_model_dir: Any, tag_set: str) -> Any:
    """Returns the signatures of the graph with exactly these tags, by name. RuntimeError if there is no such graph."""
    return read_graph(saved_model_dir, tag_set).signature_def


def print_tag_sets(saved_model_dir: Any) -> None:
    """Prints the tags of each graph, one line each."""
    print("The given SavedModel contains the following tag-sets:")
    for tags in sorted(get_saved_model_tag_sets(saved_model_dir)):
        print(", ".join(sorted(tags)))


def print_signature_keys(saved_model_dir: Any, tag_set: str) -> None:
    """Prints the names of a graph's signatures, one line each."""
    signatures = get_signature_def_map(saved_model_dir, tag_set)
    print("The given SavedModel MetaGraphDef contains SignatureDefs with the following keys:")
    for key in sorted(signatures):
        print(f'SignatureDef key: "{key}"')


def print_signature(saved_model_dir: Any, tag_set: str, key: str, indent: int = 0) -> None:
    """Prints inputs, outputs and method of a signature; empty lists if it does not exist."""
    signature = get_signature_def_map(saved_model_dir, tag_set)[key]
    begin = "  " * indent
    for kind, infos in (("input", signature.inputs), ("output", signature.outputs)):
        print(f"{begin}The given SavedModel SignatureDef contains the following {kind}(s):")
        for name in sorted(infos):
            print(f"{begin}  {kind}s['{name}'] tensor_info:")
            _print_tensor_info(infos[name], begin + "      ")
    print(f"{begin}Method name is: {signature.method_name}")


def _print_tensor_info(info: Any, begin: str) -> None:
    shape = info.tensor_shape
    sizes = "unknown_rank" if shape.unknown_rank else f"({', '.join(str(dim.size) for dim in shape.dim)})"
    print(f"{begin}dtype: {DataType.Name(info.dtype)}\n{begin}shape: {sizes}\n{begin}name: {info.name}")


def print_all(saved_model_dir: Any) -> None:
    """Prints all signatures of all graphs."""
    for tags in sorted(get_saved_model_tag_sets(saved_model_dir)):
        print(f"\nMetaGraphDef with tag-set: '{', '.join(tags)}' contains the following SignatureDefs:")
        tag_set = ",".join(tags)
        for key in sorted(get_signature_def_map(saved_model_dir, tag_set)):
            print(f"\nsignature_def['{key}']:")
            print_signature(saved_model_dir, tag_set, key, indent=1)


@called_by_users
def scan_meta_graph_def(meta_graph_def: Any) -> None:
    """Prints whether a graph has ops with effects outside of the model."""
    found = _OUTSIDE & set(ops_used_by_graph_def(meta_graph_def.graph_def))
    start = f"MetaGraph with tag set {meta_graph_def.meta_info_def.tags}"
    if found:
        print(f"{start} contains the following blacklisted ops:", found)
    else:
        print(f"{start} does not contain blacklisted ops.")
