"""TensorFlow's path to the command line that shows, runs and scans SavedModels."""

from tinytf._src.saved_model.tools.model_cli import create_parser, main, run, run_saved_model_with_feed_dict, scan, show
from tinytf._src.saved_model.tools.model_facts import get_signature_def_map, scan_meta_graph_def
from tinytf._src.saved_model.tools.model_graphs import get_meta_graph_def
from tinytf._src.saved_model.tools.model_inputs import (
    load_inputs_from_input_arg_string,
    preprocess_input_examples_arg_string,
    preprocess_input_exprs_arg_string,
    preprocess_inputs_arg_string,
)

__all__ = [
    "create_parser",
    "get_meta_graph_def",
    "get_signature_def_map",
    "load_inputs_from_input_arg_string",
    "main",
    "preprocess_input_examples_arg_string",
    "preprocess_input_exprs_arg_string",
    "preprocess_inputs_arg_string",
    "run",
    "run_saved_model_with_feed_dict",
    "scan",
    "scan_meta_graph_def",
    "show",
]

if __name__ == "__main__":
    main()
