"""Rows of Einsum, checked with NumPy."""

import numpy as np
from op_table import Row


def einsum(inputs, equation):
    """NumPy's einsum, extended to labels repeated in the output, which denote diagonals of a zero tensor."""
    left, output = equation.split("->")
    output = output.replace("...", ".")
    distinct = "".join(dict.fromkeys(output))
    values = np.einsum(f"{left}->{distinct.replace('.', '...')}", *inputs)
    if len(distinct) == len(output):
        return values
    unnamed = [f".{i}" for i in range(values.ndim - len(distinct.replace(".", "")))]
    labels, wanted = ([m for n in text for m in (unnamed if n == "." else [n])] for text in (distinct, output))
    index = dict(zip(labels, np.indices(values.shape), strict=True))
    sizes = dict(zip(labels, values.shape, strict=True))
    out = np.zeros([sizes[label] for label in wanted], values.dtype)
    out[tuple(index[label] for label in wanted)] = values
    return out


def _row(equation, *cases):
    return Row("Einsum", einsum, tuple((list(shapes),) for shapes in cases), attrs={"equation": equation}, tol=4)


ROWS = [
    # One input: identity, transposition, sums, diagonals and traces, and outputs with diagonals.
    _row("->", [()]),
    _row("ab->ab", [(2, 3)], [(0, 3)]),
    _row("...->...", [()], [(2, 1, 3)]),
    _row("abc->cab", [(2, 3, 4)], [(2, 1, 3)]),
    _row("a...->...a", [(2, 3, 4)], [(5,)], [(2, 0)]),
    _row("ab->", [(3, 4)], [(0, 4)]),
    _row("abc->b", [(3, 2, 5)], [(3, 2, 0)]),
    _row("abcdefghijklmnopqrst->acegikmoqs", [(2, 1, 2, 2) + (1,) * 16], [(1, 2) * 10]),
    _row("a...b->...", [(2, 3, 4, 5)], [(2, 3)]),
    _row("aa->a", [(4, 4)], [(0, 0)]),
    _row("aa->", [(4, 4)], [(1, 1)]),
    _row("abab->ba", [(2, 3, 2, 3)]),
    _row("aab...->...b", [(3, 3, 2, 2)], [(3, 3, 2)]),
    _row("a->aa", [(3,)], [(0,)]),
    _row("ab->bab", [(2, 3)]),
    _row("aab->bb", [(2, 2, 3)]),
    _row("aa->aa", [(3, 3)], [(1, 1)]),
    _row("abab->abab", [(2, 3, 2, 3)]),
    _row("aabb->bbaa", [(2, 2, 1, 1)]),
    # Two inputs: matrix products in all orders, batches, broadcasting.
    _row("ab,bc->ac", [(3, 4), (4, 5)], [(3, 0), (0, 2)], [(1, 1), (1, 1)], [(2, 3), (3, 0)]),
    _row("ba,cb->ac", [(4, 3), (5, 4)]),
    _row("ab,cb->ca", [(3, 4), (5, 4)]),
    _row("ab,b->a", [(3, 4), (4,)]),
    _row("a,a->", [(5,), (5,)], [(0,), (0,)]),
    _row("a,b->ab", [(3,), (4,)]),
    _row("a,b->", [(3,), (4,)]),
    _row(",->", [(), ()]),
    _row("ab,->ba", [(3, 4), ()]),
    _row("ab,ab->ab", [(3, 4), (3, 4)]),
    _row("ab,ba->ab", [(3, 4), (4, 3)]),
    _row("abc,abd->cd", [(2, 3, 4), (2, 3, 2)]),
    _row("abc,adc->abd", [(2, 3, 4), (2, 5, 4)]),
    _row("bac,dcb->dab", [(2, 3, 4), (2, 4, 2)]),
    _row("abcd,aecd->abe", [(2, 3, 2, 2), (2, 3, 2, 2)]),
    _row("abcd,ebdc->aceb", [(2, 1, 3, 2), (3, 1, 2, 3)]),
    _row("ab,bc->b", [(3, 4), (4, 2)]),
    _row("ab,cd->db", [(3, 4), (2, 3)]),
    _row("aab,bc->ac", [(3, 3, 2), (2, 4)]),
    _row("aab,bcc->a", [(2, 2, 3), (3, 2, 2)]),
    _row("abb,ab->", [(2, 3, 3), (2, 3)]),
    _row("ab,bc->aac", [(2, 3), (3, 2)]),
    _row("ab,ab->abab", [(1, 2), (1, 2)]),
    _row(
        "...ab,...bc->...ac", [(2, 3), (3, 2)], [(5, 2, 3), (3, 2)], [(2, 1, 2, 3), (3, 3, 2)], [(0, 2, 3), (1, 3, 2)]
    ),
    _row("a...b,b...->a...", [(2, 1, 3, 2), (2, 4, 1)], [(2, 3), (3,)]),
    _row("...a,a->...", [(2, 3, 4), (4,)]),
    _row("...,...->...", [(2, 1), (3,)], [(), (2, 2)], [(4, 1), (1, 4)]),
    _row("...ab,c->bc...", [(2, 3, 2), (2,)]),
    _row("a...,...b->b...", [(2, 3, 1), (1, 2, 3)]),
]
