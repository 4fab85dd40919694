#pragma once

#include <cstdint>

namespace tinytf {

/// The loop by which a kernel computes each element of its output from the corresponding elements of its inputs, in
/// the tables of kernels/elementwise.h and kernels/cast.h. Inputs that differ in shape are broadcast as the op
/// declares.
struct ElementwiseLoop {
  enum Kind : uint8_t {
    kNone,    ///< The kernel has no such loop.
    kUnary,   ///< `function` is a kernels::Unary.
    kBinary,  ///< `function` is a kernels::Binary.
    kCast,    ///< From the storage type of the input to another one, without attr `Truncate`.
    kSelect,  ///< Of a condition, the values where it is true, and the values elsewhere.
    kBias,    ///< As kBinary; the second operand has one element per channel of the first.
  };
  Kind kind = kNone;
  uint8_t function = 0;

  explicit operator bool() const { return kind != kNone; }
  friend bool operator==(ElementwiseLoop a, ElementwiseLoop b) { return a.kind == b.kind && a.function == b.function; }
};

}  // namespace tinytf
