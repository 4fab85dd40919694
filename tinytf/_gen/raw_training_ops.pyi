"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def ApplyAdaMax(*, var: RefLike, m: RefLike, v: RefLike, beta1_power: TensorLike, lr: TensorLike, beta1: TensorLike, beta2: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """AdaMax: `m += (1 - beta1) * (grad - m); v = max(beta2 * v, abs(grad)); var -= lr / (1 - beta1_power) * m / (v + epsilon)`. The output is the reference `var`."""

def ApplyAdadelta(*, var: RefLike, accum: RefLike, accum_update: RefLike, lr: TensorLike, rho: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adadelta: `accum = rho * accum + (1 - rho) * grad ** 2; u = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad; accum_update = rho * accum_update + (1 - rho) * u ** 2; var -= lr * u`. The output is the reference `var`."""

def ApplyAdagrad(*, var: RefLike, accum: RefLike, lr: TensorLike, grad: TensorLike, use_locking: bool | None = False, update_slots: bool | None = True, name: str | None = None) -> Tensor:
    """Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / sqrt(accum)`. The output is the reference `var`."""

def ApplyAdagradDA(*, var: RefLike, gradient_accumulator: RefLike, gradient_squared_accumulator: RefLike, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, global_step: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adagrad with dual averaging: each step computes `var` anew from the sums of the gradients and of their squares, with L1 and L2 regularization. The output is the reference `var`."""

def ApplyAdagradV2(*, var: RefLike, accum: RefLike, lr: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, update_slots: bool | None = True, name: str | None = None) -> Tensor:
    """Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / (sqrt(accum) + epsilon)`. The output is the reference `var`."""

def ApplyAdam(*, var: RefLike, m: RefLike, v: RefLike, beta1_power: TensorLike, beta2_power: TensorLike, lr: TensorLike, beta1: TensorLike, beta2: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, use_nesterov: bool | None = False, name: str | None = None) -> Tensor:
    """Adam: `rate = lr * sqrt(1 - beta2_power) / (1 - beta1_power); m += (1 - beta1) * (grad - m); v += (1 - beta2) * (grad ** 2 - v); var -= rate * m / (sqrt(v) + epsilon)`; with `use_nesterov` the numerator is `beta1 * m + (1 - beta1) * grad`. The output is the reference `var`."""

def ApplyAddSign(*, var: RefLike, m: RefLike, lr: TensorLike, alpha: TensorLike, sign_decay: TensorLike, beta: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """AddSign: `m = beta * m + (1 - beta) * grad; var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad`. The output is the reference `var`."""

def ApplyCenteredRMSProp(*, var: RefLike, mg: RefLike, ms: RefLike, mom: RefLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """RMSProp that normalizes by an estimate of the variance: `mg = rho * mg + (1 - rho) * grad; ms = rho * ms + (1 - rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms - mg ** 2 + epsilon); var -= mom`. The output is the reference `var`."""

def ApplyFtrl(*, var: RefLike, accum: RefLike, linear: RefLike, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, lr_power: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Follow the regularized leader: `new = accum + grad ** 2; linear += grad - (new ** -lr_power - accum ** -lr_power) / lr * var; accum = new; var = (sign(linear) * l1 - linear) / (new ** -lr_power / lr + 2 * l2)` where `abs(linear) > l1`, else 0. The output is the reference `var`."""

def ApplyFtrlV2(*, var: RefLike, accum: RefLike, linear: RefLike, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, l2_shrinkage: TensorLike, lr_power: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Follow the regularized leader as in `ApplyFtrl`, with `grad + 2 * l2_shrinkage * var` in place of `grad` in the updates of `linear` and `var`. The output is the reference `var`."""

def ApplyGradientDescent(*, var: RefLike, alpha: TensorLike, delta: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Gradient descent: `var -= alpha * delta`. The output is the reference `var`."""

def ApplyMomentum(*, var: RefLike, accum: RefLike, lr: TensorLike, grad: TensorLike, momentum: TensorLike, use_locking: bool | None = False, use_nesterov: bool | None = False, name: str | None = None) -> Tensor:
    """Momentum: `accum = accum * momentum + grad; var -= lr * accum`; with `use_nesterov`, `var -= lr * (grad + momentum * accum)`. The output is the reference `var`."""

def ApplyPowerSign(*, var: RefLike, m: RefLike, lr: TensorLike, logbase: TensorLike, sign_decay: TensorLike, beta: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """PowerSign: `m = beta * m + (1 - beta) * grad; var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) * grad`. The output is the reference `var`."""

def ApplyProximalAdagrad(*, var: RefLike, accum: RefLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """FOBOS with the rate of Adagrad: `accum += grad ** 2; r = lr / sqrt(accum); p = var - r * grad; var = sign(p) / (1 + r * l2) * max(abs(p) - r * l1, 0)`. The output is the reference `var`."""

def ApplyProximalGradientDescent(*, var: RefLike, alpha: TensorLike, l1: TensorLike, l2: TensorLike, delta: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """FOBOS with a fixed rate: `p = var - alpha * delta; var = sign(p) / (1 + alpha * l2) * max(abs(p) - alpha * l1, 0)`. The output is the reference `var`."""

def ApplyRMSProp(*, var: RefLike, ms: RefLike, mom: RefLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """RMSProp: `ms = rho * ms + (1 - rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms + epsilon); var -= mom`. The output is the reference `var`."""

def ResourceApplyAdaMax(*, var: Tensor, m: Tensor, v: Tensor, beta1_power: TensorLike, lr: TensorLike, beta1: TensorLike, beta2: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """AdaMax: `m += (1 - beta1) * (grad - m); v = max(beta2 * v, abs(grad)); var -= lr / (1 - beta1_power) * m / (v + epsilon)`."""

def ResourceApplyAdadelta(*, var: Tensor, accum: Tensor, accum_update: Tensor, lr: TensorLike, rho: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """Adadelta: `accum = rho * accum + (1 - rho) * grad ** 2; u = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad; accum_update = rho * accum_update + (1 - rho) * u ** 2; var -= lr * u`."""

def ResourceApplyAdagrad(*, var: Tensor, accum: Tensor, lr: TensorLike, grad: TensorLike, use_locking: bool | None = False, update_slots: bool | None = True, name: str | None = None) -> Operation:
    """Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / sqrt(accum)`."""

def ResourceApplyAdagradDA(*, var: Tensor, gradient_accumulator: Tensor, gradient_squared_accumulator: Tensor, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, global_step: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """Adagrad with dual averaging: each step computes `var` anew from the sums of the gradients and of their squares, with L1 and L2 regularization."""

def ResourceApplyAdagradV2(*, var: Tensor, accum: Tensor, lr: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, update_slots: bool | None = True, name: str | None = None) -> Operation:
    """Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / (sqrt(accum) + epsilon)`."""

def ResourceApplyAdam(*, var: Tensor, m: Tensor, v: Tensor, beta1_power: TensorLike, beta2_power: TensorLike, lr: TensorLike, beta1: TensorLike, beta2: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, use_nesterov: bool | None = False, name: str | None = None) -> Operation:
    """Adam: `rate = lr * sqrt(1 - beta2_power) / (1 - beta1_power); m += (1 - beta1) * (grad - m); v += (1 - beta2) * (grad ** 2 - v); var -= rate * m / (sqrt(v) + epsilon)`; with `use_nesterov` the numerator is `beta1 * m + (1 - beta1) * grad`."""

def ResourceApplyAddSign(*, var: Tensor, m: Tensor, lr: TensorLike, alpha: TensorLike, sign_decay: TensorLike, beta: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """AddSign: `m = beta * m + (1 - beta) * grad; var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad`."""

def ResourceApplyCenteredRMSProp(*, var: Tensor, mg: Tensor, ms: Tensor, mom: Tensor, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """RMSProp that normalizes by an estimate of the variance: `mg = rho * mg + (1 - rho) * grad; ms = rho * ms + (1 - rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms - mg ** 2 + epsilon); var -= mom`."""

def ResourceApplyFtrl(*, var: Tensor, accum: Tensor, linear: Tensor, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, lr_power: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """Follow the regularized leader: `new = accum + grad ** 2; linear += grad - (new ** -lr_power - accum ** -lr_power) / lr * var; accum = new; var = (sign(linear) * l1 - linear) / (new ** -lr_power / lr + 2 * l2)` where `abs(linear) > l1`, else 0."""

def ResourceApplyFtrlV2(*, var: Tensor, accum: Tensor, linear: Tensor, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, l2_shrinkage: TensorLike, lr_power: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """Follow the regularized leader as in `ApplyFtrl`, with `grad + 2 * l2_shrinkage * var` in place of `grad` in the updates of `linear` and `var`."""

def ResourceApplyGradientDescent(*, var: Tensor, alpha: TensorLike, delta: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """Gradient descent: `var -= alpha * delta`."""

def ResourceApplyKerasMomentum(*, var: Tensor, accum: Tensor, lr: TensorLike, grad: TensorLike, momentum: TensorLike, use_locking: bool | None = False, use_nesterov: bool | None = False, name: str | None = None) -> Operation:
    """Momentum as Keras defines it: `accum = accum * momentum - lr * grad; var += accum`; with `use_nesterov`, `var += accum * momentum - lr * grad`."""

def ResourceApplyMomentum(*, var: Tensor, accum: Tensor, lr: TensorLike, grad: TensorLike, momentum: TensorLike, use_locking: bool | None = False, use_nesterov: bool | None = False, name: str | None = None) -> Operation:
    """Momentum: `accum = accum * momentum + grad; var -= lr * accum`; with `use_nesterov`, `var -= lr * (grad + momentum * accum)`."""

def ResourceApplyPowerSign(*, var: Tensor, m: Tensor, lr: TensorLike, logbase: TensorLike, sign_decay: TensorLike, beta: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """PowerSign: `m = beta * m + (1 - beta) * grad; var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) * grad`."""

def ResourceApplyProximalAdagrad(*, var: Tensor, accum: Tensor, lr: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """FOBOS with the rate of Adagrad: `accum += grad ** 2; r = lr / sqrt(accum); p = var - r * grad; var = sign(p) / (1 + r * l2) * max(abs(p) - r * l1, 0)`."""

def ResourceApplyProximalGradientDescent(*, var: Tensor, alpha: TensorLike, l1: TensorLike, l2: TensorLike, delta: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """FOBOS with a fixed rate: `p = var - alpha * delta; var = sign(p) / (1 + alpha * l2) * max(abs(p) - alpha * l1, 0)`."""

def ResourceApplyRMSProp(*, var: Tensor, ms: Tensor, mom: Tensor, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """RMSProp: `ms = rho * ms + (1 - rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms + epsilon); var -= mom`."""

def ResourceSparseApplyAdadelta(*, var: Tensor, accum: Tensor, accum_update: Tensor, lr: TensorLike, rho: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """Adadelta: `accum = rho * accum + (1 - rho) * grad ** 2; u = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad; accum_update = rho * accum_update + (1 - rho) * u ** 2; var -= lr * u`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyAdagrad(*, var: Tensor, accum: Tensor, lr: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, update_slots: bool | None = True, name: str | None = None) -> Operation:
    """Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / sqrt(accum)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyAdagradDA(*, var: Tensor, gradient_accumulator: Tensor, gradient_squared_accumulator: Tensor, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, global_step: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """Adagrad with dual averaging: each step computes `var` anew from the sums of the gradients and of their squares, with L1 and L2 regularization. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyAdagradV2(*, var: Tensor, accum: Tensor, lr: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, update_slots: bool | None = True, name: str | None = None) -> Operation:
    """Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / (sqrt(accum) + epsilon)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyCenteredRMSProp(*, var: Tensor, mg: Tensor, ms: Tensor, mom: Tensor, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """RMSProp that normalizes by an estimate of the variance: `mg = rho * mg + (1 - rho) * grad; ms = rho * ms + (1 - rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms - mg ** 2 + epsilon); var -= mom`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyFtrl(*, var: Tensor, accum: Tensor, linear: Tensor, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, lr_power: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """Follow the regularized leader: `new = accum + grad ** 2; linear += grad - (new ** -lr_power - accum ** -lr_power) / lr * var; accum = new; var = (sign(linear) * l1 - linear) / (new ** -lr_power / lr + 2 * l2)` where `abs(linear) > l1`, else 0. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyFtrlV2(*, var: Tensor, accum: Tensor, linear: Tensor, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, l2_shrinkage: TensorLike, lr_power: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """Follow the regularized leader as in `ApplyFtrl`, with `grad + 2 * l2_shrinkage * var` in place of `grad` in the updates of `linear` and `var`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyKerasMomentum(*, var: Tensor, accum: Tensor, lr: TensorLike, grad: TensorLike, indices: TensorLike, momentum: TensorLike, use_locking: bool | None = False, use_nesterov: bool | None = False, name: str | None = None) -> Operation:
    """Momentum as Keras defines it: `accum = accum * momentum - lr * grad; var += accum`; with `use_nesterov`, `var += accum * momentum - lr * grad`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyMomentum(*, var: Tensor, accum: Tensor, lr: TensorLike, grad: TensorLike, indices: TensorLike, momentum: TensorLike, use_locking: bool | None = False, use_nesterov: bool | None = False, name: str | None = None) -> Operation:
    """Momentum: `accum = accum * momentum + grad; var -= lr * accum`; with `use_nesterov`, `var -= lr * (grad + momentum * accum)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyProximalAdagrad(*, var: Tensor, accum: Tensor, lr: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """FOBOS with the rate of Adagrad: `accum += grad ** 2; r = lr / sqrt(accum); p = var - r * grad; var = sign(p) / (1 + r * l2) * max(abs(p) - r * l1, 0)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyProximalGradientDescent(*, var: Tensor, alpha: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """FOBOS with a fixed rate: `p = var - alpha * delta; var = sign(p) / (1 + alpha * l2) * max(abs(p) - alpha * l1, 0)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def ResourceSparseApplyRMSProp(*, var: Tensor, ms: Tensor, mom: Tensor, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Operation:
    """RMSProp: `ms = rho * ms + (1 - rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms + epsilon); var -= mom`. Only the rows of `var` at `indices` change; `grad` has one row for each of them."""

def SparseApplyAdadelta(*, var: RefLike, accum: RefLike, accum_update: RefLike, lr: TensorLike, rho: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adadelta: `accum = rho * accum + (1 - rho) * grad ** 2; u = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad; accum_update = rho * accum_update + (1 - rho) * u ** 2; var -= lr * u`. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyAdagrad(*, var: RefLike, accum: RefLike, lr: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, update_slots: bool | None = True, name: str | None = None) -> Tensor:
    """Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / sqrt(accum)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyAdagradDA(*, var: RefLike, gradient_accumulator: RefLike, gradient_squared_accumulator: RefLike, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, global_step: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adagrad with dual averaging: each step computes `var` anew from the sums of the gradients and of their squares, with L1 and L2 regularization. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyAdagradV2(*, var: RefLike, accum: RefLike, lr: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, update_slots: bool | None = True, name: str | None = None) -> Tensor:
    """Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / (sqrt(accum) + epsilon)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyCenteredRMSProp(*, var: RefLike, mg: RefLike, ms: RefLike, mom: RefLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """RMSProp that normalizes by an estimate of the variance: `mg = rho * mg + (1 - rho) * grad; ms = rho * ms + (1 - rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms - mg ** 2 + epsilon); var -= mom`. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyFtrl(*, var: RefLike, accum: RefLike, linear: RefLike, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, lr_power: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Follow the regularized leader: `new = accum + grad ** 2; linear += grad - (new ** -lr_power - accum ** -lr_power) / lr * var; accum = new; var = (sign(linear) * l1 - linear) / (new ** -lr_power / lr + 2 * l2)` where `abs(linear) > l1`, else 0. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyFtrlV2(*, var: RefLike, accum: RefLike, linear: RefLike, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, l2_shrinkage: TensorLike, lr_power: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Follow the regularized leader as in `ApplyFtrl`, with `grad + 2 * l2_shrinkage * var` in place of `grad` in the updates of `linear` and `var`. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyMomentum(*, var: RefLike, accum: RefLike, lr: TensorLike, grad: TensorLike, indices: TensorLike, momentum: TensorLike, use_locking: bool | None = False, use_nesterov: bool | None = False, name: str | None = None) -> Tensor:
    """Momentum: `accum = accum * momentum + grad; var -= lr * accum`; with `use_nesterov`, `var -= lr * (grad + momentum * accum)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyProximalAdagrad(*, var: RefLike, accum: RefLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """FOBOS with the rate of Adagrad: `accum += grad ** 2; r = lr / sqrt(accum); p = var - r * grad; var = sign(p) / (1 + r * l2) * max(abs(p) - r * l1, 0)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyProximalGradientDescent(*, var: RefLike, alpha: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """FOBOS with a fixed rate: `p = var - alpha * delta; var = sign(p) / (1 + alpha * l2) * max(abs(p) - alpha * l1, 0)`. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""

def SparseApplyRMSProp(*, var: RefLike, ms: RefLike, mom: RefLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """RMSProp: `ms = rho * ms + (1 - rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms + epsilon); var -= mom`. Only the rows of `var` at `indices` change; `grad` has one row for each of them. The output is the reference `var`."""
