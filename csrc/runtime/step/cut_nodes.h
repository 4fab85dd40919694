#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "base/status.h"

namespace tinytf {

/// The nodes whose kernels still waited when the time of a step was over, for the error's message: the first few of
/// them. `note` allocates nothing; the names must outlive this object. For one thread at a time.
class CutNodes {
 public:
  static constexpr size_t kMost = 3;

  void note(const std::string& name) {
    if (count_ < kMost) names_[count_++] = &name;
  }

  /// The error with the tags of the nodes behind its message.
  Status told(Status error) const {
    for (size_t i = 0; i < count_; ++i) error = error.at_node(*names_[i]);
    return error;
  }

 private:
  std::array<const std::string*, kMost> names_{};
  size_t count_ = 0;
};

}  // namespace tinytf
