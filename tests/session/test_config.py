"""Effects of ConfigProto and RunOptions fields on sessions."""

import gc
import threading

import numpy as np
import pytest
from process_threads import thread_ids, threads, threads_come_down_to

import tinytf as tf

_OFF = tf.OptimizerOptions.L0


def _config(**fields):
    return tf.ConfigProto(**fields)


def _optimizer(**fields):
    return _config(graph_options=tf.GraphOptions(optimizer_options=tf.OptimizerOptions(**fields)))


def _pools(*pools):
    config = tf.ConfigProto()
    for number, name in pools:
        config.session_inter_op_thread_pool.add(num_threads=number, global_name=name)
    return config


@pytest.fixture
def branches():
    """x, and a sum of independent products, which is worth threads."""
    x = tf.placeholder(tf.float32, [128, 128])
    return x, tf.add_n([tf.matmul(x, x, transpose_a=bool(i % 2)) for i in range(8)])


def _run_wide(sess, branches, options=None):
    """Runs enough steps for the plan to be measured and to run on threads if allowed."""
    x, y = branches
    ones = np.ones([128, 128], np.float32)
    for _ in range(6):
        assert (sess.run(y, {x: ones}, options=options) == 1024).all()


# -- Threads -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [-1, 0, 1, 2, 7])
def test_any_number_of_threads_gives_the_same(branches, threads):
    with tf.Session(config=_config(inter_op_parallelism_threads=threads)) as sess:
        _run_wide(sess, branches)
    with tf.Session(config=_config(intra_op_parallelism_threads=max(threads, 0))) as sess:
        _run_wide(sess, branches)


def test_threads_by_the_environment(branches, monkeypatch):
    from tinytf._src.session.config import core_options

    monkeypatch.setenv("TF_NUM_INTRAOP_THREADS", "3")
    monkeypatch.setenv("TF_NUM_INTEROP_THREADS", "2")
    assert core_options(None) == {"intra_op_threads": 3, "inter_op_threads": 2}
    options = core_options(_config())
    assert (options["intra_op_threads"], options["inter_op_threads"]) == (3, 2)
    options = core_options(_config(intra_op_parallelism_threads=1, inter_op_parallelism_threads=-1))
    assert (options["intra_op_threads"], options["inter_op_threads"]) == (1, -1)  # the config takes precedence
    with tf.Session() as sess:
        _run_wide(sess, branches)
    monkeypatch.setenv("TF_NUM_INTRAOP_THREADS", "many")
    assert core_options(None) == {"intra_op_threads": 0, "inter_op_threads": 2}


def test_a_session_may_have_threads_of_its_own(branches):
    before = thread_ids()
    config = _config(use_per_session_threads=True, inter_op_parallelism_threads=3)
    sess, other = tf.Session(config=config), tf.Session(config=config)
    assert thread_ids() <= before  # threads start with the first step that needs them
    _run_wide(sess, branches)
    started = thread_ids() - before
    assert len(started) in (0, 3)  # as many as requested, if the plan is worth threads on this machine
    _run_wide(other, branches)
    sess.close()
    other.close()
    assert threads_come_down_to(len(before))


def test_the_callers_thread_alone(branches):
    before = threads()
    config = _config(use_per_session_threads=True, inter_op_parallelism_threads=-1)
    with tf.Session(config=config) as sess:
        _run_wide(sess, branches)
        assert threads_come_down_to(before)


def test_pools_of_the_session(branches):
    before = threads()
    with tf.Session(config=_pools((2, ""), (3, ""))) as sess:
        _run_wide(sess, branches)
        for pool in (0, 1, -1):
            _run_wide(sess, branches, tf.RunOptions(inter_op_thread_pool=pool))
        for pool in (2, -2):
            with pytest.raises(tf.errors.InvalidArgumentError, match=rf"^Invalid inter_op_thread_pool: {pool}$"):
                sess.run(
                    branches[1], {branches[0]: np.ones([128, 128])}, options=tf.RunOptions(inter_op_thread_pool=pool)
                )
        sess.close()
        assert threads_come_down_to(before)


