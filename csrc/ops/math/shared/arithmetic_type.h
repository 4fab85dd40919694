#pragma once

#include <cstdint>
#include <type_traits>

#include "base/dtype.h"

namespace tinytf::ops {

/// The type in which values of T are computed and compared: float for the 16-bit floats, else T itself.
template <class T>
using Arithmetic = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

/// The same for sums and products, where integers wrap: integers are computed as unsigned types, whose overflow is
/// defined.
template <class T>
using Wrapping =
    std::conditional_t<std::is_integral_v<T>, std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>, Arithmetic<T>>;

}  // namespace tinytf::ops
