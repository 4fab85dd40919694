"""Standard library modules behave the same when all their functions are rewritten."""

import io
import math

import pytest
from rewritten_modules import rewritten_module

_TEXT = "The  quick brown fox -- jumps over the lazy dog, and tells a-very-long-story of it.\n\n  Again? 'Yes'.\t" * 3


def _decimals(m):
    numbers = [m.Decimal(text) for text in ("1.1", "-2.75", "1e30", "0", "3.14159", "-0.001")]
    found = [op(a, b) for a in numbers for b in numbers[4:] for op in (m.Decimal.__add__, m.Decimal.__mul__, max)]
    found += [(a / b, a % b, a // b) for a in numbers[:2] for b in numbers[4:]]
    found += [
        m.Decimal(2).sqrt(),
        m.Decimal("1.5").exp(),
        m.Decimal(10).ln(),
        m.Decimal("12.345").quantize(m.Decimal("0.01")),
    ]
    return [str(n) for n in found], f"{m.Decimal('1234567.891'):,.2f}", sorted(map(str, sorted(numbers)))


def _configuration(m):
    parser = m.ConfigParser()
    parser.read_string("[DEFAULT]\na = 1\n[one]\nb: %(a)s and\n  more\n; note\nflag = yes\n[two]\nc = \n")
    written = io.StringIO()
    parser.write(written)
    return {s: dict(parser[s]) for s in parser.sections()}, parser.getboolean("one", "flag"), written.getvalue()


def _command_line(m):
    parser = m.ArgumentParser(prog="p", description=_TEXT)
    parser.add_argument("files", nargs="*", help="which")
    parser.add_argument("-n", "--number", type=int, default=3, choices=range(5), metavar="N")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--yes", action="store_true")
    group.add_argument("--no", dest="yes", action="store_false")
    lines = (["a", "b", "-n", "4"], ["--yes"], ["--number=2", "x", "--no"])
    return [vars(parser.parse_args(line)) for line in lines], parser.format_help(), parser.format_usage()


def _markup(m):
    seen = []

    class Parser(m.HTMLParser):
        def handle_starttag(self, tag, attrs):
            seen.append((tag, attrs))

        def handle_endtag(self, tag):
            seen.append(tag)

        def handle_data(self, data):
            seen.append(data)

        def handle_comment(self, data):
            seen.append(("comment", data))

    parser = Parser()
    parser.feed("<p class=a id='b'>x &amp; &#65;<br/><!-- c --><script>if (a<b) {}</script><b>bold</p>< 3")
    parser.close()
    return seen


def _differences(m):
    a, b = _TEXT.splitlines(True), _TEXT.replace("fox", "cat").replace("Again", "Ever again").splitlines(True)
    matcher = m.SequenceMatcher(None, _TEXT, _TEXT[5:] + "x")
    unified = list(m.unified_diff(a, b, "a", "b"))
    return (
        list(m.ndiff(a, b)),
        unified,
        matcher.get_opcodes(),
        round(matcher.ratio(), 9),
        m.get_close_matches("fxo", ["fox", "of"]),
    )


def _networks(m):
    ends = m.ip_address("1.1.1.0"), m.ip_address("1.1.1.130")
    hosts = m.ip_network("10.0.0.0/29").hosts()
    return list(map(str, hosts)), str(m.ip_address("::1:2")), list(map(str, m.summarize_address_range(*ends)))


def _fractions(m):
    powers = [m.Fraction(a, 7) ** b + m.Fraction("0.25") for a in (-3, 22) for b in (-2, 0, 3)]
    return list(map(str, [*powers, *(m.Fraction(math.pi).limit_denominator(n) for n in (10, 1000))]))


def _addresses(m):
    parts = m.urlsplit("http://u:p@host:80/a;b?c=d#e"), m.urljoin("http://a/b/c", "../d?x")
    return parts, m.parse_qs("a=1&a=2&b=%20+"), m.quote("ä /?")


def _words(m):
    punctuated = list(m.shlex("x=y|z", punctuation_chars=True))
    return m.split('a \'b c\' "d\\"e" # f', comments=True), m.join(["a b", "c"]), punctuated


def _templates(m):
    formatted = m.Formatter().format("{0!r:>8} {x[0]} {y.real}", "q", x=[7], y=3)
    return m.Template("$a ${b} $$").substitute(a=1, b=2), formatted


def _averages(m):
    return (
        m.mean([1, 2.5, 4]),
        m.median_grouped([1, 3, 3, 5]),
        m.mode("aab"),
        m.quantiles(range(9), n=4),
        m.stdev([1, 5, 9]),
    )


def _decoded(m):
    text = '{"a": [1, -2.5e3, "\\u00e9\\n", null, true], "b": {}}'
    return m.JSONDecoder().decode(text), m.py_scanstring('x\\ty" z', 0)


def _encoded(m):
    return list(m.JSONEncoder(indent=2, sort_keys=True).iterencode({"b": [1, None, 2.5], "a": {"c": "é\n"}}))


def _months(m):
    return m.TextCalendar(6).formatyear(2024), m.monthrange(2023, 2), m.HTMLCalendar().formatmonth(2024, 2)


def _wrapped(m):
    return m.wrap(_TEXT, 20), m.fill(_TEXT, 33, initial_indent="> "), m.shorten(_TEXT, 30), m.dedent("  a\n b\n")


def _heaps(m):
    return m.nlargest(3, [5, 1, 8, 3]), m.nsmallest(2, "hello", key=ord), list(m.merge([1, 4], [2, 3]))


_CASES = {
    "textwrap": _wrapped,
    "difflib": _differences,
    "heapq": _heaps,
    "fractions": _fractions,
    "statistics": _averages,
    "_pydecimal": _decimals,
    "shlex": _words,
    "argparse": _command_line,
    "configparser": _configuration,
    "html.parser": _markup,
    "json.decoder": _decoded,
    "json.encoder": _encoded,
    "urllib.parse": _addresses,
    "calendar": _months,
    "string": _templates,
    "ipaddress": _networks,
    "fnmatch": lambda m: (m.filter(["a.py", "b.txt", "c.PY"], "*.[p]y"), m.translate("a*[!b-d]?")),
    "graphlib": lambda m: list(m.TopologicalSorter({"d": ["b", "c"], "b": ["a"], "c": ["b"]}).static_order()),
    "base64": lambda m: (m.b85encode(b"some bytes"), m.a85decode(m.a85encode(b"\0\0\0\0abc")), m.b32encode(b"xyz")),
    "pprint": lambda m: m.pformat({"k" * 5: list(range(30)), "t": ("a", {"n": {1, 2}})}, width=30),
}


@pytest.mark.parametrize("name", _CASES)
def test_a_module_does_the_same(name):
    module, count = rewritten_module(name)
    original = __import__(name, fromlist=["x"])
    assert count > 3
    assert repr(_CASES[name](module)) == repr(_CASES[name](original))
