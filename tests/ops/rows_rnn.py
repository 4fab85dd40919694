"""Rows of recurrent networks, checked with steps in NumPy."""

import numpy as np
from op_table import Row

_NEW_SECOND, _FORGET_SECOND = (0, 1, 2, 3), (0, 2, 1, 3)  # orders of the gates input, new, forget and output


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _step(x, cs_prev, h_prev, w, wci, wcf, wco, b, order, forget_bias, cell_clip, use_peephole):
    parts = np.split(np.concatenate([x, h_prev], 1) @ w + b, 4, 1)
    i, ci, f, o = (parts[k] for k in order)
    if not use_peephole:
        wci = wcf = wco = 0
    i, ci = _sigmoid(i + cs_prev * wci), np.tanh(ci)
    f = _sigmoid(f + forget_bias + cs_prev * wcf)
    cs = ci * i + cs_prev * f
    if cell_clip > 0:
        cs = np.clip(cs, -cell_clip, cell_clip)
    o, co = _sigmoid(o + cs * wco), np.tanh(cs)
    return i, cs, f, o, ci, co, co * o


def _cell(*inputs, forget_bias=1.0, cell_clip=3.0, use_peephole=False, order=_NEW_SECOND):
    return _step(*inputs, order, forget_bias, cell_clip, use_peephole)


def _step_back(cs_prev, seen, i, cs, f, o, ci, co, cs_grad, h_grad, use_peephole):
    """The gradients for the previous state, for the gates input, new, forget and output, and for the peepholes
    `seen`.
    """
    wci, wcf, wco = seen if use_peephole else (0, 0, 0)
    to_o = o * (1 - o) * h_grad * co
    dcs = (1 - co * co) * h_grad * o + cs_grad + to_o * wco
    to_ci, to_f, to_i = (1 - ci * ci) * dcs * i, f * (1 - f) * dcs * cs_prev, i * (1 - i) * dcs * ci
    to_seen = [(to_i * cs_prev).sum(0), (to_f * cs_prev).sum(0), (to_o * cs).sum(0)]
    to_seen = [s * bool(use_peephole) for s in to_seen]
    return dcs * f + to_i * wci + to_f * wcf, (to_i, to_ci, to_f, to_o), to_seen


def _cell_grad(x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad, use_peephole):
    before, gates, seen = _step_back(
        cs_prev, (wci, wcf, wco), i, cs, f, o, ci, co, cs_grad, h_grad, use_peephole=use_peephole
    )
    return (before, np.concatenate(gates, 1), *seen)


def _sequence(steps, x, cs_prev, h_prev, *weights, order=_NEW_SECOND, cell_clip=3.0, **attrs):
    values = np.zeros((7, len(x), *cs_prev.shape))
    for t in range(int(steps)):
        values[:, t] = _cell(x[t], cs_prev, h_prev, *weights, order=order, cell_clip=cell_clip, **attrs)
        cs_prev, h_prev = values[1, t], values[6, t]
    return tuple(values)


def _second(*inputs, cell_clip=0.0, use_peephole=False):
    return _sequence(*inputs, order=_FORGET_SECOND, forget_bias=0.0, cell_clip=cell_clip, use_peephole=use_peephole)


def _sequence_grad(steps, x, cs_prev, h_prev, w, wci, wcf, wco, b, *others, use_peephole, order=_NEW_SECOND):
    i, cs, f, o, ci, co, h, cs_grad, h_grad = others
    x_grad, w_grad, b_grad, seen = np.zeros_like(x), np.zeros_like(w), np.zeros_like(b), [np.zeros_like(wci)] * 3
    to_cs, to_h = np.zeros_like(cs_prev), np.zeros_like(h_prev)
    for t in reversed(range(int(steps))):
        cs_before, h_before = (cs[t - 1], h[t - 1]) if t else (cs_prev, h_prev)
        values = i[t], cs[t], f[t], o[t], ci[t], co[t], cs_grad[t] + to_cs, h_grad[t] + to_h
        to_cs, gates, to_seen = _step_back(cs_before, (wci, wcf, wco), *values, use_peephole=use_peephole)
        gates = np.concatenate([gates[order.index(k)] for k in range(4)], 1)
        joined = gates @ w.T
        x_grad[t], to_h = joined[:, : x.shape[2]], joined[:, x.shape[2] :]
        w_grad += np.concatenate([x[t], h_before], 1).T @ gates
        b_grad += gates.sum(0)
        seen = [s + more for s, more in zip(seen, to_seen, strict=True)]
    return (x_grad, to_cs, to_h, w_grad, *seen, b_grad)


def _second_grad(*inputs, use_peephole):
    return _sequence_grad(*inputs, use_peephole=use_peephole, order=_FORGET_SECOND)


def _gru(x, h_prev, w_ru, w_c, b_ru, b_c):
    r, u = np.split(_sigmoid(np.concatenate([x, h_prev], 1) @ w_ru + b_ru), 2, 1)
    c = np.tanh(np.concatenate([x, h_prev * r], 1) @ w_c + b_c)
    return r, u, c, (1 - u) * c + u * h_prev


