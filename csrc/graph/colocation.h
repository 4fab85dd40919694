#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/str_cat.h"

namespace tinytf {

/// The attr that lists the classes of a node. Those that begin with "loc:@" are groups, whose nodes share a device; a
/// group has the name of a node, which need not exist. Nothing reads the others.
inline constexpr std::string_view kClassAttr = "_class";
inline constexpr std::string_view kGroupPrefix = "loc:@";

/// The name of the group that a class is; none if it is no group. A view into `entry`.
inline std::optional<std::string_view> group_name(std::string_view entry) {
  if (entry.substr(0, kGroupPrefix.size()) != kGroupPrefix) return std::nullopt;
  return entry.substr(kGroupPrefix.size());
}

/// The class that says "in the group of that name".
inline std::string group_class(std::string_view name) { return str_cat(kGroupPrefix, name); }

}  // namespace tinytf
