"""GraphDefs of early versions with stacks and TensorArrays of the first generations, by name. `python
early_array_programs.py` imports them into TensorFlow 1.15 and prints the outcomes.
"""

import json
import re

import numpy as np

FLOAT, INT = np.float32, np.int32
# The suffix of ops of each generation; handles of the first generation are references.
GENERATIONS = {"": "Ref", "V2": ""}


class Nodes:
    """Builds a GraphDef: each call adds a node and returns its name."""

    def __init__(self, tf):
        self._tf = tf
        self.graph_def = tf.GraphDef()
        self.graph_def.versions.producer = 10

    def __call__(self, op, *inputs, name=None, after=(), **attrs):
        node = self.graph_def.node.add(name=name or f"{op}_{len(self.graph_def.node)}", op=op)
        node.input.extend([*inputs, *(f"^{other}" for other in after)])
        for attr, value in attrs.items():
            self._set(node.attr[attr], value)
        return node.name

    def _set(self, attr, value):
        if isinstance(value, type):
            attr.type = (self._tf.string if value is str else self._tf.as_dtype(value)).as_datatype_enum
        elif isinstance(value, bool):
            attr.b = value
        elif isinstance(value, int):
            attr.i = value
        elif isinstance(value, str):
            attr.s = value.encode()
        elif isinstance(value, list):
            attr.shape.SetInParent()
            for size in value:
                attr.shape.dim.add(size=size)
        else:
            attr.tensor.CopyFrom(self._tf.make_tensor_proto(value))

    def constant(self, value, dtype=FLOAT, after=()):
        return self("Const", dtype=dtype, value=np.array(value, dtype), after=after)

    def reference(self, value):
        """An assigned reference variable of these strings."""
        value = np.array(value, object)
        variable = self("VariableV2", dtype=str, shape=list(value.shape))
        return self("Assign", variable, self("Const", dtype=str, value=value), T=str, validate_shape=False)


class Loop:
    """`while i < limit: i = i + 1` with one more loop variable. `done` holds the names of the results; `i` and
    `value` are the body's values.
    """

    def __init__(self, nodes, frame, limit, value, after=()):
        self._nodes, self._frame = nodes, frame
        start = nodes("Identity", nodes.constant(0, INT), T=INT, after=after)
        merges = [self._merge(start, INT), self._merge(value, FLOAT)]
        going = nodes("LoopCond", nodes("Less", merges[0], self.enter(nodes.constant(limit, INT), INT), T=INT))
        switches = [nodes("Switch", merge, going, T=t) for merge, t in zip(merges, (INT, FLOAT))]
        self.i, self.value = (
            nodes("Identity", f"{switch}:1", T=dtype) for switch, dtype in zip(switches, (INT, FLOAT))
        )
        self.done = nodes("Exit", switches[1], T=FLOAT)
        self._merges = merges

    def _merge(self, value, dtype):
        enter = self._nodes("Enter", value, T=dtype, frame_name=self._frame)
        return self._nodes("Merge", enter, enter, T=dtype, N=2)

    def _counted(self):
        one = self._nodes.constant(1, INT, after=[self.i])
        return self._nodes("Add", self.i, one, T=INT)

    def enter(self, value, dtype, kind=""):
        return self._nodes(f"{kind}Enter", value, T=dtype, frame_name=self._frame, is_constant=True)

    def end(self, value):
        """Closes the loop; `value` is the next value of the second loop variable."""
        ends = {self._merges[0]: (self._counted(), INT), self._merges[1]: (value, FLOAT)}
        for node in self._nodes.graph_def.node:
            if node.name in ends:
                following, dtype = ends[node.name]
                node.input[1] = self._nodes("NextIteration", following, T=dtype)
        return self.done


