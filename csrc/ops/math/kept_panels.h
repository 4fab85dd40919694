#pragma once

#include <atomic>
#include <cstdint>

#include "kernels/table.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// Panels of a constant right-hand side of products, in which gemm need not pack it again. They are made at the second
/// product that would pack it, and live as long as the kernel that has this object. Thread-safe.
class KeptPanels {
 public:
  KeptPanels() = default;
  KeptPanels(const KeptPanels&) = delete;
  KeptPanels& operator=(const KeptPanels&) = delete;
  ~KeptPanels();

  /// The panels of B for this product, whose B is always the same, or null: then gemm reads B. Errors of memory are
  /// none of the product: it then goes without.
  const void* of(const kernels::GemmArgs& args, DType dtype, KernelContext& ctx);

 private:
  std::atomic<const void*> ready_{nullptr};  ///< in `panels_`, which does not change once this is set
  std::atomic<int32_t> products_{0};         ///< that would have packed B, until panels were made
  Tensor panels_;
};

}  // namespace tinytf::ops
