#pragma once

#include "kernels/elementwise.h"
#include "kernels/isa/elementwise_half.h"
#include "kernels/isa/elementwise_types.h"

// Makes the table's loops from a scalar functor. A functor has `static R run(T)` or `static R run(T, T)`, branch-free
// if it should vectorize; one that can fault takes a third argument, Fault&. The loops' `ivdep` permits in-place
// operation: an output is either exactly an operand or does not overlap it.

namespace tinytf::kernels::TINYTF_ISA {

template <class Op, class T>
using UnaryResult = decltype(Op::run(T{}));

template <class Op, class T>
void unary_run(const void* x, void* y, int64_t n) {
  const auto* in = static_cast<const T*>(x);
  auto* out = static_cast<UnaryResult<Op, T>*>(y);
  TINYTF_IVDEP
  for (int64_t i = 0; i < n; ++i) out[i] = Op::run(in[i]);
}

template <class Op, class T>
void unary_via_float(const void* x, void* y, int64_t n) {
  using R = UnaryResult<Op, float>;
  float block[kFloatBlock];
  for (int64_t begin = 0; begin < n; begin += kFloatBlock) {
    const int64_t size = n - begin < kFloatBlock ? n - begin : kFloatBlock;
    load_floats(static_cast<const T*>(x) + begin, block, size);
    if constexpr (std::is_same_v<R, float>) {
      unary_run<Op, float>(block, block, size);
      store_floats(block, static_cast<T*>(y) + begin, size);
    } else {
      unary_run<Op, float>(block, static_cast<R*>(y) + begin, size);
    }
  }
}

template <class Op, class T>
void add_unary_loop(ElementwiseTable& table, Unary op, float cost) {
  using M = Memory<T>;
  UnaryLoop& loop = table.unary[static_cast<int>(op)][static_cast<int>(dtype_of<T>)];
  loop.cost = cost;
  loop.in_size = sizeof(T);
  if constexpr (kViaFloat<T>) {
    loop.run = unary_via_float<Op, T>;
    loop.out_size = std::is_same_v<UnaryResult<Op, float>, float> ? sizeof(T) : sizeof(UnaryResult<Op, float>);
  } else {
    loop.run = unary_run<Op, M>;
    loop.out_size = sizeof(UnaryResult<Op, M>);
  }
}

/// Adds Op's loops for the types T to the table. `cost`: nanoseconds per element.
template <class Op, class... T>
void add_unary(ElementwiseTable& table, Unary op, float cost) {
  (add_unary_loop<Op, T>(table, op, cost), ...);
}

enum class Form { kBoth, kLeftScalar, kRightScalar };

template <class Op, class T, class = void>
struct BinaryTraits {
  static constexpr bool kFaults = false;
  using Result = decltype(Op::run(T{}, T{}));
};
template <class Op, class T>
struct BinaryTraits<Op, T, std::void_t<decltype(Op::run(T{}, T{}, *static_cast<Fault*>(nullptr)))>> {
  static constexpr bool kFaults = true;
  using Result = T;
};

template <class Op, class T, Form kForm>
Fault binary_run(const void* a, const void* b, void* out, int64_t n) {
  using Traits = BinaryTraits<Op, T>;
  const auto* left = static_cast<const T*>(a);
  const auto* right = static_cast<const T*>(b);
  auto* result = static_cast<typename Traits::Result*>(out);
  if (n == 0) return Fault::kNone;
  const T left0 = left[0], right0 = right[0];
  if constexpr (Traits::kFaults) {
    Fault fault = Fault::kNone;
    for (int64_t i = 0; i < n; ++i) {
      result[i] =
          Op::run(kForm == Form::kLeftScalar ? left0 : left[i], kForm == Form::kRightScalar ? right0 : right[i], fault);
    }
    return fault;
  } else {
    TINYTF_IVDEP
    for (int64_t i = 0; i < n; ++i) {
      result[i] =
          Op::run(kForm == Form::kLeftScalar ? left0 : left[i], kForm == Form::kRightScalar ? right0 : right[i]);
    }
    return Fault::kNone;
  }
}

template <class Op, class T, Form kForm>
Fault binary_via_float(const void* a, const void* b, void* out, int64_t n) {
  using R = typename BinaryTraits<Op, float>::Result;
  float left[kFloatBlock], right[kFloatBlock];
  if (kForm == Form::kLeftScalar) load_floats(static_cast<const T*>(a), left, 1);
  if (kForm == Form::kRightScalar) load_floats(static_cast<const T*>(b), right, 1);
  for (int64_t begin = 0; begin < n; begin += kFloatBlock) {
    const int64_t size = n - begin < kFloatBlock ? n - begin : kFloatBlock;
    if (kForm != Form::kLeftScalar) load_floats(static_cast<const T*>(a) + begin, left, size);
    if (kForm != Form::kRightScalar) load_floats(static_cast<const T*>(b) + begin, right, size);
    if constexpr (std::is_same_v<R, float>) {
      float block[kFloatBlock];
      binary_run<Op, float, kForm>(left, right, block, size);
      store_floats(block, static_cast<T*>(out) + begin, size);
    } else {
      binary_run<Op, float, kForm>(left, right, static_cast<R*>(out) + begin, size);
    }
  }
  return Fault::kNone;
}

template <class Op, class T>
void add_binary_loop(ElementwiseTable& table, Binary op, float cost) {
  using M = Memory<T>;
  BinaryLoop& loop = table.binary[static_cast<int>(op)][static_cast<int>(dtype_of<T>)];
  loop.cost = cost;
  loop.in_size = sizeof(T);
  if constexpr (kViaFloat<T>) {
    using R = typename BinaryTraits<Op, float>::Result;
    loop.out_size = std::is_same_v<R, float> ? sizeof(T) : sizeof(R);
    loop.both = binary_via_float<Op, T, Form::kBoth>;
    loop.left_scalar = binary_via_float<Op, T, Form::kLeftScalar>;
    loop.right_scalar = binary_via_float<Op, T, Form::kRightScalar>;
  } else {
    loop.out_size = sizeof(typename BinaryTraits<Op, M>::Result);
    loop.both = binary_run<Op, M, Form::kBoth>;
    loop.left_scalar = binary_run<Op, M, Form::kLeftScalar>;
    loop.right_scalar = binary_run<Op, M, Form::kRightScalar>;
  }
}

/// Adds Op's loops for the types T to the table. `cost`: nanoseconds per element.
template <class Op, class... T>
void add_binary(ElementwiseTable& table, Binary op, float cost) {
  (add_binary_loop<Op, T>(table, op, cost), ...);
}

}  // namespace tinytf::kernels::TINYTF_ISA