def programs(tf):
    """Functions by name, each of which takes `Nodes` and returns the fetches; `tf` is tinytf or TensorFlow."""
    found = {}

    def program(function, name=None, *arguments):
        found[name or function.__name__] = lambda nodes: function(nodes, *arguments)
        return function

    def for_generations(function):
        for suffix in GENERATIONS:
            program(function, f"{function.__name__}{suffix or 'V1'}", suffix)
        return function

    def array(nodes, suffix, size, **attrs):
        return nodes(f"TensorArray{suffix}", nodes.constant(size, INT), name="ta", dtype=FLOAT, **attrs)

    def handle_of(nodes, suffix, value):
        if not suffix:
            return nodes.reference(value)
        return nodes("Const", dtype=str, value=np.array(value, object))

    def grad(nodes, suffix, handle, flow):
        return nodes(f"TensorArrayGrad{suffix}", handle, flow, source="gradients")

    # --- stacks

    @program
    def loop_pushes_what_another_pops(nodes):
        stack = nodes("Stack", elem_type=FLOAT, name="s")
        forward = Loop(nodes, "forward", 5, nodes.constant(1.0))
        handle = forward.enter(stack, str, "Ref")
        pushed = nodes("StackPush", handle, forward.value, T=FLOAT)
        doubled = nodes("Add", pushed, nodes("Cast", forward.i, SrcT=INT, DstT=FLOAT), T=FLOAT)
        last = forward.end(nodes("Add", doubled, forward.value, T=FLOAT))
        backward = Loop(nodes, "backward", 5, nodes.constant(0.0), after=[last])
        handle = backward.enter(stack, str, "Ref")
        popped = nodes("StackPop", handle, after=[backward.i], elem_type=FLOAT)
        tripled = nodes("Add", nodes("Add", backward.value, backward.value, T=FLOAT), backward.value, T=FLOAT)
        return last, backward.end(nodes("Sub", popped, tripled, T=FLOAT))

    @program
    def stacks_of_one_node_in_a_loop_are_many(nodes):
        loop = Loop(nodes, "loop", 3, nodes.constant(1.0))
        stack = nodes("Stack", name="s", after=[loop.i], elem_type=FLOAT)
        pushed = nodes("StackPush", stack, loop.value, T=FLOAT)
        popped = nodes("StackPop", stack, after=[pushed], elem_type=FLOAT)
        closed = nodes("StackClose", stack, after=[popped])
        return (loop.end(nodes("Add", popped, pushed, after=[closed], T=FLOAT)),)

    @program
    def stack_pops_in_reverse(nodes):
        stack = nodes("Stack", elem_type=FLOAT, stack_name="s")
        first = nodes("StackPush", stack, nodes.constant([1, 2]), T=FLOAT)
        second = nodes("StackPush", stack, nodes.constant(3), after=[first], T=FLOAT, swap_memory=True)
        popped = nodes("StackPop", stack, after=[second], elem_type=FLOAT)
        return popped, nodes("StackPop", stack, after=[popped], elem_type=FLOAT)

    @program
    def stack_passes_a_switch(nodes):
        stack = nodes("Stack", elem_type=FLOAT, name="s")
        switch = nodes("RefSwitch", stack, nodes("Const", dtype=bool, value=np.array(True)), T=str)
        pushed = nodes("StackPush", f"{switch}:1", nodes.constant(4), T=FLOAT)
        return (nodes("StackPop", nodes("RefIdentity", stack, T=str), after=[pushed], elem_type=FLOAT),)

    @program
    def stack_is_empty(nodes):
        return (nodes("StackPop", nodes("Stack", elem_type=FLOAT, name="s"), elem_type=FLOAT),)

    @program
    def stack_is_closed(nodes):
        stack = nodes("Stack", elem_type=FLOAT, name="s")
        closed = nodes("StackClose", stack)
        return (nodes("StackPush", stack, nodes.constant(1), after=[closed], T=FLOAT),)

    @program
    def stack_of_another_type(nodes):
        return (nodes("StackPush", nodes("Stack", elem_type=FLOAT, name="s"), nodes.constant(1, INT), T=INT),)

    @program
    def stack_pops_another_type(nodes):
        stack = nodes("Stack", elem_type=FLOAT, name="s")
        pushed = nodes("StackPush", stack, nodes.constant(1), T=FLOAT)
        return (nodes("StackPop", stack, after=[pushed], elem_type=INT),)

    @program
    def stack_handle_says(nodes):
        return (nodes("Stack", elem_type=FLOAT, stack_name="s"),)

    @program
    def stack_handle_is_overwritten(nodes):
        stack = nodes("Stack", elem_type=FLOAT, name="s")
        text = nodes("Const", dtype=str, value=np.array(["_stacks", "of nobody"], object))
        return (nodes("StackPop", nodes("Assign", stack, text, T=str), elem_type=FLOAT),)

    # --- arrays

    @for_generations
    def loop_reads_and_writes(nodes, suffix):
        read, written = (
            array(nodes, suffix, 4),
            nodes(f"TensorArray{suffix}", nodes.constant(1, INT), name="ta_2", dtype=FLOAT, dynamic_size=True),
        )
        indices = nodes.constant([3, 2, 1, 0], INT)
        rows = nodes.constant([[1, 2], [3, 4], [5, 6], [7, 8]])
        filled = nodes(f"TensorArrayScatter{suffix}", read, indices, rows, nodes.constant(0), T=FLOAT)
        loop = Loop(nodes, "loop", 4, filled)
        kind = GENERATIONS[suffix]
        value = nodes(f"TensorArrayRead{suffix}", loop.enter(read, str, kind), loop.i, loop.value, dtype=FLOAT)
        value = nodes("Add", value, nodes("Cast", loop.i, SrcT=INT, DstT=FLOAT), T=FLOAT)
        into = loop.enter(written, str, kind)
        flow = loop.end(nodes(f"TensorArrayWrite{suffix}", into, loop.i, value, loop.value, T=FLOAT))
        size = nodes(f"TensorArraySize{suffix}", written, flow)
        order = nodes.constant([0, 1, 2, 3], INT)
        return nodes(f"TensorArrayGather{suffix}", written, order, flow, dtype=FLOAT, element_shape=[2]), size

    @for_generations
    def split_and_concat(nodes, suffix):
        handle = array(nodes, suffix, 3, clear_after_read=False)
        lengths = nodes.constant([2, 0, 1], np.int64)
        value = nodes.constant([[1, 2], [3, 4], [5, 6]])
        flow = nodes(f"TensorArraySplit{suffix}", handle, value, lengths, nodes.constant(0), T=FLOAT)
        joined = nodes(f"TensorArrayConcat{suffix}", handle, flow, dtype=FLOAT, element_shape_except0=[2])
        return joined, f"{joined}:1"

    @for_generations
    def gradient_adds(nodes, suffix):
        handle = array(nodes, suffix, 2)
        zero, value = nodes.constant(0, INT), nodes.constant([1, 2])
        flow = nodes(f"TensorArrayWrite{suffix}", handle, zero, value, nodes.constant(0), T=FLOAT)
        first, second = grad(nodes, suffix, handle, flow), grad(nodes, suffix, handle, flow)
        flow = nodes(f"TensorArrayWrite{suffix}", first, zero, value, flow, T=FLOAT)
        flow = nodes(f"TensorArrayWrite{suffix}", second, zero, nodes.constant([10, 20]), flow, T=FLOAT)
        return nodes(f"TensorArrayRead{suffix}", first, zero, flow, dtype=FLOAT), first

    @for_generations
    def gradient_of_a_gradient(nodes, suffix):
        handle = grad(nodes, suffix, array(nodes, suffix, 2), nodes.constant(0))
        return (grad(nodes, suffix, handle, nodes.constant(0)),)

    @for_generations
    def gradient_of_a_stack(nodes, suffix):
        return (grad(nodes, suffix, nodes("Stack", elem_type=FLOAT, name="s"), nodes.constant(0)),)

    @for_generations
    def array_is_closed(nodes, suffix):
        handle = array(nodes, suffix, 2)
        closed = nodes(f"TensorArrayClose{suffix}", handle)
        return (nodes(f"TensorArraySize{suffix}", handle, nodes.constant(0), after=[closed]),)

    @for_generations
    def array_handle_says(nodes, suffix):
        return (array(nodes, suffix, 2, tensor_array_name="ta"),)

    @for_generations
    def array_of_negative_size(nodes, suffix):
        return (array(nodes, suffix, -1),)

    @for_generations
    def array_of_zeros(nodes, suffix):
        handle = array(nodes, suffix, 2, element_shape=[2])
        return (nodes(f"TensorArrayRead{suffix}", handle, nodes.constant(1, INT), nodes.constant(0), dtype=FLOAT),)

    @for_generations
    def array_of_another_type(nodes, suffix):
        handle, zero = array(nodes, suffix, 2), nodes.constant(0, INT)
        return (nodes(f"TensorArrayWrite{suffix}", handle, zero, zero, nodes.constant(0), T=INT),)

    @for_generations
    def array_is_a_stack(nodes, suffix):
        stack = nodes("Stack", elem_type=FLOAT, name="s")
        return (nodes(f"TensorArraySize{suffix}", stack, nodes.constant(0)),)

    @program
    def stack_is_an_array(nodes):
        return (nodes("StackPop", array(nodes, "", 2), elem_type=FLOAT),)

    @program
    def strings_are_no_reference(nodes):
        return (nodes("TensorArraySize", array(nodes, "V2", 2), nodes.constant(0)),)

    @program
    def references_are_strings(nodes):
        return (nodes("TensorArraySizeV2", array(nodes, "", 2), nodes.constant(0)),)

    def strings(nodes, op, suffix, value):
        handle = handle_of(nodes, suffix, value)
        if op == "StackPop":
            return (nodes(op, handle, elem_type=FLOAT),)
        if op == "TensorArrayGrad":
            return (grad(nodes, suffix, handle, nodes.constant(0)),)
        return (nodes(op + suffix, handle, nodes.constant(0)),)

    values = {
        "none": [],
        "one": ["_stacks"],
        "three": ["_stacks", "s_0", ""],
        "a_scalar": "s",
        "a_row": [["_stacks", "s"]],
    }
    values.update({"nobodys": ["_tensor_arrays", "ta_0"], "empty": ["", ""], "odd": ["\xff/^:", "_stackss_0" * 300]})
    for op, suffix in (("StackPop", ""), ("TensorArraySize", ""), ("TensorArraySize", "V2"), ("TensorArrayGrad", "")):
        for kind, value in values.items():
            program(strings, f"{op}{suffix}_of_strings_that_are_{kind}", op, suffix, value)

    # --- ops that exist only in the first generation

    def unpack(nodes, handle, value):
        return nodes("TensorArrayUnpack", handle, value, nodes.constant(0), T=FLOAT)

    def pack(nodes, handle, flow, **attrs):
        return nodes("TensorArrayPack", handle, flow, dtype=FLOAT, **attrs)

    def packed(nodes, size, value, grows=False, **attrs):
        handle = array(nodes, "", size, dynamic_size=grows)
        return (pack(nodes, handle, unpack(nodes, handle, nodes.constant(value)), **attrs),)

    rows = [[1, 2], [3, 4], [5, 6]]
    program(packed, "unpacked_and_packed", 3, rows)
    program(packed, "unpacked_into_less", 2, rows)
    program(packed, "unpacked_into_more", 4, rows)
    program(packed, "unpacked_into_what_grows", 1, rows, True)
    program(packed, "unpacked_into_what_has_grown", 4, rows, True)
    program(packed, "unpacked_scalar", 1, 5)

    @program
    def packed_as_another_shape(nodes):
        return packed(nodes, 3, rows, element_shape=[3])

    @program
    def packed_none(nodes):
        return (pack(nodes, array(nodes, "", 0), nodes.constant(0), element_shape=[2, 3]),)

    @program
    def packed_none_of_unknown_shape(nodes):
        return (pack(nodes, array(nodes, "", 0), nodes.constant(0)),)

    @program
    def packed_different_shapes(nodes):
        handle = array(nodes, "", 2)
        flow = nodes("TensorArrayWrite", handle, nodes.constant(0, INT), nodes.constant(1), nodes.constant(0), T=FLOAT)
        flow = nodes("TensorArrayWrite", handle, nodes.constant(1, INT), nodes.constant([1]), flow, T=FLOAT)
        return (pack(nodes, handle, flow),)

    @program
    def packed_gradient_of_what_was_unpacked(nodes):
        handle = array(nodes, "", 2)
        flow = unpack(nodes, handle, nodes.constant(rows[:2]))
        gradient = grad(nodes, "", handle, flow)
        flow = nodes("TensorArrayUnpack", gradient, nodes.constant(rows[1:]), flow, T=FLOAT)
        return (pack(nodes, gradient, flow),)

    return found


