"""No function with a name of TensorFlow 1.15 shows frames of this package in an error about its arguments.

Each is called with unsuitable arguments, except names of operations and scopes, which blocks accept. Unintended errors
(such as a missing attribute of an argument) keep their frames to help find the mistake.
"""

import re
from pathlib import Path

from programs import run_program

_NAMES = Path(__file__).parent / "names_of_1_15.txt"

_PROGRAM = """
import inspect, logging, sys, traceback, warnings
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
import tinytf as tf
from tinytf._src.framework.errors import error_traceback
from tinytf._src.framework.sites.creation_line import is_users_file

SETTINGS = ("app.", "flags.", "logging.", "test.", "config.", "compat.", "errors.", "debugging.set_", "autograph.set_")
SETTINGS += ("autograph.trace",)  # which prints

def functions():
    seen = set()
    for name in sys.argv[1:]:
        if name.startswith(SETTINGS) or "able_" in name or name in ("reset_default_graph", "get_seed", "random.get_seed"):
            continue
        target = tf
        for part in name.split("."):
            target = getattr(target, part, None)
        if inspect.isfunction(target) and target not in seen:
            seen.add(target)
            yield name, target

STAYS = sys.version_info < (3, 11)  # the function that was called, as leave_to_user says

ARGUMENTS = [
    lambda i: object(),
    lambda i: "text",
    lambda i: [tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.int32, [4])],
    lambda i: tf.placeholder([tf.float32, tf.int32][i % 2], [[2, 3], [4]][i % 2]),
    lambda i: tf.placeholder([tf.int32, tf.float32][i % 2], [[4], [2, 3]][i % 2]),
    lambda i: tf.placeholder(tf.float32, [[2, 3], [5, 7]][i % 2]),
]
OPTIONS = [object(), "text", tf.string, 9]

def calls(function):
    parameters = inspect.signature(function).parameters.values()
    by_place = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = sum(p.default is p.empty for p in by_place)
    for argument in ARGUMENTS:
        yield [argument(i) for i in range(needed)], {}
    for p in parameters:
        optional = p.default is not p.empty and p.kind != p.POSITIONAL_ONLY and p.name not in ("name", "scope")
        for value in OPTIONS if optional else ():
            yield [tf.placeholder(tf.float32, [2, 3]) for _ in range(needed)], {p.name: value}

called = 0
for name, function in functions():
    shown = set()
    with tf.Graph().as_default():
        for arguments, options in calls(function):
            try:
                function(*arguments, **options)
            except error_traceback.REPORTED as error:
                called += 1
                own = [f for f in traceback.extract_tb(error.__traceback__) if not is_users_file(f.filename)]
                if len(own) > STAYS and error_traceback._is_meant(error) and own[-1].lineno not in shown:
                    shown.add(own[-1].lineno)
                    print(name, options, f"{type(error).__name__}: {error}"[:100], "from", own[-1].name)
            except (AssertionError, FileNotFoundError):
                pass  # as Python raises them
print("called", called)
"""


def test_errors_begin_at_the_call(tmp_path):
    names = re.findall(r"^tf\.(\S+) function", _NAMES.read_text(), re.MULTILINE)
    ran = run_program(_PROGRAM, *names, timeout=300, cwd=tmp_path)  # some functions create and delete files
    assert ran.returncode == 0, ran.stderr
    *shown, last = ran.stdout.splitlines()
    assert int(last.split()[1]) > 1000
    assert not shown, "\n".join(shown)
