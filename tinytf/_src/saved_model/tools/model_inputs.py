"""Parses model inputs from command line arguments."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np

from tinytf._src import protos
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.platform import file_io

_FILE = re.compile(r"([^=]+)=([^\[\]]+?)(?:\[([^\[\]]+)\])?")


@called_by_users
def load_inputs_from_input_arg_string(inputs_str: str, input_exprs_str: str, input_examples_str: str) -> dict[str, Any]:
    """Returns values by the names of a signature's inputs. If an input is given in several ways, the last one counts,
    with a warning.

    Args:
      inputs_str: see `preprocess_inputs_arg_string`. The files are NumPy files or pickles; a name in brackets selects
        one of several arrays.
      input_exprs_str: see `preprocess_input_exprs_arg_string`.
      input_examples_str: see `preprocess_input_examples_arg_string`.

    Raises:
      RuntimeError: if a file lacks the named array, or has several and none is named.
    """
    values = {key: _loaded(*file) for key, file in preprocess_inputs_arg_string(inputs_str).items()}
    for key, value in preprocess_input_exprs_arg_string(input_exprs_str).items():
        if key in values:
            warnings.warn(
                f"input_key {key} has been specified with both --inputs and --input_exprs options. Value in --input_exprs "
                "will be used.",
                stacklevel=2,
            )
        values[key] = value
    for key, value in preprocess_input_examples_arg_string(input_examples_str).items():
        if key in values:
            warnings.warn(
                f"input_key {key} has been specified in multiple options. Value in --input_examples will be used.",
                stacklevel=2,
            )
        values[key] = value
    return values


def _loaded(filename: str, variable_name: str | None) -> Any:
    """Loads a file, or a named array of it. Unpickling executes code, which is acceptable as the files are the user's
    own."""
    data = np.load(file_io.FileIO(filename, mode="rb"), allow_pickle=True)
    if not variable_name:
        if not isinstance(data, np.lib.npyio.NpzFile):
            return data
        if len(data.files) != 1:
            raise RuntimeError(
                f"Input file {filename} contains more than one ndarrays. Please specify the name of ndarray to use."
            )
        return data[data.files[0]]
    if isinstance(data, np.ndarray):
        warnings.warn(
            f'Input file {filename} contains a single ndarray. Name key "{variable_name}" ignored.', stacklevel=3
        )
        return data
    if variable_name not in data:
        raise RuntimeError(f'Input file {filename} does not contain variable with name "{variable_name}".')
    return data[variable_name]


def preprocess_inputs_arg_string(inputs_str: str) -> dict[str, tuple[str, str | None]]:
    """Parses "key=file;key=file[name]" to a dict from keys to (file, name or None). RuntimeError for other texts."""
    found: dict[str, tuple[str, str | None]] = {}
    for part in filter(None, inputs_str.split(";")):
        match = _FILE.fullmatch(part)
        if match is None:
            raise RuntimeError(
                f'--inputs "{part}" format is incorrect. Please follow"<input_key>=<filename>", or'
                '"<input_key>=<filename>[<variable_name>]"'
            )
        found[match[1]] = match[2], match[3]
    return found


def preprocess_input_exprs_arg_string(input_exprs_str: str) -> dict[str, Any]:
    """Parses "key=expression;key=expression" to a dict from keys to values of Python expressions, in which `np` is
    NumPy. RuntimeError for other texts."""
    found = {}
    for part in filter(None, input_exprs_str.split(";")):
        key, equals, expression = part.partition("=")
        if not equals:
            raise RuntimeError(
                f'--input_exprs "{input_exprs_str}" format is incorrect. Please follow"<input_key>=<python expression>"'
            )
        found[key] = eval(expression, {"np": np})
    return found


def preprocess_input_examples_arg_string(input_examples_str: str) -> dict[str, list[bytes]]:
    """Parses "key=[{feature: [values]}]" to a dict from keys to lists of serialized `Example`s. RuntimeError for other
    texts, ValueError for other values."""
    found: dict[str, list[bytes]] = {}
    for key, examples in preprocess_input_exprs_arg_string(input_examples_str).items():
        if not isinstance(examples, list):
            raise ValueError(f'tf.Example input must be a list of dictionaries, but "{examples}" is {type(examples)}')
        found[key] = [_example(features) for features in examples]
    return found


def _example(features: dict[str, Any]) -> bytes:
    example = protos.Example()
    for name, values in features.items():
        if not isinstance(values, list):
            raise ValueError(f'feature value must be a list, but {name}: "{values}" is {type(values)}')
        feature, first = example.features.feature[name], values[0]
        if isinstance(first, float):
            feature.float_list.value.extend(values)
        elif isinstance(first, (str, bytes)):
            feature.bytes_list.value.extend(
                value.encode("utf-8") if isinstance(value, str) else value for value in values
            )
        elif isinstance(first, int):
            feature.int64_list.value.extend(values)
        else:
            raise ValueError(f"Type {type(first)} for value {first} is not supported for tf.train.Feature.")
    return example.SerializeToString()
