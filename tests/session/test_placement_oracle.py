"""A session's placement messages equal TensorFlow's for the same programs."""

import pytest

import tinytf as tf

_ERRORS = r"""
import re
result = []

def constant(name, device, *groups):
    with tf.device(lambda op: device):
        c = tf.constant(1.0, name=name)
    if groups:
        c.op._set_attr("_class", tf.AttrValue(list=tf.AttrValue.ListValue(s=[("loc:@" + g).encode() for g in groups])))
    return c

def run(soft, *wanted):
    with tf.Graph().as_default():
        made = [constant(*w) for w in wanted]
        with tf.device(None), tf.device("/cpu:1"):
            first = tf.negative(made[0], name="first")
        second = tf.negative(first, name="second")
        if len(wanted) > 2:
            second.op._set_attr("_class", tf.AttrValue(list=tf.AttrValue.ListValue(s=[b"loc:@c"])))
        config = tf.ConfigProto(device_count={"CPU": 2}, allow_soft_placement=soft)
        with tf.Session(config=config) as sess:
            try:
                result.append(sess.run(made + [first, second]))
            except tf.errors.OpError as e:
                text = e.message.split("Additional information")[0].split("\n\nErrors may have")[0]
                text = re.sub(r"(?s)^Graph execution error:.*\nNode: '[^']*'\n", "", text)
                text = re.sub(r"\{\{(colocation_)?node (\w+)\}\}", r"node \2", text)
                devices = r"(placed on device (No device assign.*? creation\.|Device assign.*?: <\S*:\d+>) )?"
                text = re.sub(r"(?s) \(defined at [^)]*\) " + devices, "", text)
                text = text.replace(" The requested device appears to be a GPU, but CUDA is not enabled.", "")
                text = text.replace("op device:{requested: '/foo', assigned: ''}", "op device:{}")
                text = re.sub("value=.*?>", "value", text)
                text = re.sub("(?s)supported devices: .*members, ", "", text)  # the kinds of devices are in no order
                result.append((type(e).__name__, text))

devices = ["", "/", "/cpu:0", "/cpu:1", "/cpu:2", "/gpu:0", "/device:TPU:*", "/job:localhost", "/job:x/cpu:0", "/task:1",
           "/replica:0", "/device:*:1", "/device:cpu:0", "/job:x/job:localhost/cpu:0/cpu:1"]
for soft in (False, True):
    for device in devices + ["/foo"]:
        run(soft, ("a", device))
    for one in devices:
        for other in devices:
            run(soft, ("a", one), ("b", other, "a"))
            run(soft, ("a", one), ("b", "", "c"), ("c", other, "a", "d"))
"""


_LOGS = r"""
import contextlib, ctypes, io, os, random, sys, tempfile

def printed(run):
    out = io.StringIO()
    with tempfile.TemporaryFile() as file, contextlib.redirect_stdout(out):
        sys.stdout.flush()
        saved = os.dup(1)
        os.dup2(file.fileno(), 1)  # TensorFlow prints past Python
        try:
            run()
        finally:
            ctypes.CDLL(None).fflush(None)
            os.dup2(saved, 1)
            os.close(saved)
        file.seek(0)
        return (out.getvalue() + file.read().decode()).replace("Device mapping: no known devices.\n", "")

def grow(rng):
    tensors, variables = [tf.constant(1.0, name="n0")], []
    for i in range(1, rng.randrange(4, 24)):
        device = rng.choice([None, None, None, "/cpu:0", "/cpu:1", "/cpu:2", "/cpu:*", "/job:localhost"])
        with contextlib.ExitStack() as scopes:
            if rng.random() < 0.2:
                scopes.enter_context(tf.colocate_with(rng.choice(tensors + variables)))
            if rng.random() < 0.2:
                scopes.enter_context(tf.control_dependencies([rng.choice(tensors)]))
            scopes.enter_context(tf.device(device))
            kind, x, name = rng.randrange(9), rng.choice(tensors), f"n{i}"
            if kind == 0:
                tensors.append(tf.constant(1.0, name=name))
            elif kind == 1:
                tensors.append(tf.placeholder(tf.float32, [], name=name))
            elif kind == 2:
                variables.append(tf.Variable(1.0, name=name, use_resource=rng.random() < 0.5, trainable=False))
            elif kind == 3 and variables:
                tf.assign(rng.choice(variables), 2.0, name=name)
            elif kind == 4 and variables:
                v = rng.choice(variables)
                if v.op.type == "VariableV2":
                    tensors.append(tf.negative(v.value(), name=name))
                else:
                    tensors.append(tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=v.dtype, name=name))
            elif kind == 5:
                tf.raw_ops.Shape(input=x, name=name)
            elif kind == 6:
                tensors.append(tf.multiply(x, rng.choice(tensors), name=name))
            else:
                tensors.append(tf.negative(x, name=name))
    return tensors[-1]

def log(seed, soft):
    with tf.Graph().as_default():
        fetch = grow(random.Random(seed))
        nodes = [(op.name, op.type, op.device, op.colocation_groups()) for op in tf.get_default_graph().get_operations()]
        config = tf.ConfigProto(device_count={"CPU": 3}, log_device_placement=True, allow_soft_placement=soft)
        config.graph_options.place_pruned_graph = PRUNED
        failures = []

        def run():
            with tf.Session(config=config) as sess:
                try:
                    sess.run(fetch)
                except tf.errors.OpError as e:  # values may be missing too
                    if "Cannot colocate" in e.message or "Cannot assign" in e.message:
                        failures.append(e)

        lines = printed(run).splitlines()
        # TensorFlow places its own nodes for results too.
        return nodes, "fails" if failures else [line for line in lines if not line.startswith("_")]

result = [log(seed, soft) for seed in range(SEEDS) for soft in (False, True)]
"""


def _run(source, **inputs):
    names = {"tf": tf, **inputs}
    exec(source, names)
    return names["result"]


@pytest.mark.oracle
def test_same_errors(oracle):
    ours, theirs = _run(_ERRORS), oracle(_ERRORS)
    assert len(ours) == len(theirs) > 800
    assert [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]] == []


@pytest.mark.oracle
@pytest.mark.parametrize("pruned", [False, True])
def test_same_choices(oracle, pruned):
    """Random graphs: the log names the device of every node, in the order of placement."""
    ours, theirs = (run(_LOGS, SEEDS=150, PRUNED=pruned) for run in (_run, oracle))
    assert sum(map(len, (log for _, log in ours))) > 500
    for own, other in zip(ours, theirs, strict=True):
        assert own == other
