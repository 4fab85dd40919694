"""Plain Python functions and calls of them whose behavior a rewrite must not change."""

import contextlib
import functools
import math

CASES = []
SOMETHING = 5


def case(*calls, **keywords):
    """Registers a function and the tuples of arguments to call it with."""

    def note(function):
        CASES.append((function, calls or ((),), keywords))
        return function

    return note


@case((3,), (-3,), (0,))
def branches(x):
    if x > 0:
        kind = "positive"
    elif x < 0:
        kind = "negative"
    else:
        kind = None
    return kind


@case((1,), (0,))
def undefined_in_one_branch(x):
    if x:
        y = 1
    return y


@case((1,), (0,))
def read_before_it_is_there(x):
    if x:
        z = y  # noqa: F821
    for _ in range(x):
        z = y  # noqa: F821
    y = 1  # noqa: F841
    return z


@case((0,), (1,))
def read_in_a_condition(x):
    z = x or y  # noqa: F821
    while z and y:  # noqa: F821
        pass
    y = 1  # noqa: F841
    return z


@case((1,), (0,))
def deleted_in_one_branch(x):
    y = 2
    if x:
        del y
    return y


@case((0,), (1,), (2,), (3,), (7,))
def early_returns(x):
    if x == 0:
        return "zero"
    for i in range(5):
        if i == x:
            return i
        for j in range(3):
            if i * j == x:
                return (i, j)
    else:
        x += 100
    while True:
        x -= 1
        if x % 2 == 0:
            return x


@case((0,), (1,), (9,))
def no_value(x):
    if x == 0:
        return
    if x == 1:
        return 1


@case((10,))
def loops(n):
    found = []
    for i in range(n):
        if i % 2:
            continue
        if i > 6:
            break
        found.append(i)
    else:
        found.append("else")
    while n:
        n -= 1
        if n == 3:
            continue
        found.append(n)
    else:
        found.append("end")
    return found, i, n


@case(([1, 2, 3, 4],))
def break_leaves_the_iterator(values):
    rest = iter(values)
    for value in rest:
        if value == 2:
            break
    return value, list(rest)


@case(([],), ([3],))
def target_after_loop(values):
    for value in values:  # noqa: B007
        pass
    return value


@case(([(1, (2, 3)), (4, (5, 6))],))
def unpacking(pairs):
    total = 0
    for a, (b, *c) in pairs:
        total += a * b + c[0]
    return total, a, b, c


@case()
def targets_that_are_places():
    class Box:
        pass

    box, found = Box(), {}
    for box.x in range(3):
        for found["k"] in range(2):
            pass
    return box.x, found


@case((5,), (-1,))
def nonlocal_variables(x):
    total = 0

    def add(n):
        nonlocal total
        if n > 0:
            total += n
        return total

    for i in range(x):
        add(i)
    return total, add(0)


@case((3,))
def closures_in_loops(n):
    functions = []
    for i in range(n):
        functions.append(lambda: i)  # noqa: B023
        if i == 1:
            x = i
            functions.append(lambda: x)  # noqa: B023
    return [f() for f in functions]


@case()
def global_variables():
    global SOMETHING
    before = SOMETHING
    if before == 5:
        SOMETHING = 6
    after = SOMETHING
    SOMETHING = 5
    return before, after


@case((1,), (0,))
def declared_inside(x):
    seen = []
    if x:
        global SOMETHING
        for SOMETHING in range(3):
            seen.append(SOMETHING)
    else:
        seen.append(SOMETHING)
    SOMETHING = 5
    return seen


@case((1,), (0,), ("a",))
def errors(x):
    seen = []
    for i in range(3):
        try:
            seen.append(1 / x)
            if i == 1:
                break
        except ZeroDivisionError as error:
            seen.append(str(error))
            continue
        except TypeError:
            seen.append("type")
            return seen
        else:
            seen.append("else")
        finally:
            seen.append("finally")
    return seen


@case((1,), (0,))
def return_in_try(x):
    seen = []
    try:
        if x:
            return seen
        seen.append("after")
    finally:
        seen.append("finally")
    return seen, "end"


@case((0,), (1,))
def return_in_with(x):
    with contextlib.suppress(ZeroDivisionError):
        return 1 / x
    return "suppressed"


