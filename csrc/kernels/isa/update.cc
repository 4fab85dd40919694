#include "kernels/update.h"

#include <type_traits>

#include "kernels/isa/gather_parts.h"
#include "kernels/isa/update_rules.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
using Computing = std::conditional_t<kIsShort<T>, float, T>;

/// The variable, its slots (unused ones are null) and the gradient, at one position.
template <class T>
struct Lanes {
  T* var;
  T* slots[3];
  const T* grad;
};

/// One step for n elements of the computation's type. Not inlined, so that it is compiled once per rule and type.
template <int Slots, class Rule, class C>
__attribute__((noinline)) void step_range(const Rule& rule, C* __restrict var, C* __restrict a, C* __restrict b,
                                          C* __restrict c, const C* __restrict grad, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    C v = var[i];
    C x = Slots > 0 ? a[i] : C(0), y = Slots > 1 ? b[i] : C(0), z = Slots > 2 ? c[i] : C(0);
    rule.step(v, x, y, z, grad[i]);
    var[i] = v;
    if (Slots > 0) a[i] = x;
    if (Slots > 1) b[i] = y;
    if (Slots > 2) c[i] = z;
  }
}

template <class From, class To>
void convert(const From* from, To* to, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<To>(from[i]);
}

template <int Slots, class Rule, class T>
void step_lanes(const Rule& rule, const Lanes<T>& at, int64_t n) {
  if constexpr (!kIsShort<T>) {
    step_range<Slots>(rule, at.var, at.slots[0], at.slots[1], at.slots[2], at.grad, n);
  } else {
    constexpr int64_t kBlock = 256;
    float var[kBlock], grad[kBlock], slots[3][kBlock];
    for (int64_t i = 0; i < n; i += kBlock) {
      const int64_t count = n - i < kBlock ? n - i : kBlock;
      convert(at.var + i, var, count);
      convert(at.grad + i, grad, count);
      for (int k = 0; k < Slots; ++k) convert(at.slots[k] + i, slots[k], count);
      step_range<Slots>(rule, var, slots[0], slots[1], slots[2], grad, count);
      convert(var, at.var + i, count);
      for (int k = 0; k < Slots; ++k) convert(slots[k], at.slots[k] + i, count);
    }
  }
}

template <int Slots, class T>
Lanes<T> lanes_at(const UpdateState& state, int64_t offset, int64_t grad_offset) {
  Lanes<T> at{static_cast<T*>(state.var) + offset, {}, static_cast<const T*>(state.grad) + grad_offset};
  for (int k = 0; k < Slots; ++k) at.slots[k] = static_cast<T*>(state.slots[k]) + offset;
  return at;
}

template <class T, class Rule, int Slots>
void dense_with(const UpdateState& state, const Hyper& hyper, int64_t n, Parallel& parallel) {
  const Rule rule(hyper);
  parallel.run(n, 1024, 0.15 * sizeof(T) * (Slots + 2), [&](int64_t begin, int64_t end) {
    step_lanes<Slots>(rule, lanes_at<Slots, T>(state, begin, begin), end - begin);
  });
}

template <class T, class Rule, int Slots>
int64_t sparse_with(const UpdateState& state, const Hyper& hyper, int64_t limit, int64_t inner, const Indices& indices,
                    Parallel& parallel) {
  const int64_t bad = check_indices(indices, limit, parallel);
  if (bad != kAllInRange) return bad;
  const Rule rule(hyper);
  cut_target(
      limit, inner, indices.count, 0.15 * sizeof(T) * (Slots + 2), parallel,
      [&](int64_t row_begin, int64_t row_end, int64_t begin, int64_t end) {
        for (int64_t i = 0; i < indices.count; ++i) {
          const int64_t row = indices.type == DType::kInt32 ? read_once(static_cast<const int32_t*>(indices.data) + i)
                                                            : read_once(static_cast<const int64_t*>(indices.data) + i);
          if (row < row_begin || row >= row_end) continue;
          step_lanes<Slots>(rule, lanes_at<Slots, T>(state, row * inner + begin, i * inner + begin), end - begin);
        }
      });
  return kAllInRange;
}

template <class T, template <class> class Rule, int Slots>
void dense(const UpdateState& state, const Hyper& hyper, int64_t n, Parallel& parallel) {
  using C = Computing<T>;
  if constexpr (std::is_same_v<Rule<C>, Ftrl<C>>) {
    if (hyper.lr_power == -0.5) return dense_with<T, FtrlRule<C, true, false>, Slots>(state, hyper, n, parallel);
  }
  dense_with<T, Rule<C>, Slots>(state, hyper, n, parallel);
}

template <class T, template <class> class Rule, int Slots>
int64_t sparse(const UpdateState& state, const Hyper& hyper, int64_t limit, int64_t inner, const Indices& indices,
               Parallel& parallel) {
  using C = Computing<T>;
  if constexpr (std::is_same_v<Rule<C>, Ftrl<C>>) {
    if (hyper.lr_power == -0.5) {
      return sparse_with<T, FtrlRule<C, true, true>, Slots>(state, hyper, limit, inner, indices, parallel);
    }
    return sparse_with<T, FtrlRule<C, false, true>, Slots>(state, hyper, limit, inner, indices, parallel);
  }
  return sparse_with<T, Rule<C>, Slots>(state, hyper, limit, inner, indices, parallel);
}

template <class T>
void fill_type(UpdateTable& table) {
  constexpr int dtype = static_cast<int>(dtype_of<T>);
#define TINYTF_X(rule, slots)                                                       \
  table.dense[static_cast<int>(Optimizer::k##rule)][dtype] = dense<T, rule, slots>; \
  table.sparse[static_cast<int>(Optimizer::k##rule)][dtype] = sparse<T, rule, slots>;
  TINYTF_OPTIMIZERS(TINYTF_X)
#undef TINYTF_X
}

}  // namespace

void fill(UpdateTable& table) {
  fill_type<Half>(table);
  fill_type<BFloat16>(table);
  fill_type<float>(table);
  fill_type<double>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
