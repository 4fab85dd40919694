#pragma once

#include <atomic>
#include <cstdint>

#include "kernels/table.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// Packed panels of the constant right-hand side of a matrix product, so that gemm does not pack it in every step. They
/// are packed at the second product that needs them, and live as long as the kernel that owns this object. Thread-safe.
class KeptPanels {
 public:
  KeptPanels() = default;
  KeptPanels(const KeptPanels&) = delete;
  KeptPanels& operator=(const KeptPanels&) = delete;
  ~KeptPanels();

  /// The panels of B for this product, or null, in which case gemm reads B itself. B must be the same in all calls. If
  /// there is no memory for panels, it returns null instead of an error.
  const void* of(const kernels::GemmArgs& args, DType dtype, KernelContext& ctx);

 private:
  std::atomic<const void*> ready_{nullptr};  ///< the data of `panels_`, which does not change once this is set
  std::atomic<int32_t> products_{0};         ///< number of products that needed packing before panels were made
  Tensor panels_;
};

}  // namespace tinytf::ops
