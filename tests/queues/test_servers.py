"""Sessions of a server share variables until it is stopped; addresses that are not a server of this process are
refused.
"""

import socket
import threading

import pytest

import tinytf as tf

LOCAL = tf.train.Server.create_local_server


def _port(server):
    return int(server.target.rsplit(":", 1)[1])


def test_sessions_of_several_threads_share_variables():
    server = LOCAL()
    count = tf.Variable(0, use_resource=True)
    add = count.assign_add(1, read_value=False)
    with tf.Session(server.target) as session:
        session.run(count.initializer)

    def work():
        with tf.Session(server.target, graph=count.graph) as session:
            for _ in range(50):
                session.run(add)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with tf.Session(server.target) as session:
        assert session.run(count) == 200
    server.stop()


def test_stop_ends_sessions_and_join_and_frees_the_port(later):
    """TensorFlow's servers cannot be stopped."""
    server = LOCAL()
    queue = tf.FIFOQueue(1, tf.int32)
    session = tf.Session(server.target)
    future = later(session, queue.dequeue())
    joined = threading.Thread(target=server.join)
    joined.start()
    server.stop()
    joined.join()
    with pytest.raises(tf.errors.CancelledError):
        future.result()
    with pytest.raises(tf.errors.CancelledError, match="closed"):
        session.run(queue.size())
    session.close()
    with pytest.raises(tf.errors.NotFoundError, match="No server in this process has this target"):
        tf.Session(server.target)
    with socket.socket() as again:
        again.bind(("127.0.0.1", _port(server)))
    server.stop()


def test_stop_leaves_functions_behind_that_do_not_end(later, caplog):
    server = LOCAL()
    begun, ends = threading.Event(), threading.Event()

    def stuck():
        begun.set()
        ends.wait()
        return 1.0

    value, waits = tf.py_func(stuck, [], tf.float64), tf.FIFOQueue(1, tf.int32).dequeue()
    sessions = [tf.Session(server.target) for _ in range(2)]
    futures = [later(sessions[0], value), later(sessions[1], waits)]
    begun.wait()
    server.stop(grace_secs=0.1)
    with pytest.raises(tf.errors.CancelledError):
        futures[1].result()
    (text,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert text.startswith("The server stops although some steps are still running: ")
    assert f"stuck, {__file__}:" in text
    server.join()
    with pytest.raises(tf.errors.NotFoundError):
        tf.Session(server.target)
    server.stop()
    ends.set()
    with pytest.raises(tf.errors.CancelledError):
        futures[0].result()
    for session in sessions:
        session.close()


def test_a_port_that_is_taken_is_an_error():
    server = LOCAL()
    with pytest.raises(tf.errors.UnknownError, match="Could not start gRPC server"):
        tf.train.Server({"a": [f"localhost:{_port(server)}"]})
    server.stop()


def test_clusters_of_several_tasks_are_refused():
    with pytest.raises(tf.errors.UnimplementedError, match="only clusters of one task"):
        tf.train.Server({"ps": ["localhost:0"], "worker": ["localhost:0"]}, job_name="ps", task_index=0)


@pytest.mark.parametrize("address", ["localhost", "localhost:x", "localhost:99999", ""])
def test_addresses_without_a_port_are_refused(address):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse port for local server"):
        tf.train.Server({"a": [address]})


def test_a_server_that_is_not_started_has_no_sessions():
    server = LOCAL(start=False)
    with pytest.raises(tf.errors.NotFoundError):
        tf.Session(server.target)
    server.start()
    with tf.Session(server.target.replace("localhost", "127.0.0.1")) as session:
        assert session.run(tf.constant(1)) == 1
    server.stop()


def test_the_server_s_config_is_that_of_sessions_without_one():
    server = LOCAL(config=tf.ConfigProto(device_count={"CPU": 2}))
    with tf.Session(server.target) as session:
        assert len(session.list_devices()) == 2
    with tf.Session(server.target, config=tf.ConfigProto()) as session:
        assert len(session.list_devices()) == 1
    server.stop()


def test_a_reset_of_direct_sessions_leaves_servers_alone():
    server = LOCAL()
    v = tf.Variable(1.0)
    with tf.Session(server.target) as session:
        session.run(v.initializer)
        tf.Session.reset("")
        assert session.run(v) == 1.0
    server.stop()


def test_values_outlive_the_session_that_made_them():
    server = LOCAL()
    v = tf.Variable(tf.ones([1 << 16]), use_resource=False)
    queue = tf.FIFOQueue(3, tf.float32, shared_name="q")
    with tf.Session(server.target) as session:
        session.run(v.initializer)
        session.run(queue.enqueue(tf.fill([1 << 16], 2.0)))
    with tf.Session(server.target) as session:
        assert session.run(tf.reduce_sum(v)) == 1 << 16
        assert session.run(tf.reduce_sum(queue.dequeue())) == 2 << 16
        session.run(v.assign_add(v))
        assert session.run(tf.reduce_sum(v)) == 2 << 16
    server.stop()


def test_a_session_that_is_made_while_its_server_stops_ends(monkeypatch):
    server = LOCAL()
    new_engine = server._server.new_engine
    monkeypatch.setattr(server._server, "new_engine", lambda *given: server.stop() or new_engine(*given))
    with tf.Session(server.target) as session:
        with pytest.raises(tf.errors.CancelledError, match="closed"):
            session.run(tf.constant(1))
    server.start()
    with pytest.raises(tf.errors.NotFoundError):
        tf.Session(server.target)
