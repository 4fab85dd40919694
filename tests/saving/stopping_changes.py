"""Common start of programs that are ended, or fail, at one of their file changes."""

STOPPING_CHANGES = '''
import errno, os, sys
import tinytf as tf
from tinytf._core import testing

class Changes:
    """Counts the changes below a folder in the block, of the engine and of Python (audit events of these names): number
    `stop` ends the process, or fails."""

    WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT

    def __init__(self, folder, stop, fails, events):
        self.folder, self.stop, self.fails, self.events, self.count = folder, stop, fails, events, 0

    def __enter__(self):
        sys.addaudithook(self.of_python)
        testing.watch_file_changes(self.change)
        return self

    def __exit__(self, *unused):
        testing.watch_file_changes(None)

    def change(self, *unused):
        self.count += 1
        if self.count == self.stop:
            if not self.fails:
                os._exit(9)
            raise OSError(errno.ENOSPC, "full")

    def of_python(self, event, arguments):
        if event == "open" and isinstance(arguments[2], int) and not arguments[2] & self.WRITES:
            return
        if event in self.events and os.fsdecode(arguments[0]).startswith(self.folder):
            self.change()

    def status(self):
        """Of the process: 9 if there was a change of that number."""
        return 9 if self.count >= self.stop else 0

def in_child(work, *arguments):
    child = os.fork()
    if child == 0:
        try:
            os._exit(work(*arguments))
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(255)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
'''
