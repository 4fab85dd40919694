"""Records graphs of TensorFlow 1.15 with the static shapes of all outputs, and the shapes that it infers after an
import.

`python tests/graphs/shapes/record_shapes.py`, run by an interpreter with TensorFlow 1.15, writes `shapes_of_1_15.zip`;
`read_recorded` reads it.
"""

import json
import runpy
import zipfile
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_RECORDED = _HERE / "shapes_of_1_15.zip"
_SHAPES = "_output_shapes"


def shape_text(shape):
    """A TensorShapeProto as text: "?" or "2,?,3"."""
    return "?" if shape.unknown_rank else ",".join("?" if dim.size < 0 else str(dim.size) for dim in shape.dim)


def shapes_of(graph_def):
    """The output shapes of all nodes by node, from their `_output_shapes` attrs."""
    return {n.name: [shape_text(s) for s in n.attr[_SHAPES].list.shape] for n in graph_def.node if _SHAPES in n.attr}


def without_shapes(graph_def, keeps=lambda op: False):
    """A copy of a GraphDef in which only nodes of ops accepted by `keeps` have shapes."""
    copy = type(graph_def)()
    copy.CopyFrom(graph_def)
    for node in copy.node:
        if _SHAPES in node.attr and not keeps(node.op):
            del node.attr[_SHAPES]
    return copy


def shaped_graph(tf, program):
    """Returns the bytes of the program's GraphDef with shapes, and the shapes by node that 1.15 infers differently
    when it imports that GraphDef without shapes.
    """
    with tf.Graph().as_default() as graph:
        program(tf)
        built = graph.as_graph_def(add_shapes=True)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(without_shapes(built), name="")
        inferred = shapes_of(graph.as_graph_def(add_shapes=True))
    told = shapes_of(built)
    return built.SerializeToString(), {name: shapes for name, shapes in inferred.items() if told.get(name) != shapes}


def programs_of(names):
    """The programs among the names defined by a module."""
    return {name: value for name, value in names.items() if not name.startswith("_") and callable(value)}


def load_programs():
    """All programs, by `file/name`."""
    return {
        f"{file.stem.replace('_programs', '')}/{name}": program
        for file in sorted(_HERE.glob("*_programs.py"))
        for name, program in programs_of(runpy.run_path(str(file))).items()
    }


def read_recorded():
    """(bytes of the GraphDef, shapes that are inferred differently) by program."""
    with zipfile.ZipFile(_RECORDED) as file:
        others = json.loads(file.read("inferred.json").decode())
        return {name: (file.read(name + ".pb"), inferred) for name, inferred in others.items()}


def _record():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    inferred = {}
    with zipfile.ZipFile(_RECORDED, "w", zipfile.ZIP_LZMA) as file:
        for name, program in sorted(load_programs().items()):
            graph_def, inferred[name] = shaped_graph(tf, program)
            file.writestr(zipfile.ZipInfo(name + ".pb"), graph_def, zipfile.ZIP_LZMA)
        text = json.dumps(inferred, indent=0, sort_keys=True)
        file.writestr(zipfile.ZipInfo("inferred.json"), text, zipfile.ZIP_LZMA)


if __name__ == "__main__":
    _record()