def outcome(tf, build):
    """The results of two steps of the GraphDef with the static shapes, or its error, as text."""
    nodes = Nodes(tf)
    fetches = build(nodes)
    with tf.Graph().as_default():
        try:
            tensors = tf.import_graph_def(nodes.graph_def, return_elements=[_output(name) for name in fetches], name="")
        except ValueError as error:
            return f"ValueError: {error}"
        shapes = [str(tensor.shape) for tensor in tensors]
        config = tf.ConfigProto()  # TensorFlow's optimizer removes pushes without a pop
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        with tf.Session(config=config) as session:
            return [shapes, *(_step(tf, session, tensors) for _ in range(2))]


def _step(tf, session, tensors):
    try:
        return [_text(value) for value in session.run(tensors)]
    except tf.errors.OpError as error:
        message = re.sub(r"(ta(_2)?|s)_\d+", r"\1_N", error.message.split("\n")[0])
        message = re.sub(r"__per_step_\d+", "__per_step_N", re.sub(r" for node .*", " for node N", message))
        return f"{type(error).__name__}: {message}"


def _output(name):
    return name if ":" in name else f"{name}:0"


def _text(value):
    array = np.asarray(value)
    return re.sub(r"(ta(_2)?|s)_\d+", r"\1_N", f"{array.dtype.name} {list(array.shape)} {array.tolist()}")


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, build) for name, build in programs(tensorflow).items()}
    print(json.dumps(table, indent=1))
