"""Where a test is, as messages name places."""

import sys


def line_here():
    """The number of the calling line."""
    return sys._getframe(1).f_lineno


def place_here(offset=0):
    """File and number of the line `offset` lines below the caller's."""
    frame = sys._getframe(1)
    return f"{frame.f_code.co_filename}:{frame.f_lineno + offset}"
