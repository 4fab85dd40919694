"""Numbers as protocol buffers write them."""

from __future__ import annotations


def varint(number: int) -> bytes:
    """A number that is not negative, seven bits a byte, the lowest first; all bytes but the last have the highest bit."""
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)
