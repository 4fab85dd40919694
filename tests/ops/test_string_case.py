"""Upper and lower case of UTF-8 text follow Unicode."""

import unicodedata

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.errors import errors


def _run(function, texts, encoding="utf-8"):
    with tf.Graph().as_default(), tf.Session() as session:
        return list(session.run(function(np.array(texts, object), encoding=encoding)))


def _is_old(text):
    """Whether all characters are in Unicode 3.2; newer versions have not changed their case mappings."""
    return all(unicodedata.ucd_3_2_0.category(c) != "Cn" for c in text)


@pytest.mark.parametrize(
    ("function", "method"), [(tf.strings.upper, str.upper), (tf.strings.lower, str.lower)], ids=["upper", "lower"]
)
def test_every_character(function, method):
    characters = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    characters = [c for c in characters if _is_old(c + method(c))]
    got = [text.decode() for text in _run(function, [c.encode() for c in characters])]
    wrong = [(c, a, method(c)) for c, a in zip(characters, got, strict=True) if a != method(c)]
    # Characters whose other case was added in Unicode 12.
    assert not [w for w in wrong if w[1] != w[0]]
    assert len(wrong) <= 12


def test_words():
    assert _run(tf.strings.upper, ["straße ǆ ŉ ﬁ".encode()])[0].decode() == "STRASSE Ǆ ʼN FI"
    assert _run(tf.strings.lower, ["İSTANBUL ΟΔΟΣ ΑΣ.Β Σ".encode()])[0].decode() == "i̇stanbul οδος ασ.β σ"
    assert _run(tf.strings.upper, ["äb".encode()], "")[0].decode() == "äB"


def test_what_is_no_utf8():
    broken = b"a\xff\xfeb\xc3 \xe2\x82c \xed\xa0\x80 \xf0\x9f\x98 \xc0\xaf \xf4\x90\x80\x80"
    want = broken.decode("utf-8", "replace")
    assert _run(tf.strings.upper, [broken])[0].decode() == want.upper()
    assert _run(tf.strings.lower, [broken])[0].decode() == want.lower()
    assert _run(tf.strings.upper, [broken], "")[0] == broken.upper()


def test_other_encodings():
    for function in (tf.strings.upper, tf.strings.lower):
        with pytest.raises(
            errors.InvalidArgumentError, match=r"only utf-8 or '' \(no encoding\) is supported, received UTF-8"
        ):
            _run(function, ["a"], "UTF-8")
