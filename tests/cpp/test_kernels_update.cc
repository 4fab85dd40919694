#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/table.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

// Each optimizer compared with its formula in double, at every level, on vectors longer than a block and split into
// small ranges.
namespace TINYTF_FILE {

using namespace tinytf;
using kernels::Hyper;
using kernels::Optimizer;

template <class Body>
void at_each_level(const Body& body) {
  kernels::for_each_isa([&] { body(kernels::table().update); });
}

struct Element {
  double var, s[3], g;
};

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// One step by the formula.
void step(Optimizer optimizer, const Hyper& h, Element& e) {
  const double g = e.g;
  double& a = e.s[0];
  double& b = e.s[1];
  double& c = e.s[2];
  const auto proximal = [&](double x, double rate) {
    const double kept = h.l1 > 0 ? sign(x) * std::max(std::abs(x) - rate * h.l1, 0.0) : x;
    return kept / (1 + h.l2 * rate);
  };
  switch (optimizer) {
    case Optimizer::kGradientDescent: e.var -= h.lr * g; break;
    case Optimizer::kProximalGradientDescent: e.var = proximal(e.var - h.lr * g, h.lr); break;
    case Optimizer::kMomentum:
      a = a * h.momentum + g;
      e.var -= h.nesterov ? g * h.lr + a * h.momentum * h.lr : a * h.lr;
      break;
    case Optimizer::kKerasMomentum:
      a = a * h.momentum - g * h.lr;
      e.var += h.nesterov ? a * h.momentum - g * h.lr : a;
      break;
    case Optimizer::kAdagrad:
      if (h.update_slots) a += g * g;
      e.var -= g * h.lr / std::sqrt(a);
      break;
    case Optimizer::kAdagradV2:
      if (h.update_slots) a += g * g;
      e.var -= g * h.lr / (std::sqrt(a) + h.epsilon);
      break;
    case Optimizer::kProximalAdagrad: {
      a += g * g;
      const double rate = h.lr / std::sqrt(a);
      e.var = proximal(e.var - g * rate, rate);
      break;
    }
    case Optimizer::kAdagradDA: {
      a += g;
      b += g * g;
      const double kept = h.l1 > 0 ? sign(a) * std::max(std::abs(a) - h.l1 * h.global_step, 0.0) : a;
      e.var = -h.lr * kept / (h.l2 * h.global_step * h.lr + std::sqrt(b));
      break;
    }
    case Optimizer::kAdadelta: {
      a = a * h.rho + g * g * (1 - h.rho);
      const double update = std::sqrt(b + h.epsilon) / std::sqrt(a + h.epsilon) * g;
      e.var -= update * h.lr;
      b = b * h.rho + update * update * (1 - h.rho);
      break;
    }
    case Optimizer::kAdam: {
      const double alpha = h.lr * std::sqrt(1 - h.beta2_power) / (1 - h.beta1_power);
      a += (g - a) * (1 - h.beta1);
      b += (g * g - b) * (1 - h.beta2);
      e.var -= (h.nesterov ? g * (1 - h.beta1) + h.beta1 * a : a) * alpha / (std::sqrt(b) + h.epsilon);
      break;
    }
    case Optimizer::kAdaMax:
      a += (g - a) * (1 - h.beta1);
      b = std::max(h.beta2 * b, std::abs(g));
      e.var -= h.lr / (1 - h.beta1_power) * (a / (b + h.epsilon));
      break;
    case Optimizer::kRMSProp:
      a += (g * g - a) * (1 - h.rho);
      b = b * h.momentum + g * h.lr / std::sqrt(a + h.epsilon);
      e.var -= b;
      break;
    case Optimizer::kCenteredRMSProp:
      b += (g * g - b) * (1 - h.rho);
      a += (g - a) * (1 - h.rho);
      c = c * h.momentum + g * h.lr / std::sqrt(b - a * a + h.epsilon);
      e.var -= c;
      break;
    case Optimizer::kFtrl: {
      const double sum = a + g * g;
      b += g + 2 * h.l2_shrinkage * e.var - (std::pow(sum, -h.lr_power) - std::pow(a, -h.lr_power)) / h.lr * e.var;
      const double quadratic = std::pow(sum, -h.lr_power) / h.lr + 2 * h.l2;
      e.var = std::abs(b) > h.l1 ? (sign(b) * h.l1 - b) / quadratic : 0;
      a = sum;
      break;
    }
    case Optimizer::kAddSign:
      a = a * h.beta1 + g * (1 - h.beta1);
      e.var -= h.lr * (h.alpha + h.sign_decay * sign(g) * sign(a)) * g;
      break;
    case Optimizer::kPowerSign:
      a = a * h.beta1 + g * (1 - h.beta1);
      e.var -= h.lr * std::exp(h.alpha * h.sign_decay * sign(g) * sign(a)) * g;
      break;
  }
}

template <class T>
double value_of(T value) {
  return static_cast<double>(static_cast<std::conditional_t<sizeof(T) == 2, float, T>>(value));
}
template <class T>
T stored(double value) {
  return T(static_cast<std::conditional_t<sizeof(T) == 2, float, T>>(value));
}

template <class T>
struct State {
  std::vector<T> var, slots[3], grad;

