"""The command line tool `saved_model_cli`: shows, runs and scans SavedModels."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.saved_model.loader import load
from tinytf._src.saved_model.tools.model_facts import (
    print_all,
    print_signature,
    print_signature_keys,
    print_tag_sets,
    scan_meta_graph_def,
)
from tinytf._src.saved_model.tools.model_graphs import read_graph, read_graphs
from tinytf._src.saved_model.tools.model_inputs import load_inputs_from_input_arg_string
from tinytf._src.session.session import Session

_SHOW = """Usage examples:
Tags of all graphs of a model:
  saved_model_cli show --dir model
Signatures of a graph, by its tags:
  saved_model_cli show --dir model --tag_set serve,gpu
Inputs and outputs of a signature:
  saved_model_cli show --dir model --tag_set serve --signature_def serving_default
All of that:
  saved_model_cli show --dir model --all"""
_RUN = """Usage example, with inputs from files, expressions and examples, and outputs written to files:
  saved_model_cli run --dir model --tag_set serve --signature_def serving_default \\
    --inputs 'x=124.npz[x];y=123.npy' --input_exprs 'z=np.ones(2)' \\
    --input_examples 'e=[{"id": [26], "weights": [0.5, 0.5]}]' --outdir out"""
_SCAN = """Usage example, to find ops that read or write files or print:
  saved_model_cli scan --dir model"""


@called_by_users
def run_saved_model_with_feed_dict(
    saved_model_dir: Any,
    tag_set: str,
    signature_def_key: str,
    input_tensor_key_feed_dict: Mapping[str, Any],
    outdir: str | None,
    overwrite_flag: bool,
    worker: str | None = None,
    init_tpu: bool = False,
    tf_debug: bool = False,
) -> None:
    """Runs a SavedModel and prints its outputs.

    Args:
      saved_model_dir: the model's directory.
      tag_set: the tags of the graph, separated by commas.
      signature_def_key: name of the signature.
      input_tensor_key_feed_dict: values by the names of the signature's inputs.
      outdir: directory for the outputs as `.npy` files, created if missing; None: they are not written.
      overwrite_flag: whether to overwrite existing files.
      worker: target of the session; None: a local session.
      init_tpu, tf_debug: not supported.

    Raises:
      NotImplementedError: for `init_tpu` and `tf_debug`.
      ValueError: for input names that the signature lacks.
      RuntimeError: if an output file exists.
    """
    if init_tpu or tf_debug:
        raise NotImplementedError("tinytf supports neither TPUs nor TensorFlow's debugger.")
    signature = read_graph(saved_model_dir, tag_set).signature_def[signature_def_key]
    for key in input_tensor_key_feed_dict:
        if key not in signature.inputs:
            names = '", "'.join(sorted(signature.inputs))
            raise ValueError(f'"{key}" is not a valid input key. Please choose from "{names}", or use --show option.')
    feeds = {signature.inputs[key].name: value for key, value in input_tensor_key_feed_dict.items()}
    keys = sorted(signature.outputs)
    with Session(worker or "", graph=Graph()) as sess:
        load(sess, tag_set.split(","), saved_model_dir)
        for key, value in zip(keys, sess.run([signature.outputs[key].name for key in keys], feeds), strict=True):
            print(f"Result for output key {key}:\n{value}")
            if outdir:
                _store(os.path.join(outdir, f"{key}.npy"), key, value, overwrite_flag)


def _store(path: str, key: str, value: Any, overwrites: bool) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not overwrites and os.path.exists(path):
        raise RuntimeError(
            f'Output file {path} already exists. Add "--overwrite" to overwrite the existing output files.'
        )
    np.save(path, value)
    print(f"Output {key} is saved to {path}")


@called_by_users
def show(args: Any) -> None:
    """Runs the command `show`: prints tags, signatures, inputs and outputs of a signature, or all."""
    if args.all:
        print_all(args.dir)
    elif args.tag_set is None:
        print_tag_sets(args.dir)
    elif args.signature_def is None:
        print_signature_keys(args.dir, args.tag_set)
    else:
        print_signature(args.dir, args.tag_set, args.signature_def)


@called_by_users
def run(args: Any) -> None:
    """Runs the command `run`. AttributeError without inputs."""
    if not args.inputs and not args.input_exprs and not args.input_examples:
        raise AttributeError("At least one of --inputs, --input_exprs or --input_examples must be required")
    run_saved_model_with_feed_dict(
        args.dir,
        args.tag_set,
        args.signature_def,
        load_inputs_from_input_arg_string(args.inputs, args.input_exprs, args.input_examples),
        args.outdir,
        args.overwrite,
        args.worker,
        args.init_tpu,
        args.tf_debug,
    )


@called_by_users
def scan(args: Any) -> None:
    """Runs the command `scan`, on one graph or on all."""
    for graph in [read_graph(args.dir, args.tag_set)] if args.tag_set else read_graphs(args.dir):
        scan_meta_graph_def(graph.light)


def create_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="saved_model_cli", description="saved_model_cli: Command-line interface for SavedModel"
    )
    parser.add_argument("-v", "--version", action="version", version="0.1.0")
    commands = parser.add_subparsers(title="commands", description="valid commands", help="additional help")
    for function, text in ((show, _SHOW), (run, _RUN), (scan, _SCAN)):
        command = commands.add_parser(
            function.__name__, description=text, formatter_class=argparse.RawTextHelpFormatter
        )
        command.set_defaults(func=function)
        command.add_argument("--dir", required=True, help="directory of the model")
        command.add_argument("--tag_set", required=function is run, help="tags of a graph, separated by ','")
        if function is not scan:
            command.add_argument(
                "--signature_def", required=function is run, metavar="SIGNATURE_DEF_KEY", help="name of a signature"
            )
        if function is show:
            command.add_argument("--all", action="store_true", help="show all graphs, signatures, inputs and outputs")
        if function is run:
            _add_options_of_run(command)
    return parser


def _add_options_of_run(command: argparse.ArgumentParser) -> None:
    command.add_argument("--inputs", default="", help="'key=file' or 'key=file[name]', separated by ';'")
    command.add_argument("--input_exprs", default="", help="'key=expression' of Python with np, separated by ';'")
    command.add_argument("--input_examples", default="", help="'key=[{feature: [values]}]', separated by ';'")
    command.add_argument("--outdir", help="directory for the outputs, as .npy files")
    command.add_argument("--overwrite", action="store_true", help="overwrite existing output files")
    command.add_argument("--tf_debug", action="store_true", help="use TensorFlow's debugger (not supported)")
    command.add_argument("--worker", help="target of the session")
    command.add_argument("--init_tpu", action="store_true", default=None, help="initialize TPUs (not supported)")


def main() -> None:
    """Runs the command line."""
    parser = create_parser()
    args = parser.parse_args()
    if not hasattr(args, "func"):
        parser.error("too few arguments")
    args.func(args)