def test_sessions_without_pools_have_one():
    x = tf.constant(1) + 1
    with tf.Session() as sess:
        assert sess.run(x, options=tf.RunOptions(inter_op_thread_pool=0)) == 2
        assert sess.run(x, options=tf.RunOptions(inter_op_thread_pool=-1)) == 2
        with pytest.raises(tf.errors.InvalidArgumentError, match="^Invalid inter_op_thread_pool: 1$"):
            sess.run(x, options=tf.RunOptions(inter_op_thread_pool=1))


@pytest.mark.keeps_state  # named pools last as long as the process
def test_named_pools_are_shared(branches):
    with tf.Session(config=_pools((2, "ours"))) as one, tf.Session(config=_pools((2, "ours"))) as two:
        _run_wide(one, branches)
        _run_wide(two, branches)
    text = "Pool ours configured previously with num_threads=2; cannot re-configure with num_threads=3"
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"^{text}$"):
        tf.Session(config=_pools((3, "ours")))
    with tf.Session(config=_pools((2, "ours"), (1, ""))) as sess:
        _run_wide(sess, branches)


def test_waiting_steps_on_every_kind_of_pool():
    queue = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    x = tf.placeholder(tf.float32, [])
    put, out = queue.enqueue(x), queue.dequeue() * 2
    for config in (_config(inter_op_parallelism_threads=-1), _config(use_per_session_threads=True), _pools((1, ""))):
        with tf.Session(config=config) as sess:
            assert sess.run([out, put], {x: 3})[0] == 6  # in either order


# -- Rewrites ----------------------------------------------------------------------------------------------------------


def _rewrites(config):
    """The numbers of folded and merged operations of a graph with one of each."""
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        x = tf.placeholder(tf.float32, [2])
        y = tf.exp(x) + tf.exp(x) + tf.log(tf.constant([2.0, 3.0]))
        assert sess.run(y, {x: [0, 0]}) == pytest.approx([2 + np.log(2), 2 + np.log(3)])
        report = sess.plan_report(y, [x])
        return report.folded, report.merged


def test_rewrites_are_on_by_default():
    assert _rewrites(None) == _rewrites(_config()) == _rewrites(_optimizer(opt_level=tf.OptimizerOptions.L1)) == (1, 1)


def test_each_rewrite_can_be_asked_for_alone():
    assert _rewrites(_optimizer(opt_level=_OFF)) == (0, 0)
    assert _rewrites(_optimizer(opt_level=_OFF, do_constant_folding=True)) == (1, 0)
    assert _rewrites(_optimizer(opt_level=_OFF, do_common_subexpression_elimination=True)) == (0, 1)
    assert _rewrites(_optimizer(opt_level=_OFF, do_function_inlining=True)) == (0, 0)
    assert _rewrites(_optimizer(do_constant_folding=False)) == (1, 1)  # the optimization level enables it


def test_large_results_are_not_folded():
    assert _rewrites(_optimizer(max_folded_constant_in_bytes=4)) == (0, 1)
    assert _rewrites(_optimizer(max_folded_constant_in_bytes=8)) == (1, 1)
    for default in (0, -1):
        assert _rewrites(_optimizer(max_folded_constant_in_bytes=default)) == (1, 1)


def test_no_rewrites_at_all():
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    assert _rewrites(config) == (0, 0)
    config.graph_options.optimizer_options.do_constant_folding = True
    assert _rewrites(config) == (0, 0)


# -- Experimental fields -----------------------------------------------------------------------------------------------


def _experimental(**fields):
    return _config(experimental=tf.ConfigProto.Experimental(**fields))


def test_executors():
    x = tf.constant(1) + 1
    for kind in ("", "DEFAULT", "SINGLE_THREADED_EXECUTOR"):
        with tf.Session(config=_experimental(executor_type=kind)) as sess:
            assert sess.run(x) == 2
    with tf.Session(config=_experimental(executor_type="TURBO")) as sess:  # the error comes with the first run
        for run in (
            lambda: sess.run(x),
            lambda: sess.run([x]),
            lambda: sess.make_callable(x)(),
            lambda: sess.partial_run_setup([x], []),
        ):
            with pytest.raises(
                tf.errors.NotFoundError,
                match="^No executor factory registered for the given executor type: TURBO Registered factories are "
                r"\{SINGLE_THREADED_EXECUTOR, , DEFAULT\}\.$",
            ):
                run()