@case((3,))
def jumps_in_with(n):
    log = []

    @contextlib.contextmanager
    def noted(i):
        log.append(f"in {i}")
        yield
        log.append(f"out {i}")

    for i in range(n):
        with noted(i):
            if i == 1:
                break
            if i == 0:
                continue
        log.append("not reached")
    return log


@case((0,), (1,))
def raised(x):
    if x:
        raise KeyError("a") from ValueError("b")
    raise RuntimeError


@case((3, 4), (0, 4), (0, 0))
def values_of_logic(a, b):
    return a and b, a or b, not a, a and b or "none", [] or {} or a, (a, b) == (b, a), a != b


@case((1,), (4,), (9,))
def chains(x):
    asked = []

    def value(n):
        asked.append(n)
        return n

    return value(0) < value(x) <= value(4) != value(7), asked, 1 < x < 3 < 9, x in (1, 2) != (3,), x is x is not None


@case((1,), (0,))
def lazy(x):
    asked = []

    def value(n):
        asked.append(n)
        return n

    return value(x) and value(2), value(x) or value(3), value(4) if value(x) else value(5), asked


@case((5,), (-5,))
def assigned_in_expressions(x):
    if (n := x * 2) > 3 and (m := n + 1) > 4:
        return n, m
    while (n := n + 3) < 4:
        pass
    return [y := n, y**2], y, any((hit := i) > 2 for i in range(5)), hit


@case(({"a": 1, "b": [2, 3]},), ([1, 2, 3],), (5,), ("x",))
def patterns(x):
    match x:
        case {"a": 1, **rest}:
            if rest:
                return rest
        case [first, *others] if first:
            for o in others:
                if o == 3:
                    return first, o
        case int() as number:
            return number
        case _:
            found = "other"
    return found


@case((4,))
def comprehensions(n):
    numbers = [i for i in range(n) if i % 2 and not i == 1]
    pairs = {i: j for i in range(n) for j in range(i) if 0 < j < 3}
    return (
        numbers,
        pairs,
        {i and n for i in range(n)},
        sum(i if i > 1 else 10 for i in range(n)),
        [[i or j for i in range(2)] for j in range(2)],
    )


@case((3,))
def texts(n):
    return f"{n if n > 2 else 'few'!r:>{n + 4}} {'a' and 'b'} {not n=}"


@case((1, 2, 3), (1,), a=7, b=8)
def parameters(first, *rest, a=1, **others):
    if rest:
        first, a = a, first
    return first, rest, a, others


@case((), (3,))
def defaults(x=(1, 2), *, y=SOMETHING):
    if y:
        x = y, x
    return x


@case()
def generators_inside():
    def numbers(n):
        for i in range(n):
            if i == 2:
                return "end"
            got = yield i
            if got:
                yield got

    it = numbers(5)
    return next(it), it.send(7), list(it), tuple(i for i in numbers(2) if i or not i)


class Base:
    def __init__(self, n):
        self.n = n
        self.__hidden = n

    def hidden(self):
        if self.__hidden > 1:
            return self.__hidden
        return -self.__hidden

    def value(self):
        return self.n

    def private(self, __n=1):
        __m = 0
        while __n < 3:
            __n += 1
            if __n == 2:
                __m = self.__hidden
                self.__new = __m
        return __n, __m, self.__new, eval("_Base__n")


class Derived(Base):
    @case((Base(1),)) if False else lambda f: f
    def value(self):
        if self.n > 0:
            return super().value() + 1
        found = [super(Derived, self).value() for _ in range(2)]
        return found

    @property
    def twice(self):
        return self.value() and 2 * self.value()

    @staticmethod
    def made(n):
        return Derived(n) if n else None

    @classmethod
    def named(cls, n):
        if n:
            return cls.__name__, cls(n)._fields()
        return cls

    def _fields(self):
        return {k: v for k, v in vars(self).items() if not k == "n"}


@case((1,), (0,), (2,))
def objects(n):
    one = Derived(n)
    return one.value(), one.hidden(), one.twice, Derived.named(n), Derived.made(n) is None


CASES += [(Derived.value, ((Derived(1),), (Derived(0),)), {}), (Base.hidden, ((Base(3),), (Base(0),)), {})]
CASES += [(Base.private, ((Base(3),), (Base(0), 2), (Base(0), 5)), {})]


