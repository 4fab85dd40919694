"""The assertions of absl's TestCase in `tf.test.TestCase`, compared with absl itself if it is installed."""

import os
import re

import pytest

import tinytf as tf


@pytest.fixture
def case():
    """A test case after setUp."""
    made = tf.test.TestCase()
    made.setUp()
    yield made
    made.tearDown()
    made.doCleanups()


PASSING = [
    ("assertEmpty", ([],)),
    ("assertNotEmpty", ({1: 2},)),
    ("assertLen", ("abc", 3)),
    ("assertBetween", (2, 2, 3)),
    ("assertSameElements", ([1, 1, 2], (2, 1))),
    ("assertSameElements", ([[1], [2], [1]], [[2], [1]])),
    ("assertContainsSubset", ([1, 2], {1, 2, 3})),
    ("assertNoCommonElements", ([1, 2], [3])),
    ("assertContainsSubsequence", ([1, 0, 2, 0, 3], [1, 2, 3])),
    ("assertContainsExactSubsequence", ([0, 0, 1, 2, 3, 0], [1, 2, 3])),
    ("assertContainsExactSubsequence", ([], [])),
    ("assertSequenceStartsWith", ([1, 2], [1, 2, 3])),
    ("assertSequenceStartsWith", (1, (1, 2))),
    ("assertSequenceStartsWith", ([], [])),
    ("assertSequenceAlmostEqual", ([1.0, 2.0], [1.0, 2.00000001])),
    ("assertSequenceAlmostEqual", ([1.0, 2.0], [1.04, 2.04], 1)),
    ("assertSequenceAlmostEqual", ([1.0], [1.5], None, None, 0.6)),
    ("assertTotallyOrdered", ([1], [2, 2.0], [3])),
    ("assertIsSubclass", (bool, int)),
    ("assertNotIsSubclass", (int, bool)),
    ("assertStartsWith", ("tensor", "ten")),
    ("assertNotStartsWith", ("tensor", "sor")),
    ("assertEndsWith", ("tensor", "sor")),
    ("assertNotEndsWith", ("tensor", "ten")),
    ("assertContainsInOrder", (["fox", "dog"], "the fox and the dog")),
    ("assertContainsInOrder", ("fox", "the fox")),
    ("assertRegexMatch", ("one\ntwo", ["^three", "^two$"])),
    ("assertRegexMatch", ("one", [b"n"])),
    ("assertRegexMatch", (b"one", ["n"])),
    ("assertDictEqual", ({"a": 1}, {"a": 1})),
    ("assertSameStructure", ({"a": [1, (2, True)]}, {"a": (1, [2, 1])})),
    ("assertJsonEqual", ('{"a": [1, 2], "b": null}', '{"b":null,"a":[1,2]}')),
    ("assertUrlEqual", ("http://a/b?x=1&y=2#f", "http://a/b?y=2&x=1#f")),
    ("assertCommandSucceeds", (["/bin/sh", "-c", "echo done"], ["done"])),
    ("assertCommandSucceeds", ("test -z $TINYTF_ORACLE",)),
    ("assertCommandSucceeds", ("echo $X", ["seven"], {"X": "seven"})),
    ("assertCommandFails", ("echo wrong >&2; exit 3", [b"wrong"])),
]
# The last element is the message of the failure, if it is specific.
FAILING = [
    ("assertEmpty", ([1],), "[1] has length of 1."),
    ("assertEmpty", (3,), "Expected a Sized object, got: 'int'"),
    ("assertNotEmpty", ([],), "[] has length of 0."),
    ("assertLen", ("ab", 3), "'ab' has length of 2, expected 3."),
    ("assertBetween", (4, 2, 3), '3 not greater than or equal to 4 : "4" unexpectedly not between "2" and "3"'),
    ("assertSameElements", ([1, 2, 4], [3, 2]), "Expected, but missing:\n  [1, 4]\nUnexpected, but present:\n  [3]\n"),
    ("assertSameElements", ([[1], [2]], [[2]]), "Expected, but missing:\n  [[1]]\n"),
    ("assertSameElements", ("ab", "ba"), None),
    ("assertContainsSubset", ([1, 4], [1, 2]), "Missing elements {4}\nExpected: [1, 4]\nActual: [1, 2]"),
    ("assertNoCommonElements", ([1, 2], [2]), "Common elements {2}\nExpected: [1, 2]\nActual: [2]"),
    (
        "assertContainsSubsequence",
        ([1, 3, 2], [1, 2, 3]),
        "[1, 2, 3] not a subsequence of [1, 3, 2]. First non-matching element: 3",
    ),
    (
        "assertContainsExactSubsequence",
        ([1, 2, 0, 3], [1, 2, 3]),
        "[1, 2, 3] not an exact subsequence of [1, 2, 0, 3]. Longest matching prefix: [1, 2]",
    ),
    ("assertContainsExactSubsequence", ([1], [1, 2]), None),
    ("assertSequenceStartsWith", ([1, 3], [1, 2, 3]), "prefix: [1, 3] not found at start of whole: [1, 2, 3]."),
    ("assertSequenceStartsWith", ([], [1]), "Prefix length is 0 but whole length is 1: [1]"),
    ("assertSequenceStartsWith", ([1, 2], [1]), "Prefix length (2) is longer than whole length (1)."),
    ("assertSequenceStartsWith", ([1], {1}), None),
    ("assertSequenceStartsWith", ([1], 1), None),
    ("assertSequenceAlmostEqual", ([1.0], [1.0, 2.0]), "Sequence size mismatch: 1 vs 2"),
    ("assertSequenceAlmostEqual", ([1.0, 2.0], [1.0, 2.1]), None),
    ("assertTotallyOrdered", ([1], [3], [2]), None),
    ("assertTotallyOrdered", ([1, 2],), None),
    ("assertTotallyOrdered", ([1.0], [float("nan")]), None),
    ("assertIsSubclass", (int, str), "<class 'int'> is not a subclass of <class 'str'>"),
    ("assertNotIsSubclass", (bool, int), "<class 'bool'> is a subclass of <class 'int'>"),
    ("assertStartsWith", ("tensor", "sen"), "'tensor' does not start with 'sen'"),
    ("assertNotStartsWith", ("tensor", "ten"), "'tensor' does start with 'ten'"),
    ("assertEndsWith", ("tensor", "ten"), "'tensor' does not end with 'ten'"),
    ("assertNotEndsWith", ("tensor", "sor"), "'tensor' does end with 'sor'"),
    ("assertContainsInOrder", (["dog", "fox"], "fox, dog"), "Did not find 'fox' after 'dog' in 'fox, dog'"),
    ("assertContainsInOrder", (["cat"], "fox"), "Did not find 'cat' in 'fox'"),
    ("assertRegexMatch", ("one", ["two", "x"]), "\"one\" does not contain any of these regexes: ['two', 'x']."),
    ("assertRegexMatch", ("one", "one"), "regexes is string or bytes; use assertRegex instead."),
    ("assertRegexMatch", ("one", []), "No regexes specified."),
    ("assertRegexMatch", ("one", ["one", b"one"]), "regexes list must all be the same type."),
    ("assertRegexMatch", ("one", [1]), "Only know how to deal with unicode str or bytes regexes."),
    ("assertDictEqual", ({"a": 1}, [1]), None),
    (
        "assertDictEqual",
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}),
        "{'a': 1, 'b': 2} != {'b': 3, 'c': 4}\nUnexpected, but present entries:\n'c': 4\n\n"
        "repr() of differing entries:\n'b': 2 != 3\n\nMissing entries:\n'a': 1\n",
    ),
    ("assertSameStructure", ([1, {"k": 2}], [1, {"k": 3}]), "a[1]['k'] is 2 but b[1]['k'] is 3"),
    ("assertSameStructure", ([1], [1.0]), "a[0] is a <class 'int'> but b[0] is a <class 'float'>"),
    ("assertSameStructure", ([1, 2], [1]), "a has [1] with value 2 but b does not"),
    ("assertSameStructure", ([1], [1, 2]), "a lacks [1] but b has it with value 2"),
    ("assertSameStructure", ({"x": 1}, {}), "a has ['x'] with value 1 but it's missing in b"),
    ("assertSameStructure", ({}, {"x": 1}), "a lacks ['x'] but b has it with value 1"),
    ("assertSameStructure", ({1}, {2}), "a has 1 but b does not; a lacks 2 but b has it"),
    ("assertSameStructure", ("a", b"a"), "a is a <class 'str'> but b is a <class 'bytes'>"),
    ("assertJsonEqual", ("[1]", "[2]"), "first[0] is 1 but second[0] is 2"),
    ("assertUrlEqual", ("http://a/b?x=1", "http://a/b?x=2"), None),
    ("assertUrlEqual", ("http://a/b", "https://a/b"), None),
    ("assertCommandSucceeds", ("exit 3",), None),
    ("assertCommandSucceeds", ("echo a", ["b"]), None),
    ("assertCommandFails", ("echo a", ["a"]), None),
    ("assertCommandFails", ("echo a; exit 1", ["b"]), None),
]


