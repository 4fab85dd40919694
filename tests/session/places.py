"""Source locations in the format of messages."""

import sys


def line_here():
    """The line number of the caller."""
    return sys._getframe(1).f_lineno


def place_here(offset=0):
    """File and line number, `offset` lines below the caller."""
    frame = sys._getframe(1)
    return f"{frame.f_code.co_filename}:{frame.f_lineno + offset}"
