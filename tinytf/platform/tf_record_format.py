"""A record in a file: its length in 8 bytes, the checksum of these, its content, and the checksum of that; little-endian.

The checksums are CRC-32C, masked, so that the checksum of data that holds checksums is none of a kind.
"""

from __future__ import annotations

import struct

from tinytf._core import crc32c

HEADER = struct.Struct("<QI")
CHECKSUM = struct.Struct("<I")
LENGTH = struct.Struct("<Q")
_MASK_DELTA = 0xA282EAD8


def masked_crc(data: bytes) -> int:
    """The masked CRC-32C of the data."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & 0xFFFFFFFF


def header(length: int) -> bytes:
    """What stands in front of a record of that many bytes."""
    size = LENGTH.pack(length)
    return size + CHECKSUM.pack(masked_crc(size))
