"""The first chapters of "Alice's Adventures in Wonderland" (1865, public domain; see README.md in this folder)."""

from pathlib import Path

_FILE = Path(__file__).with_name("alice.txt")


def load_alice() -> str:
    """The first four chapters of Lewis Carroll's "Alice's Adventures in Wonderland": 45,315 characters, 67 different ones.
    Lines are as in print, and an empty one stands between paragraphs."""
    return _FILE.read_text(encoding="ascii")
