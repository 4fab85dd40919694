"""Assets: files named by constants of a graph, which are copied into the SavedModel."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.message_files import message_of
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.values import dtypes
from tinytf._src.platform import file_io
from tinytf._src.saved_model import constants
from tinytf._src.saved_model.folders import assets_folder


def add_assets(tensors: Iterable[Any] | None, export_dir: str) -> None:
    """Copies asset files into the model's directory, and notes the constants that name them in a collection of the
    default graph. Different files with the same name are renamed.

    TypeError for tensors that are not scalar string constants, ValueError for empty strings.
    """
    sources: dict[str, str] = {}
    for tensor in tensors or ():
        source = _named_file(tensor)
        if not source:
            raise ValueError(f"Invalid asset filepath tensor {tensor}")
        name = _free_name(source, sources)
        asset = protos.AssetFileDef(filename=name)
        asset.tensor_info.name = tensor.name
        packed = protos.message_class("google.protobuf.Any")()
        packed.Pack(asset)
        get_default_graph().add_to_collection(constants.ASSETS_KEY, packed)
        sources[name] = source
    tf_logging.info("No assets to save." if tensors is None else "Assets added to graph.")
    if not sources:
        tf_logging.info("No assets to write.")
        return
    folder = assets_folder(export_dir)
    file_io.recursive_create_dir(folder)
    for name, source in sources.items():
        copy = os.path.join(folder, name)
        if not file_io.file_exists(copy):
            file_io.copy(source, copy)
    tf_logging.info("Assets written to: %s", folder)


def _named_file(tensor: Any) -> str:
    if not isinstance(tensor, Tensor):
        raise TypeError("Asset path tensor must be a Tensor.")
    if tensor.op.type != "Const":
        raise TypeError("Asset path tensor must be of type constant.")
    if tensor.dtype != dtypes.string:
        raise TypeError("Asset path tensor must be of dtype string.")
    values = tensor.op.get_attr("value").string_val
    if len(values) != 1:
        raise TypeError("Asset path tensor must be a scalar.")
    return os.fsdecode(values[0])


def _free_name(source: str, sources: dict[str, str]) -> str:
    """Returns an unused name in the assets directory, where `sources` are already."""
    name = os.path.basename(source)
    if name not in sources or sources[name] == source or file_io.filecmp(source, sources[name]):
        return name
    count, free = 1, name
    while free in sources:
        free = f"{name}_{count}"
        count += 1
    return free


def asset_files(export_dir: str, meta_graph_def: Any, import_scope: str | None) -> dict[str, str]:
    """Returns the path that each asset constant stands for in the loaded model, by the constant's name.

    ValueError for a path outside of the model's directory.
    """
    assets = list(meta_graph_def.asset_file_def)
    if not assets and constants.ASSETS_KEY in meta_graph_def.collection_def:
        for packed in meta_graph_def.collection_def[constants.ASSETS_KEY].any_list.value:
            assets.append(message_of(protos.AssetFileDef, packed.value, "A file of the model"))
    folder = assets_folder(export_dir)
    found = {}
    for asset in assets:
        if os.path.isabs(asset.filename) or ".." in asset.filename.split("/"):
            raise ValueError(f"The model's file '{asset.filename}' would be outside of its folder {folder}")
        name = asset.tensor_info.name
        found[f"{import_scope}/{name}" if import_scope else name] = os.path.join(folder, asset.filename)
    return found
