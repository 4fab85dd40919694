#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "base/status.h"

namespace tinytf {

/// The first few nodes whose kernels were still waiting when a step timed out, for the error message. `note` does not
/// allocate; the names must outlive this object. For one thread at a time.
class CutNodes {
 public:
  static constexpr size_t kMost = 3;

  void note(const std::string& name) {
    if (count_ < kMost) names_[count_++] = &name;
  }

  void add(const CutNodes& others) {
    for (size_t i = 0; i < others.count_; ++i) note(*others.names_[i]);
  }

  /// Adds the nodes' tags to the error.
  Status told(Status error) const {
    for (size_t i = 0; i < count_; ++i) error = error.at_node(*names_[i]);
    return error;
  }

 private:
  std::array<const std::string*, kMost> names_{};
  size_t count_ = 0;
};

}  // namespace tinytf
