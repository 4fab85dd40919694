"""Files of TensorBoard plugins, which are written beside the events of a graph."""

from __future__ import annotations

import os
from abc import ABCMeta, abstractmethod
from typing import Any, TypeVar

from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.platform import file_io

__all__ = ["PluginAsset", "get_all_plugin_assets", "get_plugin_asset"]

_COLLECTION = "__tensorboard_plugin_asset__"  # collection of plugin names; each plugin has its own collection, too
_FOLDER = "plugins"


class PluginAsset(metaclass=ABCMeta):
    """Base class of the files of one plugin for one graph. Subclasses set `plugin_name`; use `get_plugin_asset` to get
    the instance."""

    plugin_name: str | None = None

    @abstractmethod
    def assets(self) -> dict[str, str]:
        """Returns the contents of the files by name; called when a `FileWriter` adds the graph."""
        raise NotImplementedError


_Asset = TypeVar("_Asset", bound=PluginAsset)


@called_by_users
def get_plugin_asset(plugin_asset_cls: type[_Asset], graph: Any = None) -> _Asset:
    """Returns the graph's only instance of a `PluginAsset` class, creating it if needed. `graph` None: the default
    graph.

    ValueError for a class without `plugin_name`, and if the graph has an instance of another class with that name.
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
    """Returns all plugin assets of a graph; None: the default graph."""
    graph = graph or get_default_graph()
    return [_only_one(graph, _COLLECTION + name, name) for name in graph.get_collection(_COLLECTION)]


def _only_one(graph: Any, collection: str, told: str) -> Any:
    found = graph.get_collection(collection)
    if len(found) != 1:
        raise ValueError(f"Collection for {told} had {len(found)} items, expected 1")
    return found[0]


def write_plugin_assets(graph: Any, logdir: Any) -> None:
    """Writes the files of all plugins to subdirectories of `logdir`."""
    for asset in get_all_plugin_assets(graph):
        folder = os.path.join(os.fsdecode(logdir), _FOLDER, asset.plugin_name)
        file_io.recursive_create_dir(folder)
        for name, content in asset.assets().items():
            file_io.write_string_to_file(os.path.join(folder, name), content)