@case((2,))
def classes_inside(n):
    class Local(Base):
        size = n if n > 1 else 0

        def value(self):
            if self.n:
                return super().value() + self.size
            return n

    return Local(n).value(), Local(0).value(), Local.__qualname__


@case((3,))
def names_of_inner_functions(n):
    def inner():
        """Documented."""
        if n:
            return n
        return 0

    function = lambda: n if n else 0  # noqa: E731
    return inner.__name__, inner.__qualname__, inner.__doc__, function.__qualname__, inner(), function()


def doubled(function):
    @functools.wraps(function)
    def call(*args):
        result = function(*args)
        if result:
            return 2 * result
        return result

    return call


@case((1,), (0,))
@doubled
def decorated(x):
    if x:
        return 5
    return 0


@case((4,))
def decorated_inside(n):
    @doubled
    def inner(x):
        if x > 2:
            return x
        return 0

    return inner(n), inner(1)


@case((6,))
def recursion(n):
    if n < 2:
        return n
    return recursion(n - 1) + recursion(n - 2)


@case((3,))
def visible_names(x):
    y = 4
    if x:
        z = eval("x + y")
        exec("assert x + y == z")
        names = sorted(locals())
        w = [k for k in dir() if k in "xyzw"]
    return z, names, w, sorted(vars()) == sorted(locals()), eval("x", {"x": 1})


@case((3,))
def run_texts(x):
    """The strings are compiled with the future flags of this file, which does not postpone annotations."""
    names = {}
    if x:
        exec("def f(a: int) -> 'x': pass", names)
        exec("def g(a: int): return x")
    return names["f"].__annotations__, eval(" x + 1"), [eval("x", None, {"x": 1})]


@case((9.0,), (-1.0,))
def imports_inside(x):
    if x > 0:
        import math as m
        from math import floor
    else:
        m, floor = math, math.ceil
    return m.fabs(x), floor(x)


@case((3,), (0,))
def deleted_by_handler(x):
    error = "before"
    try:
        if x == 0:
            raise ValueError(x)
    except ValueError as error:
        x = str(error)
    return x, error


@case(([3, 1, 2],))
def methods_of_lists(values):
    values = list(values)
    if values:
        values.sort(key=lambda v: v if v > 1 else 10)
        values[0] = 7
        values[1:2] = [8, 9]
    values[-1] += 1
    return values


@case((0,), (1,), (2,))
def nested_functions_twice(n):
    def outer(a):
        def inner(b):
            nonlocal a
            while b > 0:
                b -= 1
                if b == 1:
                    a += 10
                    continue
                a += b
            return a

        return inner(n) + a

    return outer(1), outer(2)


@case((2,))
def loop_else_and_returns(n):
    log = []
    for i in range(n):
        for j in range(n):
            if j == i:
                break
        else:
            log.append((i, "no break"))
            continue
        log.append((i, j))
        if i == 5:
            return None
    else:
        log.append("end")
    return log


@case((1,), (2,), (3,))
def finally_order(n):
    log = []

    def step():
        for i in range(5):
            try:
                if i == n:
                    return f"returned {i}"
                log.append(i)
                try:
                    if i == 1:
                        continue
                finally:
                    log.append("inner")
            finally:
                log.append("outer")

    return step(), log


@case((1,), (0,))
def assertions(x):
    assert x, f"no {x}"
    assert x
    return x


@case((3,))
def generator_of_conditions(n):
    return all(i < n and i >= 0 for i in range(n)), max((i for i in range(n) if not i % 2), default=None)


@case((2,))
def annotations(n):
    x: int
    y: list[int] = [n]
    if n:
        x = 1
    return x, y


@case((5,))
def star_calls(n):
    def collect(*args, **kwargs):
        return args, kwargs

    return collect(*range(n), *[1], a=n, b=n if n else 0), print(end="")


@case((0,), (1,))
def exception_in_condition(x):
    try:
        if 1 / x > 0:
            y = 1
        else:
            y = 2
    except ZeroDivisionError:
        y = 3
    return y


@case((3,))
def partials(n):
    add = functools.partial(lambda a, b: a + b if a else b, n)
    return add(2), list(map(add, range(3)))
