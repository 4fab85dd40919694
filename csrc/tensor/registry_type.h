#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/str_cat.h"

namespace tinytf {

/// The mangled class name under which resources of a class are registered and which messages about handles show:
/// "N10tensorflow3VarE" for "tensorflow::Var".
inline std::string registry_type_of(std::string_view class_name) {
  std::string mangled = "N";
  while (!class_name.empty()) {
    const size_t end = std::min(class_name.find("::"), class_name.size());
    mangled += str_cat(end, class_name.substr(0, end));
    class_name.remove_prefix(std::min(end + 2, class_name.size()));
  }
  return mangled + "E";
}

}  // namespace tinytf
