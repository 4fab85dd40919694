"""A program that checks that lazily loaded or registered parts of the package work when several threads use them first.

Each case is a forked child of a process that has only imported the package. The argument is a seed for the combination
of uses; each use is in one case, on two threads. Prints as JSON the number of uses and the errors.
"""

import json
import os
import random
import sys
import tempfile
import threading
import traceback

import numpy as np

import tinytf as tf

_TOGETHER = 3  # uses per case


def _run(fetches, feed=None):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(fetches, feed)


def _gradient(build):
    x = tf.constant([[1.0, 2.0], [3.0, 5.0]])
    return _run(tf.gradients(build(x), x)[0])


def conditional():
    assert _run(tf.cond(tf.constant(True), lambda: tf.constant(1.0), lambda: tf.constant(2.0))) == 1


def case():
    assert _run(tf.case([(tf.constant(True), lambda: tf.constant(1.0))], default=lambda: tf.constant(2.0))) == 1


def loop():
    assert _run(tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])) == 3


def loop_gradient():
    _gradient(lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y), [0, x])[1])


def array():
    assert _run(tf.TensorArray(tf.float32, 1).write(0, 2.0).read(0)) == 2


def mapped():
    assert _run(tf.map_fn(lambda x: x * 2, tf.range(3))).tolist() == [0, 2, 4]


def scanned():
    assert _run(tf.scan(lambda a, x: a + x, tf.range(4))).tolist() == [0, 1, 3, 6]


def math_gradient():
    _gradient(lambda x: tf.reduce_sum(tf.matmul(x, x) * tf.exp(x)))


def net_gradient():
    _gradient(lambda x: tf.nn.softmax_cross_entropy_with_logits_v2(labels=x, logits=tf.nn.relu(x)))


def own_gradient():
    tf.RegisterGradient(f"Own{threading.get_ident()}")(lambda op, grad: grad)
    with tf.get_default_graph().gradient_override_map({"Relu": f"Own{threading.get_ident()}"}):
        _gradient(tf.nn.relu)


def custom_gradient():
    _gradient(tf.custom_gradient(lambda x: (x * 2, lambda g: g * 3)))


def optimizers():
    v = tf.Variable(1.0)
    for kind in (tf.train.AdamOptimizer, tf.train.MomentumOptimizer):
        _run(kind(0.1, *([0.9] if kind is tf.train.MomentumOptimizer else [])).minimize(v * v))


def scopes():
    with tf.variable_scope("s", initializer=tf.glorot_uniform_initializer(seed=1), use_resource=True):
        assert _run(tf.get_variable("v", [2, 2])).shape == (2, 2)


def pieces():
    assert _run(tf.get_variable("v", [4, 2], partitioner=tf.fixed_size_partitioner(2)).as_tensor()).shape == (4, 2)


def saving():
    v, folder = tf.Variable([1.0]), tempfile.mkdtemp()
    with tf.Session() as sess:
        sess.run(v.initializer)
        path = tf.train.Saver().save(sess, folder + "/m", 1)
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.train.import_meta_graph(path + ".meta").restore(sess, path)


def objects():
    v, folder = tf.Variable([1.0]), tempfile.mkdtemp()
    with tf.Session() as sess:
        sess.run(v.initializer)
        tf.train.Checkpoint(v=v).save(folder + "/m", sess)


def models():
    x = tf.placeholder(tf.float32, [])
    with tf.Session() as sess:
        tf.saved_model.simple_save(sess, tempfile.mkdtemp() + "/model", {"x": x}, {"y": x + 1.0})


def graph_defs():
    tf.constant(1.0)
    definition = tf.get_default_graph().as_graph_def(add_shapes=True)
    with tf.Graph().as_default():
        tf.import_graph_def(definition, name="")


def messages():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    tf.train.Example.FromString(tf.train.Example().SerializeToString())
    with tf.Session(config=config) as sess:
        sess.run(tf.constant(1), options=tf.RunOptions(), run_metadata=tf.RunMetadata())


def examples():
    features = {"a": tf.FixedLenFeature([], tf.int64)}
    example = tf.train.Example()
    example.features.feature["a"].int64_list.value.append(3)
    assert _run(tf.parse_single_example(example.SerializeToString(), features)["a"]) == 3


def queues():
    queue = tf.FIFOQueue(2, tf.float32)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)]))
    coord = tf.train.Coordinator()
    with tf.Session() as sess:
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(queue.dequeue()) == 1
        coord.request_stop()
        coord.join(threads)


def batches():
    tf.train.batch([tf.constant(1.0)], 2)
    tf.train.string_input_producer(["a"])


def python_functions():
    assert _run(tf.py_func(lambda x: x + np.float32(1), [1.0], tf.float32)) == 2


def summaries():
    tf.summary.scalar("s", 1.0)
    tf.summary.histogram("h", [1.0])
    writer = tf.summary.FileWriter(tempfile.mkdtemp(), tf.get_default_graph())
    writer.add_summary(_run(tf.summary.merge_all()), 1)
    writer.close()


def monitored():
    op = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    with tf.train.MonitoredTrainingSession(checkpoint_dir=tempfile.mkdtemp(), log_step_count_steps=None) as sess:
        assert sess.run(op) == 1


