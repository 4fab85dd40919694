"""Makes the cases of `static_shapes.py` of the rows of the op table, and of other ops without state:
`python static_shape_cases.py`. Cases that exist keep their outcomes.
"""

import base64
import itertools
import random

import numpy as np
from op_table import _apply, _constant, _is_constant, _map, _placeholder, _version, graph_of, inputs_of, runnable_rows
from static_shapes import read_recorded, write_recorded

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.graph_def import op_def

_PRODUCER = 134  # the version of the GraphDefs of TensorFlow 1.15
_MOST = 8  # so many rows and shapes of an op
_RANDOM = 16  # random cases for each of them
_MOST_ELEMENTS = 64  # of constants
_RANKS = range(5)
_INTEGERS = ["-100", "-2", "-1", "0", "1", "2", "3", "100"]  # values of attrs
_KNOWN_INPUTS = {("ReduceJoin", "reduction_indices"): [0, 1]}  # of ops that have no row in the table
_ATTR_SHAPES = ["?", "s", "s?", "s2", "s?,?", "s3,?", "s2,2,2"]


def all_rows():
    """All rows by name, with cases that have no outcome yet."""
    rows = _rows_of_table()
    covered = {row_op(name) for name in rows}
    for op in sorted(set(_core.op_names()) - covered):
        if not op_def(op).is_stateful and (made := _of_declaration(op)):
            rows[f"{op}-declared/0"] = made
    return rows


def row_op(name):
    """The op of a row's name."""
    return name.partition("-")[0]


def _rows_of_table():
    rows, by_op = {}, {}
    for name, row in runnable_rows():
        by_op.setdefault(row.op, []).append([(f"{name}/{i}", row, shapes) for i, shapes in enumerate(row.shapes)])
    for of_rows in by_op.values():
        in_turn = [one for ones in itertools.zip_longest(*of_rows) for one in ones if one is not None]
        for name, row, shapes in in_turn[:_MOST]:
            made = _made(row, shapes, random.Random(name))
            rows.update({name: made} if made else {})
    return rows


def _of_declaration(op):
    """The row of an op of which only the declaration is known; None if its attrs have no usual values."""
    definition = op_def(op)
    attrs = {attr.name: _usual_value(attr) for attr in definition.attr if not attr.HasField("default_value")}
    if None in attrs.values():
        return None
    removed = definition.deprecation.version
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.GraphDef(versions={"producer": removed - 1 if removed else _PRODUCER}))
        inputs = [_usual_inputs(arg, attrs, definition) for arg in definition.input_arg]
        apply_op(op_spec(op), None, tuple(inputs), attrs)
        made = graph.get_operations()[-1]
        return _row_of(made, removed - 1 if removed else _PRODUCER, random.Random(op))


def _usual_value(attr):
    if attr.type == "type":
        return tf.as_dtype(next(iter(attr.allowed_values.list.type), 1))
    usual = {"int": max(attr.minimum, 2), "bool": False, "string": "a", "float": 0.5, "shape": [2, 3]}
    if attr.allowed_values.list.s:
        return attr.allowed_values.list.s[0].decode()
    return {**usual, "list(type)": [tf.float32, tf.int32], "list(shape)": [[2], None], "list(int)": [1]}.get(attr.type)


def _usual_inputs(arg, attrs, definition):
    """One input, or the list of inputs, of an argument: placeholders, or variables for references."""
    defaults = {attr.name: attr.default_value for attr in definition.attr}
    if arg.type_list_attr:
        return [_usual_input(arg, dtype) for dtype in attrs[arg.type_list_attr]]
    dtype = tf.as_dtype(arg.type or attrs.get(arg.type_attr) or defaults[arg.type_attr].type)
    if arg.number_attr:
        return [_usual_input(arg, dtype) for _ in range(attrs[arg.number_attr])]
    if (definition.name, arg.name) in _KNOWN_INPUTS:
        return tf.constant(_KNOWN_INPUTS[definition.name, arg.name], dtype)
    return _usual_input(arg, dtype)


def _usual_input(arg, dtype):
    if arg.is_ref:
        return apply_op(op_spec("VariableV2"), None, (), {"shape": None, "dtype": dtype})
    return tf.placeholder(dtype)


