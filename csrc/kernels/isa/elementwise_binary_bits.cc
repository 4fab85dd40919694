// Bitwise functions of integers.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

struct And {
  template <class T>
  static T run(T a, T b) {
    return static_cast<T>(a & b);
  }
};

struct Or {
  template <class T>
  static T run(T a, T b) {
    return static_cast<T>(a | b);
  }
};

struct Xor {
  template <class T>
  static T run(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

/// Clamps a shift count to [0, bits), as TensorFlow does.
template <class T>
int shift_count(T count) {
  constexpr int kLast = sizeof(T) * 8 - 1;
  if (count < T{0}) return 0;
  return count > static_cast<T>(kLast) ? kLast : static_cast<int>(count);
}

struct LeftShift {
  template <class T>
  static T run(T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) << shift_count(b));
  }
};

struct RightShift {  // For signed types, copies the sign.
  template <class T>
  static T run(T a, T b) {
    return static_cast<T>(a >> shift_count(b));
  }
};

template <class Op>
void add(ElementwiseTable& table, Binary op) {
  add_binary<Op, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>(table, op, 0.3f);
}

}  // namespace

void fill_binary_bits(ElementwiseTable& table) {
  add<And>(table, Binary::kBitwiseAnd);
  add<Or>(table, Binary::kBitwiseOr);
  add<Xor>(table, Binary::kBitwiseXor);
  add<LeftShift>(table, Binary::kLeftShift);
  add<RightShift>(table, Binary::kRightShift);
}

}  // namespace tinytf::kernels::TINYTF_ISA