  State(int64_t n, int64_t grads) {
    uint32_t state = 7;
    const auto next = [&] { return static_cast<double>((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24); };
    for (int64_t i = 0; i < n; ++i) {
      var.push_back(stored<T>(next() * 4 - 2));
      for (auto& slot : slots) slot.push_back(stored<T>(next() * 0.5 + 1));  // keeps a centered second moment positive
    }
    for (auto& first : slots[0]) first = stored<T>(value_of(first) * 0.25);
    for (int64_t i = 0; i < grads; ++i) grad.push_back(i % 7 == 0 ? stored<T>(0.0) : stored<T>(next() * 2 - 1));
  }
  kernels::UpdateState pointers() {
    return {var.data(), {slots[0].data(), slots[1].data(), slots[2].data()}, grad.data()};
  }
  Element at(size_t i, size_t g) const {
    return {value_of(var[i]), {value_of(slots[0][i]), value_of(slots[1][i]), value_of(slots[2][i])}, value_of(grad[g])};
  }
};

template <class T>
void expect_equal(const State<T>& got, const State<T>& before, Optimizer optimizer, const Hyper& hyper,
                  double tolerance) {
  bool good = true;
  for (size_t i = 0; i < got.var.size(); ++i) {
    Element want = before.at(i, i);
    step(optimizer, hyper, want);
    const Element have = got.at(i, i);
    good &= std::abs(have.var - want.var) <= tolerance * (1 + std::abs(want.var));
    for (int k = 0; k < 3; ++k) good &= std::abs(have.s[k] - want.s[k]) <= tolerance * (1 + std::abs(want.s[k]));
  }
  EXPECT(good);
}

std::vector<Hyper> settings() {
  Hyper plain;
  plain.lr = 0.1;
  plain.momentum = 0.9;
  plain.rho = 0.8;
  plain.epsilon = 1e-3;
  plain.beta1_power = 0.81;
  plain.beta2_power = 0.9;
  plain.beta1 = 0.9;
  plain.beta2 = 0.95;
  plain.alpha = 0.7;
  plain.sign_decay = 0.5;
  plain.global_step = 3;
  Hyper other = plain;
  other.l1 = 0.3;
  other.l2 = 0.2;
  other.l2_shrinkage = 0.1;
  other.nesterov = true;
  other.update_slots = false;
  other.lr_power = -0.7;
  return {plain, other};
}

template <class T>
void check_dense(const kernels::UpdateTable& table, double tolerance) {
  kernels::UnevenParallel uneven;
  for (int k = 0; k < kernels::kOptimizerCount; ++k) {
    for (const Hyper& hyper : settings()) {
      for (const int64_t n : {0, 1, 37, 2100}) {
        const State<T> before(n, n);
        State<T> after = before;
        table.dense[k][static_cast<int>(dtype_of<T>)](after.pointers(), hyper, n, uneven);
        expect_equal(after, before, static_cast<Optimizer>(k), hyper, tolerance);
      }
    }
  }
}

TINYTF_TEST(update_dense_follows_the_formulas) {
  at_each_level([](const kernels::UpdateTable& table) {
    check_dense<float>(table, 2e-5);
    check_dense<double>(table, 1e-13);
    check_dense<Half>(table, 3e-3);
    check_dense<BFloat16>(table, 2e-2);
  });
}

/// Duplicate indices take their steps in sequence; rows without an index stay.
template <class T>
void check_sparse(const kernels::UpdateTable& table) {
  kernels::UnevenParallel uneven;
  SerialParallel serial;
  const std::vector<int32_t> rows = {4, 1, 4, 0, 1, 4};
  const std::vector<int64_t> wide(rows.begin(), rows.end());
  for (const int64_t inner : {1, 5, 1500}) {
    for (int k = 0; k < kernels::kOptimizerCount; ++k) {
      for (const Hyper& hyper : settings()) {
        const State<T> before(6 * inner, 6 * inner);
        State<T> got = before, want = before;
        const kernels::Indices indices = {rows.data(), DType::kInt32, 6};
        EXPECT_EQ(table.sparse[k][static_cast<int>(dtype_of<T>)](got.pointers(), hyper, 6, inner, indices, uneven),
                  kernels::kAllInRange);
        for (size_t i = 0; i < rows.size(); ++i) {
          kernels::UpdateState at = want.pointers();
          at.var = want.var.data() + rows[i] * inner;
          for (int s = 0; s < 3; ++s) at.slots[s] = want.slots[s].data() + rows[i] * inner;
          at.grad = want.grad.data() + static_cast<int64_t>(i) * inner;
          table.dense[k][static_cast<int>(dtype_of<T>)](at, hyper, inner, serial);
        }
        bool same = true;
        for (size_t i = 0; i < got.var.size(); ++i) {
          same &=
              std::abs(value_of(got.var[i]) - value_of(want.var[i])) <= 1e-5 * (1 + std::abs(value_of(want.var[i])));
        }
        EXPECT(same);
        const std::vector<int64_t> bad = {0, 5, 6, -1};
        State<T> untouched = before;
        EXPECT_EQ(table.sparse[k][static_cast<int>(dtype_of<T>)](untouched.pointers(), hyper, 6, inner,
                                                                 {bad.data(), DType::kInt64, 4}, uneven),
                  int64_t{2});
        for (size_t i = 0; i < got.var.size(); ++i) same &= value_of(untouched.var[i]) == value_of(before.var[i]);
        EXPECT(same);
      }
    }
  }
}

TINYTF_TEST(update_sparse_is_dense_row_by_row) {
  at_each_level([](const kernels::UpdateTable& table) {
    check_sparse<float>(table);
    check_sparse<double>(table);
  });
}

}  // namespace TINYTF_FILE
