"""`python -m tinytf run-model FOLDER --input x=[[1,2]]`: runs a signature of a SavedModel."""

from __future__ import annotations

import argparse
import ast
import os
from typing import Any

import numpy as np

from tinytf._src.framework.graph.graph import Graph
from tinytf._src.saved_model.loader import load
from tinytf._src.saved_model.tensor_infos import get_tensor_from_tensor_info
from tinytf._src.session.session import Session


def main(arguments: list[str]) -> int:
    """Parses the command line, prints the outputs, and writes them to files if asked to."""
    parser = argparse.ArgumentParser(prog="python -m tinytf run-model", description=__doc__)
    parser.add_argument("folder", help="directory of the model")
    parser.add_argument("--tags", default="serve", help="tags of the graph, separated by commas (default: serve)")
    parser.add_argument(
        "--signature", default="serving_default", help="key of the signature (default: serving_default)"
    )
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an input, as a Python literal or a file: x=[[1,2]], x=@values.npy, x=@arrays.npz:key",
    )
    parser.add_argument("--out", help="directory to which each output is written as NAME.npy")
    options = parser.parse_args(arguments)
    given = dict(_named(text) for text in options.input)
    for name, value in run_signature(options.folder, options.tags.split(","), options.signature, given).items():
        print(f"{name}:\n{value}")
        if options.out:
            os.makedirs(options.out, exist_ok=True)
            np.save(os.path.join(options.out, f"{name}.npy"), value)
    return 0


def _named(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--input must have the form NAME=VALUE, got {text}")
    if not value.startswith("@"):
        return name, ast.literal_eval(value)
    file, _, key = value[1:].partition(":")
    loaded: Any = np.load(file, allow_pickle=False)
    return name, loaded[key] if key else loaded


def run_signature(folder: str, tags: list[str], signature: str, given: dict[str, Any]) -> dict[str, Any]:
    """Runs a signature and returns its outputs as arrays, by output name. Raises KeyError for an unknown signature, and
    unless `given` has exactly the signature's input names."""
    with Graph().as_default() as graph, Session(graph=graph) as sess:
        known = load(sess, tags, folder).signature_def
        if signature not in known:
            raise KeyError(f"there is no signature {signature}; the signatures are {', '.join(sorted(known))}")
        inputs, outputs = known[signature].inputs, known[signature].outputs
        if given.keys() != set(inputs):
            raise KeyError(
                f"the signature has inputs {', '.join(sorted(inputs))}, but got {', '.join(sorted(given)) or 'none'}"
            )
        feeds = {get_tensor_from_tensor_info(inputs[name], graph): value for name, value in given.items()}
        fetches = {name: get_tensor_from_tensor_info(outputs[name], graph) for name in sorted(outputs)}
        return sess.run(fetches, feeds)
