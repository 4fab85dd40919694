#pragma once

#include <algorithm>
#include <cctype>
#include <string>

#include "op/kernel.h"

namespace tinytf::ops {

/// Where a stateful node's resource lives: container and name from the attrs `container` and `shared_name`, by default
/// the manager's default container and the node's name. A name that breaks TensorFlow's rules fails `init`.
struct ResourceName {
  explicit ResourceName(KernelInit& init)
      : container(init.attr<std::string>("container")), name(init.attr<std::string>("shared_name")) {
    if (container.empty()) {
      container = ResourceManager::kDefaultContainer;
    } else if (!valid(container)) {
      init.fail(invalid_argument("container contains invalid characters: ", container));
    }
    if (name.empty()) {
      name = init.node().name;
    } else if (name[0] == '_') {
      init.fail(invalid_argument("shared_name cannot start with '_':", name));
    }
  }

  std::string container;
  std::string name;

 private:
  static bool valid(const std::string& container) {
    const auto first = [](unsigned char c) { return std::isalnum(c) || c == '.'; };
    const auto later = [&](unsigned char c) { return first(c) || c == '-' || c == '/'; };
    return first(container[0]) && std::all_of(container.begin() + 1, container.end(), later);
  }
};

}  // namespace tinytf::ops
