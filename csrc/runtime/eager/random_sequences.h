#pragma once

#include <string>
#include <unordered_map>

#include "op/kernel_state.h"
#include "runtime/eager/eager_kernel.h"

namespace tinytf {

/// The random states of one op's evicted seeded kernels, so that later kernels with the same attrs and seeds continue
/// their sequences. A state takes about a hundred bytes, a kernel thousands. Not thread-safe.
class RandomSequences {
 public:
  /// Whether the kernel has a random sequence that must continue, that is, a seed.
  static bool has_sequence(const EagerKernel& kernel);

  /// To be called for kernels with a sequence, before the cache drops its reference. Other users may still draw from
  /// the kernel.
  void keep(RefPtr<EagerKernel> kernel);
  /// Continues a kept sequence with a kernel that was just made: returns `made` with the kept state, or the kept kernel
  /// if it is still in use.
  RefPtr<EagerKernel> resumed(RefPtr<EagerKernel> made);

  /// Number of kept sequences.
  size_t size() const { return states_.size() + in_use_.size(); }

 private:
  void settle();

  // By identity_of the kernel's node.
  std::unordered_map<std::string, RandomStateHolder::State> states_;
  std::unordered_map<std::string, RefPtr<EagerKernel>> in_use_;  // Kernels that still have users.
  size_t settle_at_ = 16;
};

}  // namespace tinytf
