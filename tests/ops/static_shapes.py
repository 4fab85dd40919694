"""Static shapes of single nodes, by the static shapes and known values of their inputs.

`python static_shapes.py`, run by an interpreter with TensorFlow 1.15, gives its outcomes to the cases in
`static_shapes_of_1_15.json.gz` that have none; `static_shape_cases.py` makes the cases.

A row of the file has a node and its inputs. A case describes each input by a word:
`?` unknown rank; `s` with dimensions (`s2,?`) a placeholder; `=` the row's constant; `@n` that constant with its first
element replaced by n; `~n` that constant, a vector, stacked of scalars of which the one with number n is unknown.
`attr=value` after a bar changes an attr: an integer, a bool (0 or 1), a string, or a shape written as those of inputs.
An outcome is the shapes of all outputs, or the class of the error.
"""

import base64
import gzip
import json
import os
from pathlib import Path

_REFERENCES = 100  # the dtype of a reference is that of its value and this number
RECORDED = Path(__file__).with_name("static_shapes_of_1_15.json.gz")


def read_recorded():
    """The rows by name."""
    return json.loads(gzip.decompress(RECORDED.read_bytes()).decode())


def write_recorded(rows):
    """Writes the file of rows, the same bytes for the same rows."""
    with gzip.GzipFile(str(RECORDED), "wb", mtime=0) as file:
        file.write(json.dumps(rows, sort_keys=True).encode())


def outcome(tf, row, case):
    """The shapes of the outputs, such as `2,?;?`, or the class of the error, also of one about a negative size."""
    with tf.Graph().as_default():
        try:
            (operation,) = tf.import_graph_def(graph_def(tf, row, case), name="", return_elements=["node"])
            return ";".join(shape_text(output.shape) for output in operation.outputs)
        except (ValueError, TypeError, tf.errors.OpError) as error:
            return "!" + type(error).__name__


def shape_text(shape):
    """A TensorShape as text: `?` or `2,?,3`."""
    return "?" if shape.dims is None else ",".join("?" if n is None else str(n) for n in shape.as_list())


def graph_def(tf, row, case):
    """The GraphDef of one case; its node is named `node`."""
    result = tf.GraphDef()
    result.versions.producer = row["producer"]
    node = tf.NodeDef.FromString(base64.b64decode(row["node"]))
    del node.input[:]
    words, _, changed = case.partition("|")
    if changed:
        name, _, value = changed.partition("=")
        _change(node.attr[name], value)
    for i, word in enumerate(words.split(";") if row["inputs"] else []):
        dtype, value = row["inputs"][i]
        name = f"input{i}"
        _add_input(tf, result, name, word, dtype, value)
        node.input.append(name)
    result.node.extend([node])
    return result


def _change(attr, value):
    kind = attr.WhichOneof("value")
    if kind == "shape":
        attr.shape.Clear()
        _set_shape(attr.shape, value)
    elif kind == "s":
        attr.s = value.encode()
    elif kind == "b":
        attr.b = value == "1"
    else:
        attr.i = int(value)


def _add_input(tf, graph_def, name, word, dtype, value):
    if word[0] in "?s":
        is_reference = dtype > _REFERENCES
        node = graph_def.node.add(name=name, op="VariableV2" if is_reference else "Placeholder")
        node.attr["dtype"].type = dtype - _REFERENCES if is_reference else dtype
        _set_shape(node.attr["shape"].shape, word)
        return
    array = tf.make_ndarray(_tensor(tf, value))
    if word[0] == "~":
        _add_stacked(tf, graph_def, name, array, dtype, int(word[1:]))
        return
    if word[0] == "@":
        array = array.copy()
        array.reshape(-1)[0] = int(word[1:])
    _add_constant(tf, graph_def, name, array, dtype)


def _tensor(tf, value):
    node = tf.NodeDef.FromString(base64.b64decode(value))
    return node.attr["value"].tensor


def _set_shape(proto, word):
    proto.SetInParent()
    if word == "?":
        proto.unknown_rank = True
        return
    for n in filter(None, word[1:].split(",")):
        proto.dim.add(size=-1 if n == "?" else int(n))


def _add_constant(tf, graph_def, name, array, dtype):
    node = graph_def.node.add(name=name, op="Const")
    node.attr["dtype"].type = dtype
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(array, tf.as_dtype(dtype), array.shape))


def _add_stacked(tf, graph_def, name, array, dtype, unknown):
    elements = [f"{name}/{i}" for i in range(len(array))]
    for i, element in enumerate(elements):
        if i == unknown:
            _add_input(tf, graph_def, element, "s", dtype, None)
        else:
            _add_constant(tf, graph_def, element, array[i], dtype)
    node = graph_def.node.add(name=name, op="Pack", input=elements)
    node.attr["T"].type = dtype
    node.attr["N"].i = len(elements)
    node.attr["axis"].i = 0


def outcomes(tf, row, cases):
    """The outcomes of some of a row's cases."""
    return {case: outcome(tf, row, case) for case in cases}


def _isolated(tf, row):
    """All outcomes of a row, without the cases that end the process."""
    known = {case: found for case, found in row["cases"].items() if found is not None}
    asked = [case for case in row["cases"] if case not in known]
    found = _in_child(lambda: outcomes(tf, row, asked)) if asked else {}
    if found is None:
        found = {case: _in_child(lambda case=case: outcome(tf, row, case)) for case in asked}
    return {**known, **{case: result for case, result in found.items() if result is not None}}


def _in_child(function):
    """The function's result in a process of its own; None if that does not end well."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        with os.fdopen(writer, "w") as out:
            json.dump(function(), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    return json.loads(text) if os.waitpid(child, 0)[1] == 0 else None


def _known_there(tf, row):
    """The row with its node as TensorFlow knows it: None if it lacks the op or an attr that is not the default's."""
    from tensorflow.python.framework import op_def_registry

    node = tf.NodeDef.FromString(base64.b64decode(row["node"]))
    op = op_def_registry.get_registered_ops().get(node.op)
    if op is None:
        return None
    known = {attr.name for attr in op.attr}
    for name in [name for name in node.attr if name not in known]:
        del node.attr[name]
    return dict(row, node=base64.b64encode(node.SerializeToString(deterministic=True)).decode())


def _record():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    rows = {name: _known_there(tf, row) for name, row in read_recorded().items()}
    rows = {name: row for name, row in rows.items() if row is not None}
    for row in rows.values():
        row["cases"] = _isolated(tf, row)
    write_recorded(rows)


if __name__ == "__main__":
    _record()