def test_the_executor_of_one_thread_runs_all_on_the_thread_that_calls():
    threads = []

    def note(x):
        threads.append(threading.get_ident())
        return x

    parts = [tf.py_func(note, [float(i)], tf.float32) for i in range(8)]
    with tf.Session(config=_experimental(executor_type="SINGLE_THREADED_EXECUTOR")) as sess:
        for _ in range(5):
            assert sess.run(parts) == list(range(8))
        assert sess.run(tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])) == 3
    assert set(threads) == {threading.get_ident()}


def _named(name, version=0):
    config = tf.ConfigProto()
    config.experimental.session_metadata.name = name
    config.experimental.session_metadata.version = version
    return config


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_names_of_sessions_are_unique_while_they_are_open():
    taken = r"^A session with the same name and version has already been created: .*name: \"model\""
    first = tf.Session(config=_named("model", 1))
    with pytest.raises(tf.errors.InvalidArgumentError, match=taken):
        tf.Session(config=_named("model", 1))
    with tf.Session(config=_named("model", 2)), tf.Session(config=_named("other", 1)):
        pass
    first.close()
    second = tf.Session(config=_named("model", 1))
    first.close()  # a second close, when the name belongs to the other session
    with pytest.raises(tf.errors.InvalidArgumentError, match=taken):
        tf.Session(config=_named("model", 1))
    with pytest.warns(ResourceWarning, match="was not closed"):
        del second  # dropping a session closes it
        gc.collect()
    tf.Session(config=_named("model", 1)).close()


def test_names_are_free_again_if_there_is_no_session():
    config = _named("unlucky")
    config.session_inter_op_thread_pool.add(num_threads=1, global_name="lucky")
    clash = _named("unlucky")
    clash.session_inter_op_thread_pool.add(num_threads=2, global_name="lucky")
    tf.Session(config=config).close()
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Pool lucky configured previously"):
        tf.Session(config=clash)
    tf.Session(config=config).close()


def test_versions_are_not_negative():
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Session version shouldn't be negative: "):
        tf.Session(config=_named("model", -1))


def test_graphs_that_were_promised_not_to_grow():
    x = tf.constant(1) + 1
    with tf.Session(config=_experimental(optimize_for_static_graph=True)) as sess:
        assert sess.run(x) == 2
        assert sess.run([x, x]) == [2, 2]
        assert sess.make_callable(x)() == 2
        y = x + 1
        text = "^Extending the graph is not supported when `optimize_for_static_graph` is true.$"
        for run in (lambda: sess.run(y), lambda: sess.run(x), lambda: sess.make_callable(y)):
            with pytest.raises(tf.errors.FailedPreconditionError, match=text):
                run()
    with tf.Session() as sess:
        assert sess.run(y) == 3


# -- Fields without effect ---------------------------------------------------------------------------------------------


def test_fields_without_effect_are_accepted():
    config = tf.ConfigProto(
        placement_period=3,
        device_filters=["/job:ps"],
        isolate_session_state=True,
        gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.5, allow_growth=True, visible_device_list="0,1"),
        log_device_placement=False,
        allow_soft_placement=True,
        device_count={"GPU": 2},
    )
    config.graph_options.enable_recv_scheduling = True
    config.graph_options.enable_bfloat16_sendrecv = True
    config.graph_options.timeline_step = 5
    config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_2
    config.rpc_options.use_rpc_for_inprocess_master = True
    config.cluster_def.job.add(name="worker").tasks[0] = "localhost:1"
    config.experimental.collective_group_leader = "/job:worker"
    config.experimental.disable_thread_spinning = True
    before = config.SerializeToString(deterministic=True)
    with tf.Session(config=config) as sess:
        assert sess.run(tf.constant(1) + 1) == 2
    assert config.SerializeToString(deterministic=True) == before
