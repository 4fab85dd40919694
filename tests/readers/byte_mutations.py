"""Mutations of bytes and strings of unknown structure, determined by the generator."""

from __future__ import annotations

from random import Random

NUMBERS = (0, 1, 2, 3, 9, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0xFFFF, 2**24, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40)
NUMBERS += (2**62, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)
_TEXTS = (
    b"",
    b"\x00",
    b"\xff",
    b"\xed\xa0\x80",
    b"%s%n",
    b"-1",
    b"1e999",
    b"..",
    b"/",
    b"*?[",
    b'"',
    b"\n",
    b"a" * 300,
)


def number(rng: Random, bits: int) -> int:
    """An unsigned number that is likely to be an edge case."""
    if rng.random() < 0.7:
        return rng.choice(NUMBERS) % 2**bits
    return rng.getrandbits(rng.randint(1, bits))


def flipped(rng: Random, data: bytes) -> bytes:
    """The bytes with up to four consecutive bytes changed, which every checksum detects."""
    if not data:
        return data
    at = rng.randrange(len(data))
    part = data[at : at + rng.choice((1, 1, 1, 2, 4))]
    if rng.random() < 0.3:
        other = bytes([part[0] ^ 1 << rng.randrange(8)]) + part[1:]
    else:
        other = rng.randbytes(len(part))
    return data[:at] + other + data[at + len(part) :]


def _cut(rng: Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _removed(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.randint(1, 16) :]


def _inserted(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice((rng.randbytes(rng.randint(1, 16)), rng.choice(_TEXTS))) + data[at:]


def _repeated(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at : at + rng.randint(1, 64)] * rng.randint(2, 40) + data[at:]


def _moved(rng: Random, data: bytes) -> bytes:
    at, to, size = rng.randrange(len(data) + 1), rng.randrange(len(data) + 1), rng.randint(1, 32)
    return data[:to] + data[at : at + size] + data[to + size :]


def _number(rng: Random, data: bytes) -> bytes:
    bits = rng.choice((8, 16, 32, 64))
    at = rng.randrange(len(data) + 1)
    return data[:at] + number(rng, bits).to_bytes(bits // 8, "little") + data[at + bits // 8 :]


_CHANGES = (flipped, flipped, flipped, _cut, _removed, _inserted, _repeated, _moved, _number, _number)


def mutated_bytes(rng: Random, data: bytes) -> bytes:
    """The bytes with one to three mutations."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(_CHANGES)(rng, data)
    return data