def _gru_grad(x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h):
    to_c, to_u = d_h * (1 - u) * (1 - c * c), d_h * (h_prev - c) * u * (1 - u)
    joined = to_c @ w_c.T
    reset = joined[:, x.shape[1] :]
    gates = np.concatenate([reset * h_prev * r * (1 - r), to_u], 1)
    joined[:, x.shape[1] :] = reset * r + d_h * u
    joined += gates @ w_ru.T
    return joined[:, : x.shape[1]], joined[:, x.shape[1] :], to_c, gates


def _lstm_inputs(batch, inputs, units):
    state, seen = (batch, units), (units,)
    return (batch, inputs), state, state, (inputs + units, 4 * units), seen, seen, seen, (4 * units,)


def _sequences(steps, batch, inputs, units, more=0):
    x, *others = _lstm_inputs(batch, inputs, units)
    return (), (steps, *x), *others, *more * ((steps, batch, units),)


def _gru_inputs(batch, inputs, units, more=0):
    rows = inputs + units
    return (
        *((batch, inputs), (batch, units), (rows, 2 * units), (rows, units), (2 * units,), (units,)),
        *more * ((batch, units),),
    )


_SIZES = ((2, 3, 2), (1, 1, 1), (3, 0, 2), (0, 2, 3), (2, 2, 0), (14, 5, 35))
_STEPS = ((4, 2, 2, 2), (1, 3, 1, 3), (3, 2, 0, 2), (3, 0, 2, 2), (2, 1, 3, 0), (5, 29, 3, 19))
_CELLS = tuple(_lstm_inputs(*sizes) for sizes in _SIZES)
_CELL_GRADS = tuple((*_lstm_inputs(*sizes), *8 * ((sizes[0], sizes[2]),)) for sizes in _SIZES)
_NETS = tuple(_sequences(*sizes) for sizes in _STEPS)
_NET_GRADS = tuple(_sequences(*sizes, more=9) for sizes in _STEPS)
_GRUS = tuple(_gru_inputs(*sizes) for sizes in _SIZES)
_GRU_GRADS = tuple(_gru_inputs(*sizes, more=4) for sizes in _SIZES)
_NO_CLIP = {"forget_bias": 0.5, "cell_clip": -1.0}
_SEEN = {"use_peephole": True}
_UNITS = (-1, 1)


def _steps(n):
    return {0: np.array(n, np.int64)}


ROWS = [
    Row("LSTMBlockCell", _cell, _CELLS, domain=_UNITS, attrs={**_NO_CLIP, **_SEEN}, grad_output=6, tol=8),
    Row("LSTMBlockCell", _cell, _CELLS[:1], domain=_UNITS, attrs=_NO_CLIP, grad_output=1, tol=8),
    Row("LSTMBlockCell", _cell, _CELLS, domain=(-3, 3), attrs={"cell_clip": 0.5, **_SEEN}, grad=False, tol=40),
    Row("LSTMBlockCellGrad", _cell_grad, _CELL_GRADS, domain=_UNITS, attrs=_SEEN, tol=8),
    Row("LSTMBlockCellGrad", _cell_grad, _CELL_GRADS, domain=_UNITS, attrs={"use_peephole": False}, tol=8),
    Row("BlockLSTM", _sequence, _NETS, domain=_UNITS, fixed=_steps(1), attrs=_NO_CLIP, grad_output=6, tol=16),
    Row(
        "BlockLSTM",
        _sequence,
        _NETS[:1],
        domain=_UNITS,
        fixed=_steps(3),
        attrs={**_NO_CLIP, **_SEEN},
        grad_output=6,
        tol=16,
    ),
    Row("BlockLSTM", _sequence, _NETS[:1], domain=_UNITS, fixed=_steps(4), attrs=_NO_CLIP, grad_output=1, tol=16),
    Row("BlockLSTM", _sequence, _NETS[-1:], domain=_UNITS, fixed=_steps(5), attrs={"cell_clip": 0.4, **_SEEN}, tol=40),
    Row("BlockLSTM", _sequence, _NETS[:1], domain=_UNITS, fixed=_steps(0), grad_output=6),
    Row("BlockLSTMV2", _second, _NETS, domain=_UNITS, fixed=_steps(1), attrs=_SEEN, grad_output=6, tol=16),
    Row("BlockLSTMV2", _second, _NETS[:1], domain=_UNITS, fixed=_steps(4), grad_output=6, tol=16),
    Row("BlockLSTMGrad", _sequence_grad, _NET_GRADS, domain=_UNITS, fixed=_steps(1), attrs=_SEEN, tol=16),
    Row("BlockLSTMGrad", _sequence_grad, _NET_GRADS[-1:], domain=_UNITS, fixed=_steps(5), attrs=_SEEN, tol=80),
    Row(
        "BlockLSTMGrad",
        _sequence_grad,
        _NET_GRADS[:1],
        domain=_UNITS,
        fixed=_steps(3),
        attrs={"use_peephole": False},
        tol=16,
    ),
    Row("BlockLSTMGradV2", _second_grad, _NET_GRADS, domain=_UNITS, fixed=_steps(1), attrs=_SEEN, tol=16),
    Row(
        "BlockLSTMGradV2",
        _second_grad,
        _NET_GRADS[:1],
        domain=_UNITS,
        fixed=_steps(4),
        attrs={"use_peephole": False},
        tol=16,
    ),
    Row("GRUBlockCell", _gru, _GRUS, domain=_UNITS, grad_output=3, tol=8),
    Row("GRUBlockCellGrad", _gru_grad, _GRU_GRADS, domain=_UNITS, tol=8),
]
