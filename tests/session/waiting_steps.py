"""Steps on threads of their own, which wait for queues."""

import threading

import tinytf as tf


class InThread(threading.Thread):
    """Calls `function` on a thread that begins at once; `outcome()` waits for its result or its exception."""

    def __init__(self, function, *args):
        super().__init__(daemon=True)
        self._call = lambda: function(*args)
        self._result = self._error = None
        self.start()

    def run(self):
        try:
            self._result = self._call()
        except tf.errors.OpError as error:
            self._error = error

    def outcome(self):
        self.join()
        return self._result if self._error is None else self._error


def first_line(error):
    """What an error says, without its node."""
    return error.message.split("\n")[0]


def wait_until(sess, tensor, value):
    """Runs `tensor` until it has that value."""
    while sess.run(tensor) != value:
        pass
