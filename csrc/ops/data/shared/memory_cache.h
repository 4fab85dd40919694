#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "data/element.h"
#include "tensor/resource_handle.h"

namespace tinytf::ops {

/// All elements of a dataset, once an iterator has reached its end. Thread-safe.
class MemoryCache final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::MemoryCache";
  using Elements = std::shared_ptr<const std::vector<data::Element>>;

  /// Null before complete().
  Elements elements() const {
    const std::lock_guard lock(mutex_);
    return elements_;
  }
  /// Sets the elements, unless they are set already.
  void complete(Elements elements) {
    const std::lock_guard lock(mutex_);
    if (!elements_) elements_ = std::move(elements);
  }
  std::string debug_string() const override { return "MemoryCache"; }

 private:
  mutable std::mutex mutex_;  // Guards elements_. Held briefly, and together with no other lock.
  Elements elements_;
};

}  // namespace tinytf::ops
