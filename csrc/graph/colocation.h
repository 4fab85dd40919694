#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/str_cat.h"

namespace tinytf {

/// The attr that lists the classes of a node. A class that begins with "loc:@" is a colocation group, whose nodes share
/// a device. A group is named after a node, which need not exist. Other classes have no effect.
inline constexpr std::string_view kClassAttr = "_class";
inline constexpr std::string_view kGroupPrefix = "loc:@";

/// The group name in a class; nullopt if the class is not a group. The result is a view into `entry`.
inline std::optional<std::string_view> group_name(std::string_view entry) {
  if (entry.substr(0, kGroupPrefix.size()) != kGroupPrefix) return std::nullopt;
  return entry.substr(kGroupPrefix.size());
}

/// The class that puts a node into the group of that name.
inline std::string group_class(std::string_view name) { return str_cat(kGroupPrefix, name); }

}  // namespace tinytf
