"""Writes sorted tables, as used by checkpoints, with arbitrary damage and valid checksums."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wire_mutations import take_varint, varint

from tinytf import _core

_MAGIC = bytes.fromhex("57fb808b247547db")
_FOOTER, _TRAILER = 48, 5
Entry = tuple[bytes, bytes]
# damage(part, bytes) returns the bytes to write for a part: a "block", an "index", a "compressed" block, its "kind", a
# "handle" or the "footer".
Damage = Callable[[str, bytes], bytes]


def masked(crc: int) -> bytes:
    """A checksum in its masked form."""
    return ((crc >> 15 | crc << 17) + 0xA282EAD8 & 0xFFFFFFFF).to_bytes(4, "little")


def masked_crc(data: bytes) -> bytes:
    return masked(_core.crc32c(data))


def _entries(block: bytes) -> list[Entry]:
    end = len(block) - 4 - 4 * int.from_bytes(block[-4:], "little")
    found, key, at = [], b"", 0
    while at < end:
        shared, at = take_varint(block, at)
        more, at = take_varint(block, at)
        size, at = take_varint(block, at)
        key, at = key[:shared] + block[at : at + more], at + more
        found.append((key, block[at : at + size]))
        at += size
    return found


def table_entries(data: bytes) -> list[Entry]:
    """The entries of a valid uncompressed table."""
    at = len(data) - _FOOTER
    _, at = take_varint(data, at)
    _, at = take_varint(data, at)
    begin, at = take_varint(data, at)
    size, at = take_varint(data, at)
    found = []
    for _, handle in _entries(data[begin : begin + size]):
        begin, at = take_varint(handle, 0)
        size, at = take_varint(handle, at)
        found += _entries(data[begin : begin + size])
    return found


def block_of(entries: Sequence[Entry], interval: int = 16) -> bytes:
    out, restarts, last = bytearray(), [], b""
    for i, (key, value) in enumerate(entries):
        shared = 0
        if i % interval == 0:
            restarts.append(len(out))
        else:
            while shared < min(len(key), len(last)) and key[shared] == last[shared]:
                shared += 1
        out += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        last = key
    restarts = restarts or [0]
    for restart in restarts:
        out += restart.to_bytes(4, "little")
    return bytes(out) + len(restarts).to_bytes(4, "little")


def snappy_of(data: bytes) -> bytes:
    """A block in snappy's raw format: literals, and copies of each kind for repeated bytes."""
    out, at = bytearray(varint(len(data))), 0
    while at < len(data):
        back = data.rfind(data[at : at + 4], 0, at) if at + 4 <= len(data) else -1
        if back < 0:
            size = 1
            while at + size < len(data) and size < 60 and data.rfind(data[at + size : at + size + 4], 0, at) < 0:
                size += 1
            out += bytes([size - 1 << 2]) + data[at : at + size]
        else:
            size, offset = 4, at - back
            while size < 11 and at + size < len(data) and data[back + size] == data[at + size]:
                size += 1
            kinds = (
                [size - 4 << 2 | offset >> 8 << 5 | 1, offset & 255],
                [size - 1 << 2 | 2, *offset.to_bytes(2, "little")],
                [size - 1 << 2 | 3, *offset.to_bytes(4, "little")],
            )
            out += bytes(kinds[at % 3 if offset < 2048 else 2])
        at += size
    return bytes(out)


def table_of(
    entries: Sequence[Entry], *, per_block: int = 1000, interval: int = 16, compressed: bool = False, damage: Damage
) -> bytes:
    """A table of these entries in the given order."""
    out, index = bytearray(), []

    def add(block: bytes, is_compressed: bool) -> bytes:
        if is_compressed:
            block = damage("compressed", snappy_of(block))
        kind = damage("kind", b"\x01" if is_compressed else b"\x00")
        begin = len(out)
        out.extend(block + kind + masked_crc(block + kind))
        return damage("handle", varint(begin) + varint(len(block)))

    for i in range(0, len(entries), per_block):
        some = entries[i : i + per_block]
        index.append((some[-1][0], add(damage("block", block_of(some, interval)), compressed)))
    metaindex = add(damage("metaindex", block_of([])), False)
    handles = metaindex + add(damage("index", block_of(index, 1)), compressed)
    return bytes(out) + damage("footer", handles.ljust(40, b"\0") + _MAGIC)
