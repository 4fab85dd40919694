"""The Philox counter-based generator of random ops, written from its specification with Python integers."""

import numpy as np

_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
_BUMPS = 0x9E3779B9, 0xBB67AE85
_WORD = 2**32 - 1


def philox(counter, key):
    """Four 32-bit words for a 128-bit counter and a 64-bit key."""
    c = [counter >> 32 * i & _WORD for i in range(4)]
    k = [key & _WORD, key >> 32]
    for _ in range(10):
        low, high = _MULTIPLIERS[0] * c[0], _MULTIPLIERS[1] * c[2]
        c = [high >> 32 ^ c[1] ^ k[0], high & _WORD, low >> 32 ^ c[3] ^ k[1], low & _WORD]
        k = [k[i] + _BUMPS[i] & _WORD for i in range(2)]
    return c


def words(seed, seed2, count, skip=0):
    """The first `count` words of an op's stream, after `skip` calls of the generator."""
    start = (seed2 << 64) + skip
    calls = [philox(start + i, seed) for i in range(-(-count // 4))]
    return np.array(calls, np.uint32).reshape(-1)[:count]


def stateless_words(seed, count):
    """The first `count` words for the two numbers of a stateless seed."""
    m = philox(seed[0] | seed[1] << 64, 0x3EC8F720 | 0x02461E29 << 32)
    return words(m[0] | m[1] << 32, m[2] | m[3] << 32, count)


def pairs(stream):
    """Each two words as one of 64 bits, low word first."""
    return stream[::2].astype(np.uint64) | stream[1::2].astype(np.uint64) << np.uint64(32)


def uniform32(stream):
    """float32 values in [0, 1) from 23 bits of each word."""
    return ((stream & 0x7FFFFF) | 0x3F800000).astype(np.uint32).view(np.float32) - np.float32(1)


def uniform64(stream):
    """float64 values in [0, 1) from 20 bits of the first and all bits of the second word of each pair."""
    high = (stream[::2] & 0xFFFFF).astype(np.uint64) | np.uint64(0x3FF00000)
    return (high << np.uint64(32) | stream[1::2].astype(np.uint64)).view(np.float64) - 1.0


def uniform16(stream):
    """float16 values in [0, 1) from 10 bits of each word."""
    return ((stream & 0x3FF) | 15 << 10).astype(np.uint16).view(np.float16) - np.float16(1)


def normal32(stream):
    """Converts pairs of words to pairs of normal numbers (Box-Muller), sine first."""
    u1 = np.maximum(uniform32(stream[::2]), np.float32(1e-7))
    angle = (2.0 * np.pi * uniform32(stream[1::2])).astype(np.float32)
    radius = np.sqrt(np.float32(-2) * np.log(u1))
    return np.stack([np.sin(angle) * radius, np.cos(angle) * radius], 1).reshape(-1)


def shuffled(values, stream):
    """The permutation of RandomShuffle."""
    values = list(values)
    for i, word in zip(range(len(values) - 1), stream):
        j = i + int(word) % (len(values) - i)
        values[i], values[j] = values[j], values[i]
    return values
