#pragma once

#include <type_traits>

namespace tinytf {

/// Returns a + b. Integers wrap around as in TensorFlow, although signed overflow is undefined in C++.
template <class T>
T wrapping_add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  } else {
    return static_cast<T>(a + b);
  }
}

/// Returns a * b; integers wrap around.
template <class T>
T wrapping_multiply(T a, T b) {
  static_assert(std::is_integral_v<T> && sizeof(T) >= sizeof(int));
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
}

}  // namespace tinytf
