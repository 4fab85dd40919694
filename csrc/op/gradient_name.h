#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "op/attr.h"

namespace tinytf {

inline constexpr std::string_view kGradientOf =
    ";gradient";  // reserved: no function that is called by name ends like that

/// The name under which a function's gradient is called: the registered gradient function if there is one, else the
/// derived one.
inline FuncRef gradient_name(FuncRef function) {
  function.name += kGradientOf;
  return function;
}

/// The inverse of gradient_name; none if `name` is not the name of a gradient.
inline std::optional<FuncRef> derived_from(FuncRef name) {
  if (name.name.size() < kGradientOf.size()) return std::nullopt;
  const size_t size = name.name.size() - kGradientOf.size();
  if (name.name.compare(size, kGradientOf.size(), kGradientOf) != 0) return std::nullopt;
  name.name.resize(size);
  return name;
}

}  // namespace tinytf
