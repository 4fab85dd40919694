#pragma once

#include <exception>
#include <string>
#include <utility>

#include "op/kernel.h"

namespace tinytf {

/// Converts an exception thrown by a kernel to a Status: ResourceExhausted if memory is exhausted or a size exceeds any
/// container, Cancelled for a loop that was cut short, else Internal with the exception's text. Never throws.
Status status_of(const std::exception& error) noexcept;

/// Adds the node's tag to the error; returns it unchanged if memory is exhausted. Never throws.
Status tagged(Status status, const std::string& node) noexcept;

/// Calls work() and converts a std::exception to a Status, because exceptions must not unwind through the engine's
/// threads. Other exceptions, such as the forced unwinding of a thread that ends, are not caught. Always inlined: each
/// kernel and each step is called through it.
template <class Work>
[[gnu::always_inline]] inline Status guarded(Work&& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    return status_of(error);
  }
}

/// All calls of Kernel::compute go through this function.
[[gnu::always_inline]] inline Status compute_guarded(Kernel& kernel, KernelContext& ctx) {
  return guarded([&] { return kernel.compute(ctx); });
}

}  // namespace tinytf
