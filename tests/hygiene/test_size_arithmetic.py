"""Arithmetic on numbers from inputs and attrs detects overflow by using `Size` (csrc/base/checked.h)."""

import re

from repository import CSRC, ROOT

_ALLOWED = ROOT / "tests/hygiene/size_arithmetic.txt"

_READ = r"(?:int_at\(|attr<int64_t>\()"
# A variable initialized with such a number: `const int64_t depth = value.int_at(0);`, `block_(init.attr<int64_t>(…))`.
_NAMED = re.compile(rf"\b(\w+)(?: = |\()(?:[\w.\->\[\]*&:]*\b){_READ}[^;]*?\)[;,)]")
_DIRECT = re.compile(rf"{_READ}[^();]*\)\s*[-+*]|(?:[+*]|-(?!>))\s*[\w.\->]*\b{_READ}")
_SIZE = re.compile(r"\bSize (\w+)")
# i < 0 ? i + n : i and if (i < 0) i += n cannot overflow if n is a count.
_FROM_THE_END = re.compile(r"\b(\w+) < 0 \? \1 \+ |if \((\w+) < 0\) \2 \+= ")


def _arithmetic(name):
    """Matches `name` as an operand of + - *, but not as a pointer or as part of another word."""
    return re.compile(rf"(?<![\w.]){name}\s*(?:[-+*](?![->=])|[-+*]=)|(?<![(=,<>&|?:*+-])\s[-+*]=?\s{name}\b(?!\s*\()")


def _functions(text):
    """(first line, text) of each function in clang-format layout; text between functions belongs to the following
    one.
    """
    start, lines = 0, text.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"(?:  )?\}[;)]*$", line):
            yield start + 1, lines[start : number + 1]
            start = number + 1
    yield start + 1, lines[start:]


def _bare(text):
    """(line number, line) of unchecked arithmetic on numbers from inputs or attrs."""
    members = {name for name in _NAMED.findall(text) if name.endswith("_")}
    for first, lines in _functions(text):
        names = {*_NAMED.findall("\n".join(lines)), *members}
        patterns = [_arithmetic(name) for name in names]
        checked = re.compile(r"\b(?:Size" + "".join(f"|{name}" for name in _SIZE.findall("\n".join(lines))) + r")\b")
        for number, line in enumerate(lines, first):
            code = line.split("//")[0]
            if checked.search(code) or _FROM_THE_END.search(code):
                continue
            code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', code)
            if _DIRECT.search(code) or any(pattern.search(code) for pattern in patterns):
                yield number, line.strip()


def _found():
    return {
        f"{path.relative_to(CSRC).as_posix()}: {line}"
        for path in sorted((CSRC / "ops").rglob("*"))
        if path.suffix in (".cc", ".h")
        for _, line in _bare(path.read_text())
    }


def _allowed():
    """The reasons by place; two lines each, the second with the reason behind a #."""
    lines = [line for line in _ALLOWED.read_text().splitlines() if line and not line.startswith("##")]
    return {place: reason.lstrip("# ") for place, reason in zip(lines[::2], lines[1::2], strict=True)}


def test_numbers_from_outside_are_computed_with_sizes():
    found, allowed = _found(), _allowed()
    bare = sorted(found - set(allowed))
    assert not bare, (
        "use Size (csrc/base/checked.h), or say in size_arithmetic.txt why it cannot overflow:\n" + "\n".join(bare)
    )
    stale = sorted(set(allowed) - found)
    assert not stale, f"not needed any more in {_ALLOWED.name}: {stale}"
    assert all(allowed.values())


def test_the_search_finds_bare_arithmetic():
    source = """
Status f(const Tensor& t, ShapeContext& c) {
  const int64_t size = t.int_at(0), begin = t.int_at(1);
  const auto block = c.attr<int64_t>("block");
  int64_t axis = t.int_at(2);
  if (axis < 0) axis += rank;
  Size sum = 0;
  sum += size;
  total += size;
  end = begin + 1;
  all = block * block;
  other = t.int_at(3) + 1;
  good = (Size(size) + 1).value();
  const int64_t* pointer = t.data<int64_t>();
}
"""
    assert [line for _, line in _bare(source)] == [
        "total += size;",
        "end = begin + 1;",
        "all = block * block;",
        "other = t.int_at(3) + 1;",
    ]
