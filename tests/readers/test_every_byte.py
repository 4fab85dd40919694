"""A change of any byte of a checkpoint, a record file or an event file is detected, and all values that can still
be read are unchanged.
"""

import os

import pytest
from reader_cases import Reading
from reader_kinds import REFUSED, seeds_of

_OTHER = (0x01, 0x80)  # XORed to each byte, alternately or both
_BOTH = "TINYTF_READER_BATCHES" in os.environ


@pytest.fixture
def reading():
    made = Reading()
    yield made
    made.close()


@pytest.mark.keeps_state  # the reading steps are cached across tests
@pytest.mark.parametrize("kind", ["bundle", "early", "records", "events"])
def test_another_byte(kind, reading):
    [files] = seeds_of(kind)
    sound = reading.read(kind, files)
    unseen, changed = [], 0
    for name, content in files.items():
        for at in range(len(content)):
            for bits in _OTHER if _BOTH else _OTHER[at % 2 :][:1]:
                other = bytearray(content)
                other[at] ^= bits
                found = reading.read(kind, {**files, name: bytes(other)})
                changed += 1
                told = [x for x, y in zip(found, sound, strict=False) if x not in (REFUSED, y)]
                if found.count(REFUSED) <= sound.count(REFUSED) or told:
                    unseen.append((name, at, bits, told))
    assert not unseen, f"{len(unseen)} of {changed}: {unseen[:10]}"