def _made(row, shapes, rng):
    """The row of a node of a row of the table."""
    dtype = next((d for d in ("float32", *row.types()) if d in row.types()), None)
    if dtype is None:
        return None
    arrays = inputs_of(row, dtype, shapes)
    with graph_of(row).as_default() as graph:
        _apply(row, [_map(lambda a, i=i: _input(row, i, np.asarray(a)), v) for i, v in enumerate(arrays)])
        made = next(operation for operation in reversed(graph.get_operations()) if operation.type == row.op)
        return _row_of(made, _version(row) or _PRODUCER, rng)


def _row_of(operation, producer, rng):
    node, tensors = operation.node_def, list(operation.inputs)
    node.name = "node"
    for attr in [attr for attr in node.attr if attr.startswith("_")]:
        del node.attr[attr]
    return {
        "node": _text(node),
        "producer": producer,
        "inputs": [[t.dtype.as_datatype_enum, _text(t.op.node_def) if _is_const(t) else None] for t in tensors],
        "cases": dict.fromkeys([*_cases(tensors, rng), *_changed_attrs(node, tensors)]),
    }


def _text(node):
    return base64.b64encode(node.SerializeToString(deterministic=True)).decode()


def _is_const(tensor):
    return tensor.op.type == "Const" and tensor.shape.num_elements() <= _MOST_ELEMENTS


def _input(row, i, array):
    is_short = array.size <= _MOST_ELEMENTS and (array.dtype.kind in "iub" or _is_constant(row, i))
    return _constant(array) if is_short else _placeholder(array, array.shape)


def _cases(tensors, rng):
    """The cases of a node with these inputs: each input changed alone, all of them unknown, and random ones."""
    if not tensors:
        return [""]
    words = [_words(tensor) for tensor in tensors]
    base = [w[0] for w in words]
    cases = [base, ["?" for _ in words], [_unknown_sizes(tensor) for tensor in tensors]]
    cases += [[*base[:i], word, *base[i + 1 :]] for i, others in enumerate(words[:6]) for word in others]
    cases += [[w[0] if rng.random() < 0.3 else rng.choice(w) for w in words] for _ in range(_RANDOM)]
    return dict.fromkeys(";".join(case) for case in cases)


def _changed_attrs(node, tensors):
    """The cases with another attr: with the row's inputs, and with inputs of unknown rank."""
    inputs = [";".join(_words(tensor)[0] for tensor in tensors), ";".join("?" for _ in tensors)]
    allowed = {attr.name: [v.decode() for v in attr.allowed_values.list.s] for attr in op_def(node.op).attr}
    for name, attr in sorted(node.attr.items()):
        kind = attr.WhichOneof("value")
        values = {"i": _INTEGERS, "b": ["0", "1"], "s": allowed[name], "shape": _ATTR_SHAPES}.get(kind, [])
        yield from (f"{case}|{name}={value}" for case in dict.fromkeys(inputs) for value in values)


def _words(tensor):
    """The ways to give an input; the first is that of the row."""
    shape = _dims(tensor)
    is_known = tensor.shape.dims is not None
    words = [*_known_words(tensor), *([_word(shape)] if is_known else []), "?", _unknown_sizes(tensor)]
    for rank in _RANKS:
        words += [_word((shape + [2] * 4)[:rank]), _word([None] * rank)]
    for i in {0, len(shape) - 1} if shape else ():
        for size in (None, shape[i] + 1):
            words.append(_word([*shape[:i], size, *shape[i + 1 :]]))
    return list(dict.fromkeys(words))


def _known_words(tensor):
    if not _is_const(tensor):
        return []
    array, words = tf.make_ndarray(tensor.op.get_attr("value")), ["="]
    if array.dtype in (np.int32, np.int64) and array.size:
        words += ["@-1", "@0", "@1", "@100"]
        words += [f"~{i}" for i in {0, array.size - 1}] if array.ndim == 1 else []
    return words


def _word(dims):
    return "s" + ",".join("?" if n is None else str(n) for n in dims)


def _unknown_sizes(tensor):
    return _word([None] * len(_dims(tensor)))


def _dims(tensor):
    return tensor.shape.as_list() if tensor.shape.dims is not None else []


def _with_outcomes(rows, recorded):
    """The rows with the outcomes of recorded cases."""
    for name, row in rows.items():
        old = recorded.get(name, {"cases": {}})
        if all(old.get(key) == row[key] for key in ("node", "inputs", "producer")):
            row["cases"] = {case: old["cases"].get(case) for case in row["cases"]}
    return rows


if __name__ == "__main__":
    write_recorded(_with_outcomes(all_rows(), read_recorded()))
