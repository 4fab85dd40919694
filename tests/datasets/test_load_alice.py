import hashlib

import tinytf as tf


def test_the_text():
    text = tf.datasets.load_alice()
    assert len(text) == 45315 and len(set(text)) == 67
    assert text.startswith(
        "CHAPTER I\n\nDown the Rabbit-Hole\n\nAlice was beginning to get very tired of sitting by her"
    )
    assert [line for line in text.split("\n") if line.startswith("CHAPTER")] == [
        f"CHAPTER {n}" for n in ("I", "II", "III", "IV")
    ]
    assert (
        hashlib.sha256(text.encode()).hexdigest() == "52745b65b3ab5e1ce2ae91635a255ceedefe1a0e01001df7f12f9a59a41d26ae"
    )


def test_lines_are_tidy():
    text = tf.datasets.load_alice()
    assert text.isascii() and "\r" not in text and "  " not in text and "\n\n\n" not in text
    assert all(line == line.strip() for line in text.split("\n"))
    assert max(map(len, text.split("\n"))) <= 72 and text.endswith(".\n")
