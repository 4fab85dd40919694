#pragma once

#include <exception>
#include <string>
#include <utility>

#include "op/kernel.h"

namespace tinytf {

/// What an exception that a kernel threw means for its step: ResourceExhausted for memory that was not to be had and
/// for sizes that no container takes, Cancelled for a loop that was cut short, else Internal with the exception's text.
/// Never throws.
Status status_of(const std::exception& error) noexcept;

/// The error with the node's tag; as it is where there is no memory for that. Never throws.
Status tagged(Status status, const std::string& node) noexcept;

/// work(), with what it throws as a Status: kernels of threads of ours must not unwind any further. Not caught is what
/// ends a thread, which is no std::exception.
template <class Work>
Status guarded(Work&& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    return status_of(error);
  }
}

/// Every call of Kernel::compute goes through here.
inline Status compute_guarded(Kernel& kernel, KernelContext& ctx) {
  return guarded([&] { return kernel.compute(ctx); });
}

/// As AsyncKernel::compute_async, but an error for what it throws: then `done` was not called and never will be.
template <class Done>
Status start_guarded(AsyncKernel& kernel, KernelContext& ctx, Done done) {
  return guarded([&] {
    kernel.compute_async(ctx, std::move(done));
    return Status();
  });
}

}  // namespace tinytf
