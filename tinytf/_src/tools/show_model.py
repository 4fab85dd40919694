"""`python -m tinytf show-model FOLDER`: prints the graphs of a SavedModel and their signatures."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from tinytf._src.framework.values import dtypes
from tinytf._src.saved_model.loader import SavedModelLoader


def main(arguments: list[str]) -> int:
    """Parses the command line and prints the description."""
    parser = argparse.ArgumentParser(prog="python -m tinytf show-model", description=__doc__)
    parser.add_argument("folder", help="directory of the model")
    parser.add_argument("--tags", help="show only the graph with these tags, separated by commas")
    parser.add_argument("--signature", help="show only this signature")
    options = parser.parse_args(arguments)
    print("\n".join(described(options.folder, options.tags, options.signature)))
    return 0


def described(folder: str, tags: str | None = None, signature: str | None = None) -> Iterator[str]:
    """Yields the lines: one per graph, followed by its signatures. Raises KeyError for an unknown `signature`."""
    loader = SavedModelLoader(folder)
    graphs = loader.graphs if tags is None else [loader.graph_of_tags(tags.split(","))]
    for graph in (found.light for found in graphs):
        info = graph.meta_info_def
        yield f"tags {', '.join(info.tags)}: {len(graph.graph_def.node)} nodes, TensorFlow {info.tensorflow_version}"
        names = sorted(graph.signature_def) if signature is None else [signature]
        for name in names:
            if name not in graph.signature_def:
                raise KeyError(
                    f"there is no signature {name}; the signatures are {', '.join(sorted(graph.signature_def))}"
                )
            yield from _signature(name, graph.signature_def[name])


def _signature(name: str, signature: Any) -> Iterator[str]:
    yield f"  signature {name}, {signature.method_name or 'without a method name'}"
    for what, infos in (("takes", signature.inputs), ("gives", signature.outputs)):
        for key in sorted(infos):
            yield f"    {what} {key}: {_tensor(infos[key])}"


def _tensor(info: Any) -> str:
    sizes = "?" if info.tensor_shape.unknown_rank else [d.size if d.size >= 0 else "?" for d in info.tensor_shape.dim]
    shape = sizes if isinstance(sizes, str) else f"[{', '.join(map(str, sizes))}]"
    kind = dtypes.as_dtype(info.dtype).name if info.dtype else "operation"
    return f"{kind} {shape} {info.name or info.coo_sparse.values_tensor_name}"