def servers():
    server = tf.train.Server.create_local_server()
    with tf.Session(server.target) as sess:
        sess.run(tf.constant(1))
    server.stop()


def losses():
    _run(tf.losses.mean_squared_error([1.0], [2.0]))


def metrics():
    tf.metrics.mean([1.0])


def recurrent():
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(2), tf.ones([1, 2, 3]), dtype=tf.float32)


def definitions():
    from tinytf.python.framework.function import Defun

    @Defun(tf.float32)
    def f(x):
        return x * 2

    assert _run(f(3.0)) == 6


def traced():
    @tf.function
    def f(x):
        if x > 0:
            x = x * 2
        return x

    assert _run(f(tf.constant(3.0))) == 6


def random_numbers():
    tf.set_random_seed(1)
    _run([tf.random_normal([2], seed=1), tf.random_uniform([2]), tf.random.shuffle([1, 2])])


def added_types():
    import ml_dtypes

    assert tf.as_dtype(np.dtype(ml_dtypes.float8_e4m3fn)) and tf.as_dtype(ml_dtypes.bfloat16) is tf.bfloat16
    _run(tf.cast(tf.constant([1.0]), tf.bfloat16) + 1)


class _Own:
    pass


def conversions():
    kind = type("Own", (_Own,), {})
    tf.register_tensor_conversion_function(kind, lambda value, dtype=None, name=None, as_ref=False: tf.constant(7.0))
    assert _run(tf.convert_to_tensor(kind()) + 1.0) == 8


def sparse():
    value = tf.SparseTensor([[0, 1]], [2.0], [1, 3])
    _run(tf.sparse_tensor_to_dense(value))
    _run(value)


def texts():
    _run(tf.string_join(["a", tf.as_string(tf.constant(1))]))


def images():
    _run(tf.image.resize_bilinear(tf.ones([1, 2, 2, 1]), [3, 3]))


def algebra():
    _run(tf.linalg.trace(tf.eye(2)) + tf.einsum("ij,jk->ik", tf.eye(2), tf.eye(2)))


def records():
    path = tempfile.mkdtemp() + "/r"
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(b"a")
    assert list(tf.python_io.tf_record_iterator(path)) == [b"a"]


def files():
    path = tempfile.mkdtemp() + "/f"
    with tf.gfile.GFile(path, "w") as file:
        file.write("a")
    assert tf.gfile.Glob(path + "*") == [path]


def nested():
    assert tf.nest.flatten({"a": [1, 2]}) == [1, 2]
    tf.contrib.framework.nest.flatten([1])


def raw():
    _run(tf.raw_ops.Add(x=1.0, y=2.0))
    tf.compat.v1.squeeze([[1]])


def paths():
    from tinytf.python.framework import ops
    from tinytf.python.ops import array_ops, math_ops

    assert _run(math_ops.add(array_ops.ones([]), ops.convert_to_tensor(1.0))) == 2


def contrib():
    tf.contrib.framework.get_or_create_global_step()
    tf.contrib.training.HParams(a=1)


def errors():
    with tf.Session() as sess:
        try:
            sess.run(tf.placeholder(tf.float32, name="x"))
        except tf.errors.InvalidArgumentError as error:
            assert "You must feed" in error.message
        else:
            raise AssertionError


def missing_names():
    try:
        _ = tf.no_such_name
    except AttributeError as error:
        assert "neither tinytf nor TensorFlow 1.15 has tf.no_such_name" in str(error)


def eager_session():
    with tf.EagerSession():
        assert float(tf.constant(1.0) + 2.0) == 3


def estimator():
    tf.estimator.EstimatorSpec("infer", predictions=tf.constant(1.0))


def traces():
    with tf.Session() as sess, sess.trace(tempfile.mkdtemp() + "/t"):
        sess.run(tf.constant(1.0) + 1.0)


USES = [
    f
    for name, f in list(globals().items())
    if callable(f) and f.__module__ == __name__ and name.islower() and name[0] != "_"
]


def _errors_of(uses):
    """The errors of the uses, each on its own thread and graph, all started at the same time."""
    raised, bar = [], threading.Barrier(len(uses))

    def work(use):
        bar.wait()
        try:
            with tf.Graph().as_default():
                use()
        except BaseException:
            raised.append(f"{use.__name__} beside {[other.__name__ for other in uses]}:\n{traceback.format_exc()}")

    threads = [threading.Thread(target=work, args=(use,)) for use in uses]
    sys.setswitchinterval(1e-6)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def _in_child(uses):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        tf.get_logger().setLevel("ERROR")
        with os.fdopen(write, "w") as to:
            json.dump(_errors_of(uses), to)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        said = answer.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return json.loads(said) if status == 0 else [f"{[use.__name__ for use in uses]} ended with {status}"]


def main(seed):
    mixed = random.Random(int(seed)).sample(USES, len(USES))
    cases = [mixed[i : i + _TOGETHER] * 2 for i in range(0, len(mixed), _TOGETHER)]
    raised = [error for uses in cases for error in _in_child(uses)]
    print(json.dumps([len(USES), raised]))


if __name__ == "__main__":
    main(*sys.argv[1:])