@pytest.mark.parametrize(("assertion", "arguments"), PASSING)
def test_passes(case, assertion, arguments):
    getattr(case, assertion)(*arguments)


@pytest.mark.parametrize(("assertion", "arguments", "message"), FAILING)
def test_fails(case, assertion, arguments, message):
    with pytest.raises(AssertionError) as caught:
        getattr(case, assertion)(*arguments)
    if message is not None:
        assert str(caught.value) == message


@pytest.mark.oracle
def test_same_verdicts_and_messages_as_absl(oracle):
    """Verdicts and messages equal absl's; rows without a message have one of our own."""
    told = oracle(
        """
from absl.testing import absltest
case, result = absltest.TestCase(), []
for assertion, arguments in calls:
    try:
        getattr(case, assertion)(*arguments)
        result.append(None)
    except AssertionError as e:
        result.append(str(e))
""",
        calls=[*PASSING, *((assertion, arguments) for assertion, arguments, _ in FAILING)],
    )
    assert told[: len(PASSING)] == [None] * len(PASSING)
    wrong = [
        (row, text) for row, text in zip(FAILING, told[len(PASSING) :]) if text is None or row[2] not in (None, text)
    ]
    assert not wrong


def test_messages_are_joined(case):
    with pytest.raises(AssertionError, match=r"^\[1\] has length of 1. : my words$"):
        case.assertEmpty([1], "my words")
    with pytest.raises(AssertionError, match="my words"):
        case.assertNotAllClose([1.0], [1.0], msg="my words")
    case.assertNotAllClose([1.0], [1.1], 1e-3, 1e-3)


