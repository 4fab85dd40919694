#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "op/attr.h"

namespace tinytf {

inline constexpr std::string_view kGradientOf = ";gradient";  // no function that nodes call by its name ends like that

/// What a function's gradient is called for: the one that has been named, else the one that has been derived.
inline FuncRef gradient_name(FuncRef function) {
  function.name += kGradientOf;
  return function;
}

/// The function whose gradient_name that is; none if it is none.
inline std::optional<FuncRef> derived_from(FuncRef name) {
  if (name.name.size() < kGradientOf.size()) return std::nullopt;
  const size_t size = name.name.size() - kGradientOf.size();
  if (name.name.compare(size, kGradientOf.size(), kGradientOf) != 0) return std::nullopt;
  name.name.resize(size);
  return name;
}

}  // namespace tinytf
