"""GraphDefs of early versions with the queues and readers of that time, whose handles are string references, by
name. `python early_queue_programs.py` imports them into TensorFlow 1.15 and prints the outcomes.
"""

import json
import os
import re
import tempfile


class Graph:
    """A graph to which nodes of an early version are added by importing them."""

    def __init__(self, tf, session):
        self._tf, self.run = tf, session.run

    def node(self, op, *inputs, **attrs):
        """The outputs of a new node, or the node itself if it has none."""
        tf = self._tf
        graph_def = tf.GraphDef()
        graph_def.versions.producer = 20
        node = graph_def.node.add(op=op, name=op)
        for name, value in attrs.items():
            attr = node.attr[name]
            if isinstance(value, bool):
                attr.b = value
            elif isinstance(value, int):
                attr.i = value
            elif isinstance(value, str):
                attr.s = value.encode()
            elif isinstance(value, tf.DType):
                attr.type = value.as_datatype_enum
            elif name == "shapes":
                attr.list.SetInParent()
                for shape in value:
                    attr.list.shape.add().CopyFrom(tf.TensorShape(shape).as_proto())
            elif name == "shape":
                attr.shape.CopyFrom(tf.TensorShape(value).as_proto())
            else:
                attr.list.type.extend([dtype.as_datatype_enum for dtype in value])
        given = {}
        for i, value in enumerate(inputs):
            tensor = tf.convert_to_tensor(value) if not hasattr(value, "op") else value
            dtype = tensor.dtype.base_dtype.as_datatype_enum
            graph_def.node.add(op="Placeholder", name=f"in{i}").attr["dtype"].type = dtype
            node.input.append(f"in{i}")
            given[f"in{i}:0"] = tensor
        (made,) = tf.import_graph_def(graph_def, input_map=given, return_elements=[op], name="early")
        outputs = made.outputs
        return outputs[0] if len(outputs) == 1 else list(outputs) or made

    def variable(self, value):
        """A reference to an assigned string variable."""
        variable = self._tf.Variable(value, use_resource=False, validate_shape=False)
        self.run(variable.initializer)
        return variable._ref()


