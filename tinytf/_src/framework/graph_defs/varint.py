"""Variable-length integers of protocol buffers."""

from __future__ import annotations


def varint(number: int) -> bytes:
    """Encodes a nonnegative number: seven bits per byte, lowest first; the high bit marks all bytes but the last."""
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)
