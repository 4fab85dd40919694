#pragma once

#include <cstddef>

#include "base/scratch_memory.h"

namespace tinytf::kernels::TINYTF_ISA {

/// Working memory of a kernel for the lifetime of the object: see ScratchMemory. Objects nest (also when a thread that
/// waits in Parallel::run executes other kernels' work): each level of nesting has its own memory.
class Scratch {
 public:
  explicit Scratch(size_t bytes) : memory_(bytes) {}

  template <class T>
  T* as() const {
    return static_cast<T*>(memory_.get());
  }

 private:
  ScratchMemory memory_;
};

}  // namespace tinytf::kernels::TINYTF_ISA