def programs(tf):
    """Functions by name; each takes a graph and `show`, which records a value, or the result or error of a callable."""
    made = {}

    def program(function):
        made[function.__name__] = function

    def text_queue(graph, op="FIFOQueue", **attrs):
        return graph.node(op, component_types=[tf.string], shapes=[[]], **attrs)

    for kind in ["FIFOQueue", "RandomShuffleQueue", "PaddingFIFOQueue", "PriorityQueue"]:

        def use(graph, show, kind=kind):
            types = [tf.string] if kind == "PriorityQueue" else [tf.int64, tf.string]
            queue = graph.node(kind, component_types=types, shapes=[[]] * len(types), capacity=7)
            show(queue.shape)
            show(queue.dtype.name)
            show(lambda: graph.run(queue))
            one = tf.constant(3, tf.int64)
            graph.run(graph.node("QueueEnqueue", queue, one, "c", Tcomponents=[tf.int64, tf.string]))
            many = [tf.constant([2, 2], tf.int64), ["b", "b"]]
            graph.run(graph.node("QueueEnqueueMany", queue, *many, Tcomponents=[tf.int64, tf.string]))
            size = graph.node("QueueSize", queue)
            closed = graph.node("QueueIsClosed", queue)
            show([size.shape, closed.shape])
            show(lambda: graph.run([size, closed]))
            taken = {"component_types": [tf.int64, tf.string]}
            dequeue = graph.node("QueueDequeue", queue, **taken)
            show([tensor.shape for tensor in dequeue])
            if kind != "RandomShuffleQueue":
                show(lambda: graph.run(dequeue))
            dequeue_many = graph.node("QueueDequeueMany", queue, 2, **taken)
            show([tensor.shape for tensor in dequeue_many])
            show(lambda: [part.shape for part in graph.run(dequeue_many)])
            close = graph.node("QueueClose", queue, cancel_pending_enqueues=False)
            show(lambda: graph.run(close))
            show(lambda: graph.run([size, closed]))
            if kind != "PriorityQueue":
                up_to = graph.node("QueueDequeueUpTo", queue, 9, **taken)
                show(lambda: [part.shape for part in graph.run(up_to)])
            show(lambda: graph.run(dequeue_many))
            show(lambda: graph.run(graph.node("QueueClose", queue, cancel_pending_enqueues=True)))
            show(lambda: graph.run(close))

        made["use_" + kind] = use

    @program
    def signatures(graph, show):
        queue = text_queue(graph)
        show(lambda: graph.run(graph.node("QueueEnqueue", queue, 1, Tcomponents=[tf.int32])))
        show(lambda: graph.run(graph.node("QueueDequeue", queue, component_types=[tf.int32])))
        show(lambda: graph.run(graph.node("QueueDequeueMany", queue, 2, component_types=[tf.int32])))
        show(lambda: graph.run(graph.node("QueueDequeueMany", queue, -2, component_types=[tf.string])))

    @program
    def shared_with_resources(graph, show):
        queue = text_queue(graph, shared_name="shared")
        later = tf.raw_ops.FIFOQueueV2(component_types=[tf.string], shapes=[[]], shared_name="shared")
        graph.run(graph.node("QueueEnqueue", queue, "x", Tcomponents=[tf.string]))
        show(lambda: graph.run(tf.raw_ops.QueueSizeV2(handle=later)))
        fake = tf.raw_ops.FakeQueue(resource=later)
        show([fake.shape, fake.dtype.name])
        show(lambda: graph.run(fake))
        show(lambda: graph.run(graph.node("QueueDequeue", fake, component_types=[tf.string])))
        padding = text_queue(graph, "PaddingFIFOQueue", shared_name="shared")
        show(lambda: graph.run(padding.op))

    @program
    def handles_of_nothing(graph, show):
        two, three = graph.variable(["a", "b"]), graph.variable(["a", "b", "c"])
        queue = text_queue(graph)
        for handle in [two, three]:
            for op in ["QueueSize", "QueueIsClosed", "QueueClose", "ReaderNumRecordsProduced", "ReaderReset"]:
                show(lambda op=op, handle=handle: graph.run(graph.node(op, handle)))
            show(lambda handle=handle: graph.run(graph.node("QueueEnqueue", handle, "a", Tcomponents=[tf.string])))
            show(lambda handle=handle: graph.run(graph.node("QueueDequeue", handle, component_types=[tf.string])))
        show(lambda: graph.run(graph.node("ReaderReset", queue)))

    @program
    def shapes_of_handles(graph, show):
        scalar, two, three = (tf.Variable(value, use_resource=False)._ref() for value in ["a", ["a"] * 2, ["a"] * 3])
        number = tf.constant(1, tf.int64)
        for handle in [scalar, three]:
            for op in ["QueueSize", "QueueIsClosed", "QueueClose", "ReaderReset", "ReaderSerializeState"]:
                show(lambda op=op, handle=handle: graph.node(op, handle) is not None)
            show(lambda handle=handle: graph.node("ReaderRead", two, handle))
            show(lambda handle=handle: [tensor.shape for tensor in graph.node("ReaderReadUpTo", two, handle, number)])
            show(lambda handle=handle: graph.node("ReaderRestoreState", handle, "a"))
        show(lambda: graph.node("ReaderRestoreState", two, ["a"]))

    @program
    def readers(graph, show):
        path = tempfile.mkstemp()[1]
        with open(path, "wb") as file:
            file.write(b"one\ntwo\nthree\n")
        queue = text_queue(graph)
        for op in ["TextLineReader", "WholeFileReader", "IdentityReader", "TFRecordReader"]:
            reader = graph.node(op, shared_name=op)
            show([reader.shape, reader.dtype.name])
            show(lambda reader=reader: graph.run(reader))
            graph.run(graph.node("QueueEnqueue", queue, path, Tcomponents=[tf.string]))
            read = graph.node("ReaderRead", reader, queue)
            show([tensor.shape for tensor in read])
            show(lambda read=read: [text.replace(path.encode(), b"$D") for text in graph.run(read)])
            if op == "TextLineReader":
                up_to = graph.node("ReaderReadUpTo", reader, queue, tf.constant(9, tf.int64))
                show([tensor.shape for tensor in up_to])
                show(lambda up_to=up_to: graph.run(up_to[1]))
            show(lambda reader=reader: graph.run(graph.node("ReaderNumRecordsProduced", reader)))
            show(lambda reader=reader: graph.run(graph.node("ReaderNumWorkUnitsCompleted", reader)))
            state = graph.node("ReaderSerializeState", reader)
            show(lambda state=state: len(graph.run(state)) > 5)
            show(lambda reader=reader: graph.run(graph.node("ReaderRestoreState", reader, "junk")))
            show(lambda reader=reader: graph.run(graph.node("ReaderReset", reader)))
            show(lambda reader=reader: graph.run(graph.node("ReaderNumRecordsProduced", reader)))
        os.remove(path)

    return made


def outcome(tf, program):
    """The text that a program shows."""
    shown = []

    def show(value):
        try:
            text = repr(value() if callable(value) else value)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        text = re.sub(r"\bnp\.\w+\(([^()]*)\)", r"\1", text).replace("np.False_", "False").replace("np.True_", "True")
        text = re.sub(r"(?<=[/'])_\d+_", "_N_", text)
        shown.append(" ".join(re.split(r"\s*\[\[node|\n\t |\nOriginal|\nErrors may", text)[0].split()))

    with tf.Graph().as_default(), tf.Session() as session:
        program(Graph(tf, session), show)
    return shown


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, each) for name, each in programs(tensorflow).items()}
    print(json.dumps(table, indent=0, sort_keys=True))