def test_no_json(case):
    with pytest.raises(ValueError, match="could not decode second JSON value {"):
        case.assertJsonEqual("{}", "{")


def test_totally_ordered_looks_at_hashes(case):
    class Equal:
        __eq__ = __le__ = __ge__ = lambda self, other: True
        __ne__ = __lt__ = __gt__ = lambda self, other: False
        __hash__ = object.__hash__

    with pytest.raises(AssertionError, match="hash of"):
        case.assertTotallyOrdered([Equal(), Equal()])


def _raise(text):
    raise KeyError(text)


def test_raises_with_literal_match(case):
    case.assertRaisesWithLiteralMatch(KeyError, "'a.c'", _raise, "a.c")
    with case.assertRaisesWithLiteralMatch(KeyError, "'a.c'"):
        _raise("a.c")
    with pytest.raises(AssertionError, match="Exception message does not match"):
        case.assertRaisesWithLiteralMatch(KeyError, "'a.c'", _raise, "abc")
    with pytest.raises(AssertionError, match="KeyError not raised"), case.assertRaisesWithLiteralMatch(KeyError, ""):
        pass
    with pytest.raises(KeyError), case.assertRaisesWithLiteralMatch(ValueError, "'a'"):
        _raise("a")


def test_temporary_files(case):
    folder = case.create_tempdir()
    assert os.listdir(folder) == []
    file = folder.create_file("deep/down.txt", content="grün")
    assert file.full_path == os.path.join(folder, "deep", "down.txt")
    assert (file.read_text(), file.read_bytes()) == ("grün", "grün".encode())
    file.write_text("!", mode="a")
    assert file.read_text() == "grün!"
    file.write_bytes(b"\x00")
    with open(file, "rb") as opened:
        assert opened.read() == b"\x00"
    assert os.path.isdir(folder.mkdir("sub")) and os.path.isdir(folder.mkdir())
    assert case.create_tempfile().read_bytes() == b""
    assert case.create_tempfile("named", content=b"\xff").read_bytes() == b"\xff"
    named = case.create_tempdir("again")
    named.create_file("x")
    assert os.listdir(case.create_tempdir("again")) == []
    for refused in (lambda: folder.create_file("../out"), lambda: case.create_tempdir("../../out")):
        with pytest.raises(ValueError, match="is not inside"):
            refused()
    with pytest.raises(ValueError, match="use open_bytes"):
        file.open_text("rb")
    with pytest.raises(ValueError, match="use open_text"):
        file.open_bytes("r")
    case.doCleanups()
    assert not os.path.exists(folder) and not os.path.exists(named)


def test_contexts_end_with_the_test(case):
    sess = case.enter_context(tf.Session())
    assert sess.run(tf.constant(1)) == 1
    case.doCleanups()
    with pytest.raises(RuntimeError, match=re.escape("Attempted to use a closed Session.")):
        sess.run(tf.no_op())
