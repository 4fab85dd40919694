"""`await sess.run_async(…)` runs steps on threads while the event loop continues."""

import asyncio
import gc
import subprocess
import sys
import threading

import numpy as np
import pytest

import tinytf as tf


def _step_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("SessionRunAsync")]


def test_it_gives_what_run_gives():
    async def main():
        x = tf.placeholder(tf.float32, [2])
        y = x * 2
        with tf.Session() as sess:
            assert await sess.run_async(tf.constant(2) * 3) == 6
            found = await sess.run_async({"a": y, "b": [y.op]}, {x: [1, 2]})
            assert found["a"].tolist() == [2, 4] and found["b"] == [None]
            assert await sess.run_async(tf.no_op()) is None
            assert await sess.run_async([]) == []

    asyncio.run(main())
    assert _step_threads() == []


def test_options_and_metadata():
    from tinytf._src import protos

    async def main():
        x = tf.placeholder(tf.float32, [])
        with tf.Session() as sess:
            metadata = protos.RunMetadata()
            options = protos.RunOptions(trace_level=protos.RunOptions.FULL_TRACE)
            await sess.run_async(x + 1, {x: 1}, options=options, run_metadata=metadata)
            assert metadata.step_stats.dev_stats

    asyncio.run(main())


def test_steps_run_at_the_same_time():
    async def main():
        x = tf.placeholder(tf.float32, [])
        y = x * x
        with tf.Session() as sess:
            squares = await asyncio.gather(*(sess.run_async(y, {x: i}) for i in range(100)))
            assert squares == [i * i for i in range(100)]
            assert 1 <= len(_step_threads()) <= 32

    asyncio.run(main())
    assert _step_threads() == []


def test_steps_run_off_the_loops_thread():
    class Watched(tf.Session):
        def _run_cancellable(self, *args):
            names.append(threading.current_thread().name)
            return super()._run_cancellable(*args)

    async def main():
        with Watched() as sess:
            await sess.run_async(tf.no_op())

    names = []
    asyncio.run(main())
    assert [name[:16] for name in names] == ["SessionRunAsync_"]


def test_errors_are_those_of_run():
    async def main():
        x = tf.placeholder(tf.float32, [2], name="x")
        with tf.Session(graph=tf.Graph()) as empty:
            with pytest.raises(RuntimeError, match="^The Session graph is empty."):
                await empty.run_async([])
        with tf.Session() as sess:
            with pytest.raises(tf.errors.InvalidArgumentError, match="x"):
                await sess.run_async(x)
            with pytest.raises(TypeError):
                await sess.run_async(3)
            with pytest.raises(ValueError, match="Cannot feed value of shape"):
                await sess.run_async(x, {x: np.ones(3)})
            assert (await sess.run_async(x, {x: [1, 2]})).tolist() == [1, 2]
        with pytest.raises(RuntimeError, match="^Attempted to use a closed Session.$"):
            await sess.run_async(x)
        assert _step_threads() == []

    asyncio.run(main())


class _Gated(tf.Session):
    """A session whose steps wait for permission to start."""

    def __init__(self):
        super().__init__()
        self.begun, self.may_go_on = threading.Semaphore(0), threading.Event()

    def _run_cancellable(self, *args):
        self.begun.release()
        self.may_go_on.wait()
        return super()._run_cancellable(*args)


def test_a_cancelled_task_returns_at_once_and_the_session_stays_usable():
    async def main():
        v = tf.Variable(0, use_resource=True)
        add = v.assign_add(1)
        with _Gated() as sess:
            sess.run(v.initializer)
            tasks = [asyncio.create_task(sess.run_async(add)) for _ in range(40)]  # more tasks than threads
            await asyncio.to_thread(lambda: [sess.begun.acquire() for _ in range(32)])
            for task in tasks:
                task.cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(result, asyncio.CancelledError) for result in done)
            assert not sess.may_go_on.is_set()  # the steps of these tasks are still blocked
            sess.may_go_on.set()
            assert await sess.run_async(v + 1) == 1 and sess.run(v) == 0  # none of them had an effect

    asyncio.run(main())


def test_a_time_limit():
    async def main():
        with _Gated() as sess:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(sess.run_async(tf.constant(1)), 0.001)
            sess.may_go_on.set()
            assert await asyncio.wait_for(sess.run_async(tf.constant(1)), None) == 1

    asyncio.run(main())


def test_closing_joins_the_threads_and_fails_what_waits():
    async def main():
        sess = _Gated()
        tasks = [asyncio.create_task(sess.run_async(tf.constant(i))) for i in range(40)]
        await asyncio.to_thread(lambda: [sess.begun.acquire() for _ in range(32)])
        closing = asyncio.to_thread(sess.close)
        sess.may_go_on.set()
        await closing
        assert _step_threads() == []
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(result, (np.int32, RuntimeError, tf.errors.CancelledError)), result

    asyncio.run(main())


def test_several_loops_share_a_session():
    def work():
        async def main():
            return await asyncio.gather(*(sess.run_async(y, {x: i}) for i in range(20)))

        found.append(asyncio.run(main()))

    x = tf.placeholder(tf.int32, [])
    y, found = x + 1, []
    with tf.Session() as sess:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [list(range(1, 21))] * 4


def test_a_dropped_session_ends_its_threads():
    async def main():
        sess = tf.Session()
        assert await sess.run_async(tf.constant(1)) == 1

    with pytest.warns(ResourceWarning, match="was not closed"):
        asyncio.run(main())
        gc.collect()
    assert _step_threads() == []


def test_asyncio_is_imported_only_by_those_who_use_it(tmp_path):
    program = (
        "import sys, tinytf as tf; s = tf.Session(); s.close(); print({'asyncio', 'concurrent'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_cancelling_ends_a_step_that_waits_and_nothing_else():
    async def main():
        queue = tf.FIFOQueue(10, tf.int32)
        element, x = queue.dequeue(), tf.placeholder(tf.int32, [])
        put, size = queue.enqueue(x), queue.size()
        with tf.Session() as sess:
            waiting = [asyncio.create_task(sess.run_async(element)) for _ in range(3)]
            await sess.run_async(put, {x: 1})
            done, left = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            assert [task.result() for task in done] == [1]
            for task in left:
                task.cancel()
            assert all(
                isinstance(e, asyncio.CancelledError) for e in await asyncio.gather(*left, return_exceptions=True)
            )
            await sess.run_async(put, {x: 2})
            assert await sess.run_async(element) == 2 and await sess.run_async(size) == 0
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(sess.run_async(element), 0.001)
            last = asyncio.create_task(sess.run_async(element))
            await sess.run_async(put, {x: 3})
            assert await last == 3

    asyncio.run(main())
    assert _step_threads() == []
