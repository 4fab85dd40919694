#pragma once

#include <cmath>

#include "kernels/update.h"

// The formula of each optimizer: constants from the hyperparameters once, then one step per element. C is the type of
// the computation, a, b and c are the slots in order. No branches on data, so that the loops vectorize.
namespace tinytf::kernels::TINYTF_ISA {

template <class C>
static inline C magnitude_of(C x) {
  return x < 0 ? -x : x;
}
template <class C>
static inline C sign_of(C x) {
  return static_cast<C>(x > 0) - static_cast<C>(x < 0);
}
/// x moved toward 0 by `by`, but not across it. NaN is propagated.
template <class C>
static inline C shrink(C x, C by) {
  const C rest = magnitude_of(x) - by;
  return (rest < 0 ? C(0) : rest) * (x < 0 ? C(-1) : C(1));
}

/// As in TensorFlow, an L1 strength counts only if it is positive.
template <class C>
static inline C strength(double l1) {
  return l1 > 0 ? C(l1) : C(0);
}

template <class C>
struct GradientDescent {
  C lr;
  explicit GradientDescent(const Hyper& h) : lr(C(h.lr)) {}
  void step(C& var, C&, C&, C&, C g) const { var -= lr * g; }
};

template <class C>
struct ProximalGradientDescent {
  C lr, threshold, scale;
  explicit ProximalGradientDescent(const Hyper& h)
      : lr(C(h.lr)), threshold(C(h.lr) * strength<C>(h.l1)), scale(C(1) / (C(1) + C(h.l2) * C(h.lr))) {}
  void step(C& var, C&, C&, C&, C g) const { var = shrink(var - lr * g, threshold) * scale; }
};

template <class C>
struct Momentum {
  C lr, momentum;
  bool nesterov;
  explicit Momentum(const Hyper& h) : lr(C(h.lr)), momentum(C(h.momentum)), nesterov(h.nesterov) {}
  void step(C& var, C& accum, C&, C&, C g) const {
    accum = accum * momentum + g;
    var -= nesterov ? g * lr + accum * momentum * lr : accum * lr;
  }
};

template <class C>
struct KerasMomentum {
  C lr, momentum;
  bool nesterov;
  explicit KerasMomentum(const Hyper& h) : lr(C(h.lr)), momentum(C(h.momentum)), nesterov(h.nesterov) {}
  void step(C& var, C& accum, C&, C&, C g) const {
    accum = accum * momentum - g * lr;
    var += nesterov ? accum * momentum - g * lr : accum;
  }
};

template <class C>
struct Adagrad {
  C lr;
  bool update_slots;
  explicit Adagrad(const Hyper& h) : lr(C(h.lr)), update_slots(h.update_slots) {}
  void step(C& var, C& accum, C&, C&, C g) const {
    accum = update_slots ? accum + g * g : accum;
    var -= g * lr / std::sqrt(accum);
  }
};

template <class C>
struct AdagradV2 {
  C lr, epsilon;
  bool update_slots;
  explicit AdagradV2(const Hyper& h) : lr(C(h.lr)), epsilon(C(h.epsilon)), update_slots(h.update_slots) {}
  void step(C& var, C& accum, C&, C&, C g) const {
    accum = update_slots ? accum + g * g : accum;
    var -= g * lr / (std::sqrt(accum) + epsilon);
  }
};

template <class C>
struct ProximalAdagrad {
  C lr, l1, l2;
  explicit ProximalAdagrad(const Hyper& h) : lr(C(h.lr)), l1(strength<C>(h.l1)), l2(C(h.l2)) {}
  void step(C& var, C& accum, C&, C&, C g) const {
    accum += g * g;
    const C rate = lr / std::sqrt(accum);
    var = shrink(var - g * rate, rate * l1) / (C(1) + l2 * rate);
  }
};

template <class C>
struct AdagradDA {
  C lr, threshold, offset;
  explicit AdagradDA(const Hyper& h)
      : lr(C(h.lr)), threshold(strength<C>(h.l1) * C(h.global_step)), offset(C(h.l2) * C(h.global_step) * C(h.lr)) {}
  void step(C& var, C& sum, C& squares, C&, C g) const {
    sum += g;
    squares += g * g;
    var = -lr * shrink(sum, threshold) / (offset + std::sqrt(squares));
  }
};

template <class C>
struct Adadelta {
  C lr, rho, epsilon;
  explicit Adadelta(const Hyper& h) : lr(C(h.lr)), rho(C(h.rho)), epsilon(C(h.epsilon)) {}
  void step(C& var, C& accum, C& accum_update, C&, C g) const {
    accum = accum * rho + g * g * (C(1) - rho);
    const C update = std::sqrt(accum_update + epsilon) / std::sqrt(accum + epsilon) * g;
    var -= update * lr;
    accum_update = accum_update * rho + update * update * (C(1) - rho);
  }
};

template <class C>
struct Adam {
  C alpha, to_m, to_v, epsilon, beta1;
  bool nesterov;
  explicit Adam(const Hyper& h)
      : alpha(C(h.lr) * std::sqrt(C(1) - C(h.beta2_power)) / (C(1) - C(h.beta1_power))),
        to_m(C(1) - C(h.beta1)),
        to_v(C(1) - C(h.beta2)),
        epsilon(C(h.epsilon)),
        beta1(C(h.beta1)),
        nesterov(h.nesterov) {}
  void step(C& var, C& m, C& v, C&, C g) const {
    m += (g - m) * to_m;
    v += (g * g - v) * to_v;
    var -= (nesterov ? g * to_m + m * beta1 : m) * alpha / (std::sqrt(v) + epsilon);
  }
};

template <class C>
struct AdaMax {
  C rate, beta2, to_m, epsilon;
  explicit AdaMax(const Hyper& h)
      : rate(C(h.lr) / (C(1) - C(h.beta1_power))), beta2(C(h.beta2)), to_m(C(1) - C(h.beta1)), epsilon(C(h.epsilon)) {}
  void step(C& var, C& m, C& v, C&, C g) const {
    m += (g - m) * to_m;
    const C decayed = beta2 * v;
    const C size = magnitude_of(g);
    v = decayed < size ? size : decayed;
    var -= rate * (m / (v + epsilon));
  }
};

template <class C>
struct RMSProp {
  C lr, to_ms, momentum, epsilon;
  explicit RMSProp(const Hyper& h)
      : lr(C(h.lr)), to_ms(C(1) - C(h.rho)), momentum(C(h.momentum)), epsilon(C(h.epsilon)) {}
  void step(C& var, C& ms, C& mom, C&, C g) const {
    ms += (g * g - ms) * to_ms;
    mom = mom * momentum + g * lr / std::sqrt(ms + epsilon);
    var -= mom;
  }
};

template <class C>
struct CenteredRMSProp {
  C lr, to_ms, momentum, epsilon;
  explicit CenteredRMSProp(const Hyper& h)
      : lr(C(h.lr)), to_ms(C(1) - C(h.rho)), momentum(C(h.momentum)), epsilon(C(h.epsilon)) {}
  void step(C& var, C& mg, C& ms, C& mom, C g) const {
    ms += (g * g - ms) * to_ms;
    mg += (g - mg) * to_ms;
    mom = mom * momentum + g * lr / std::sqrt(ms - mg * mg + epsilon);
    var -= mom;
  }
};

/// Root: the learning-rate power is the usual -1/2, so a square root replaces the power. Rows: the step of a sparse
/// update, in which a NaN in `linear` makes the variable NaN; a dense update makes it 0.
template <class C, bool Root, bool Rows>
struct FtrlRule {
  C inverse_lr, l1, twice_l2, shrinkage, power;
  explicit FtrlRule(const Hyper& h)
      : inverse_lr(C(1) / C(h.lr)),
        l1(C(h.l1)),
        twice_l2(C(2) * C(h.l2)),
        shrinkage(C(2) * C(h.l2_shrinkage)),
        power(C(-h.lr_power)) {}
  C raise(C x) const {
    if constexpr (Root) return std::sqrt(x);
    return std::pow(x, power);
  }
  void step(C& var, C& accum, C& linear, C&, C g) const {
    const C sum = accum + g * g;
    const C raised = raise(sum);
    linear += g + shrinkage * var - (raised - raise(accum)) * inverse_lr * var;
    const C moved = -shrink(linear, l1) / (raised * inverse_lr + twice_l2);
    var = Rows || magnitude_of(linear) > l1 ? moved : C(0);
    accum = sum;
  }
};
template <class C>
using Ftrl = FtrlRule<C, false, false>;

template <class C>
struct AddSign {
  C lr, alpha, decay, beta;
  explicit AddSign(const Hyper& h) : lr(C(h.lr)), alpha(C(h.alpha)), decay(C(h.sign_decay)), beta(C(h.beta1)) {}
  void step(C& var, C& m, C&, C&, C g) const {
    m = m * beta + g * (C(1) - beta);
    var -= lr * (alpha + decay * sign_of(g) * sign_of(m)) * g;
  }
};

template <class C>
struct PowerSign {
  C lr, beta, same, opposite;  // The exponential takes three values only.
  explicit PowerSign(const Hyper& h)
      : lr(C(h.lr)),
        beta(C(h.beta1)),
        same(std::exp(C(h.alpha) * C(h.sign_decay))),
        opposite(std::exp(-C(h.alpha) * C(h.sign_decay))) {}
  void step(C& var, C& m, C&, C&, C g) const {
    m = m * beta + g * (C(1) - beta);
    const C agreement = sign_of(g) * sign_of(m);
    const C factor = agreement > 0 ? same : agreement < 0 ? opposite : C(1);
    var -= lr * factor * g;
  }
};

}  // namespace tinytf::kernels::TINYTF_ISA
