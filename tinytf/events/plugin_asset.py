"""Files beside events, which plugins of TensorBoard read: each graph has what belongs to it."""

from __future__ import annotations

import os
from abc import ABCMeta, abstractmethod
from typing import Any, TypeVar

from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.error_traceback import called_by_users
from tinytf.platform import file_io

__all__ = ["PluginAsset", "get_all_plugin_assets", "get_plugin_asset"]

_COLLECTION = "__tensorboard_plugin_asset__"  # of names of plugins; each has a collection of its own, too
_FOLDER = "plugins"


class PluginAsset(metaclass=ABCMeta):
    """The files of one plugin, for one graph: derive a class with the plugin's name, and get its object by
    `get_plugin_asset`."""

    plugin_name: str | None = None

    @abstractmethod
    def assets(self) -> dict[str, str]:
        """What is in each file, by its name: asked for when a `FileWriter` adds the graph."""
        raise NotImplementedError


_Asset = TypeVar("_Asset", bound=PluginAsset)


@called_by_users
def get_plugin_asset(plugin_asset_cls: type[_Asset], graph: Any = None) -> _Asset:
    """The graph's one object of a class of `PluginAsset`, made by the first call; of the default graph when None.

    ValueError for a class without a name, and if the graph has the object of another class of that name.
    """
    graph = graph or get_default_graph()
    if not plugin_asset_cls.plugin_name:
        raise ValueError(f"Class {plugin_asset_cls.__name__} has no plugin_name")
    name = _COLLECTION + plugin_asset_cls.plugin_name
    if not graph.get_collection(name):
        asset = plugin_asset_cls()
        graph.add_to_collection(name, asset)
        graph.add_to_collection(_COLLECTION, plugin_asset_cls.plugin_name)
        return asset
    asset = _only_one(graph, name, name)
    if not isinstance(asset, plugin_asset_cls):
        raise ValueError(
            f"Plugin name collision between classes {plugin_asset_cls.__name__} and {asset.__class__.__name__}"
        )
    return asset


@called_by_users
def get_all_plugin_assets(graph: Any = None) -> list[Any]:
    """The objects of all plugins that a graph has; of the default graph when None."""
    graph = graph or get_default_graph()
    return [_only_one(graph, _COLLECTION + name, name) for name in graph.get_collection(_COLLECTION)]


def _only_one(graph: Any, collection: str, told: str) -> Any:
    found = graph.get_collection(collection)
    if len(found) != 1:
        raise ValueError(f"Collection for {told} had {len(found)} items, expected 1")
    return found[0]


def write_plugin_assets(graph: Any, logdir: Any) -> None:
    """Writes the files of all plugins, each in its folder of the log's."""
    for asset in get_all_plugin_assets(graph):
        folder = os.path.join(os.fsdecode(logdir), _FOLDER, asset.plugin_name)
        file_io.recursive_create_dir(folder)
        for name, content in asset.assets().items():
            file_io.write_string_to_file(os.path.join(folder, name), content)
