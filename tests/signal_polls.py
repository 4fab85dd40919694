"""Acts while a kernel runs: a test learns from the polls for signals that the kernel runs and looks whether to end."""

import signal
import threading
import time

_INTERVAL = 0.005  # seconds; the engine polls at most every 20 ms, so that it finds a signal at each poll


class SignalPolls:
    """Counts how often the main thread polls for signals inside a step, and calls `act` at the poll number `at`.

    Within its `with` block a timer sends SIGALRM all the time. `is_inside()` tells whether the engine runs the step,
    because Python code runs handlers too. A step also polls after a node, so a step with one kernel that does not poll
    itself polls once: `at=2` is in the kernel. A kernel that does not poll never comes to that `act`; nothing depends
    on the speed and load of the machine, except that the kernel must take longer than these polls.
    """

    def __init__(self, is_inside, act=lambda: None, at=1):
        self._is_inside, self._act, self._at = is_inside, act, at
        self._acts = False
        self.count = 0

    def __enter__(self):
        self._before = signal.signal(signal.SIGALRM, self._handle)
        signal.setitimer(signal.ITIMER_REAL, _INTERVAL, _INTERVAL)
        return self

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)

    def _handle(self, *_):
        if self._acts or not self._is_inside():  # `act` may take longer than the timer
            return
        self.count += 1
        if self.count == self._at:
            self._acts = True
            try:
                self._act()
            finally:
                self._acts = False

    @property
    def after_the_act(self):
        """The number of polls since `act`. A kernel that goes on although its step is over polls on."""
        return max(0, self.count - self._at)


def interrupt():
    """Sends SIGINT, whose handler runs at once: Python's raises KeyboardInterrupt in the poll."""
    signal.raise_signal(signal.SIGINT)


def close_meanwhile(session):
    """Closes a graph session on a thread, which it returns, and returns as soon as the steps are told to end."""
    thread = threading.Thread(target=session.close)
    thread.start()
    while not session._engine.closed():
        time.sleep(0)  # releases the GIL
    return thread
