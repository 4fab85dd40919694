"""The update rules of the optimizers in NumPy, following their papers and TensorFlow's documentation.

Each rule is a function `rule(w, slots, grad, t)` of arrays that changes `w` and the arrays in `slots` in place; `t`
counts steps from 1.
"""

import numpy as np


def gradient_descent(lr):
    def rule(w, slots, grad, t):
        w -= lr * grad

    return rule, {}


def momentum(lr, mu, nesterov=False):
    def rule(w, slots, grad, t):
        a = slots["momentum"]
        a[...] = mu * a + grad
        w -= lr * (grad + mu * a) if nesterov else lr * a

    return rule, {"momentum": 0.0}


def adam(lr, beta1=0.9, beta2=0.999, epsilon=1e-8):
    def rule(w, slots, grad, t):
        m, v = slots["m"], slots["v"]
        m[...] = beta1 * m + (1 - beta1) * grad
        v[...] = beta2 * v + (1 - beta2) * grad**2
        w -= lr * np.sqrt(1 - beta2**t) / (1 - beta1**t) * m / (np.sqrt(v) + epsilon)

    return rule, {"m": 0.0, "v": 0.0}


def rms_prop(lr, decay=0.9, mu=0.0, epsilon=1e-10, centered=False):
    def rule(w, slots, grad, t):
        rms, mom = slots["rms"], slots["momentum"]
        rms[...] = decay * rms + (1 - decay) * grad**2
        spread = rms
        if centered:
            mg = slots["mg"]
            mg[...] = decay * mg + (1 - decay) * grad
            spread = rms - mg**2
        mom[...] = mu * mom + lr * grad / np.sqrt(spread + epsilon)
        w -= mom

    return rule, {"rms": 1.0, "momentum": 0.0, **({"mg": 0.0} if centered else {})}


def adagrad(lr, start=0.1):
    def rule(w, slots, grad, t):
        a = slots["accumulator"]
        a += grad**2
        w -= lr * grad / np.sqrt(a)

    return rule, {"accumulator": start}


def adadelta(lr, rho=0.95, epsilon=1e-8):
    def rule(w, slots, grad, t):
        accum, update = slots["accum"], slots["accum_update"]
        accum[...] = rho * accum + (1 - rho) * grad**2
        step = np.sqrt(update + epsilon) / np.sqrt(accum + epsilon) * grad
        update[...] = rho * update + (1 - rho) * step**2
        w -= lr * step

    return rule, {"accum": 0.0, "accum_update": 0.0}


def _shrunk(x, l1, l2, rate):
    return np.sign(x) * np.maximum(np.abs(x) - rate * l1, 0) / (1 + rate * l2)


def proximal_gradient_descent(lr, l1=0.0, l2=0.0):
    def rule(w, slots, grad, t):
        w[...] = _shrunk(w - lr * grad, l1, l2, lr)

    return rule, {}


def proximal_adagrad(lr, start=0.1, l1=0.0, l2=0.0):
    def rule(w, slots, grad, t):
        a = slots["accumulator"]
        a += grad**2
        rate = lr / np.sqrt(a)
        w[...] = _shrunk(w - rate * grad, l1, l2, rate)

    return rule, {"accumulator": start}


def ftrl(lr, power=-0.5, start=0.1, l1=0.0, l2=0.0, shrinkage=0.0):
    def rule(w, slots, grad, t):
        accum, linear = slots["accum"], slots["linear"]
        new = accum + grad**2
        sigma = (new**-power - accum**-power) / lr
        linear += grad + 2 * shrinkage * w - sigma * w
        quadratic = new**-power / lr + 2 * l2
        w[...] = np.where(np.abs(linear) > l1, (np.sign(linear) * l1 - linear) / quadratic, 0)
        accum[...] = new

    return rule, {"accum": start, "linear": 0.0}


def adagrad_da(lr, start=0.1, l1=0.0, l2=0.0):
    def rule(w, slots, grad, t):
        total, squares = slots["gradient_accumulator"], slots["gradient_squared_accumulator"]
        total += grad
        squares += grad**2
        # The op gets the global step plus one.
        w[...] = -np.sign(total) * lr * np.maximum(np.abs(total) - l1 * t, 0) / (l2 * t * lr + np.sqrt(squares))

    return rule, {"gradient_accumulator": 0.0, "gradient_squared_accumulator": start}
