#pragma once

#include <algorithm>
#include <atomic>
#include <cctype>
#include <string>

#include "op/kernel.h"

namespace tinytf::ops {

/// Container and name of the resource of a stateful node, from the attrs `container` and `shared_name`. They default to
/// the manager's default container, and as `unnamed` says to the name of the node or to "_{counter}_{node}", which is
/// unique in the process. Fails `init` for names that TensorFlow does not allow.
struct ResourceName {
  enum class Unnamed : uint8_t { kNodeName, kPrivate };

  explicit ResourceName(KernelInit& init, Unnamed unnamed = Unnamed::kNodeName)
      : container(init.attr<std::string>("container")), name(init.attr<std::string>("shared_name")) {
    if (container.empty()) {
      container = ResourceManager::kDefaultContainer;
    } else if (!valid(container)) {
      init.fail(invalid_argument("container contains invalid characters: ", container));
    }
    if (name.empty()) {
      static std::atomic<int64_t> counter{0};
      if (unnamed == Unnamed::kPrivate) name = str_cat("_", counter.fetch_add(1, std::memory_order_relaxed), "_");
      name += init.node().name;
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
