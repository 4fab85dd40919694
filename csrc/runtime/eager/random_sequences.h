#pragma once

#include <string>
#include <unordered_map>

#include "op/kernel_state.h"
#include "runtime/eager/eager_kernel.h"

namespace tinytf {

/// Where the random sequences of one op's seeded kernels had come when the kernels were let go, so that kernels made
/// for the same later go on from there: some hundred bytes for each, where a kernel has thousands. Not thread-safe.
class RandomSequences {
 public:
  /// Whether there is something to keep: the kernel has a seed, so that its numbers are known.
  static bool has_sequence(const EagerKernel& kernel);

  /// Before the last reference but those of users is dropped; for kernels with a sequence. Users may still draw from
  /// it.
  void keep(RefPtr<EagerKernel> kernel);
  /// For a kernel that was just made: that one, at the place where its sequence had come, or the one that was kept.
  RefPtr<EagerKernel> resumed(RefPtr<EagerKernel> made);

  /// How many are kept.
  size_t size() const { return states_.size() + in_use_.size(); }

 private:
  void settle();

  // By what tells kernels of the op apart.
  std::unordered_map<std::string, RandomStateHolder::State> states_;
  std::unordered_map<std::string, RefPtr<EagerKernel>> in_use_;  // somebody draws from them
  size_t settle_at_ = 16;
};

}  // namespace tinytf
