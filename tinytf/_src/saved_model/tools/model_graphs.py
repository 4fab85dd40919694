"""Reads the graphs of SavedModels for command line tools."""

from __future__ import annotations

from typing import Any

from tinytf._src.checkpoint.files_of_graphs import MetaGraphOfFile
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.saved_model.folders import maybe_saved_model_directory
from tinytf._src.saved_model.loader import graphs_of_model, parse_saved_model


@called_by_users
def read_saved_model(saved_model_dir: Any) -> Any:
    """Reads the `SavedModel` message of a directory. OSError if there is none that can be read."""
    _check_folder(saved_model_dir)
    return parse_saved_model(saved_model_dir)


def read_graphs(saved_model_dir: Any) -> list[MetaGraphOfFile]:
    """Reads the graphs of a SavedModel. OSError as of `read_saved_model`."""
    _check_folder(saved_model_dir)
    return graphs_of_model(saved_model_dir)


def _check_folder(saved_model_dir: Any) -> None:
    if not maybe_saved_model_directory(saved_model_dir):
        raise OSError(f"SavedModel file does not exist at: {saved_model_dir}")


@called_by_users
def get_saved_model_tag_sets(saved_model_dir: Any) -> list[list[str]]:
    """Returns the tags of each graph. OSError as of `read_saved_model`."""
    return [list(graph.meta_info_def.tags) for graph in read_graphs(saved_model_dir)]


@called_by_users
def get_meta_graph_def(saved_model_dir: Any, tag_set: str) -> Any:
    """Returns the `MetaGraphDef` with exactly these tags, separated by commas. RuntimeError if there is none."""
    return read_graph(saved_model_dir, tag_set).whole()


def read_graph(saved_model_dir: Any, tag_set: str) -> MetaGraphOfFile:
    """Returns the graph with exactly these tags; see `get_meta_graph_def`."""
    tags = set(tag_set.split(","))
    for graph in read_graphs(saved_model_dir):
        if set(graph.meta_info_def.tags) == tags:
            return graph
    raise RuntimeError(f"MetaGraphDef associated with tag-set {tag_set} could not be found in SavedModel")
