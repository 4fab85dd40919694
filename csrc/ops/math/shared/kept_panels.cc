#include "ops/math/shared/kept_panels.h"

namespace tinytf::ops {

namespace {

/// Limit of the bytes of panels in all sessions of the process, as panels duplicate the constants. Beyond it no more
/// panels are made.
constexpr int64_t kMostBytes = int64_t{256} << 20;
std::atomic<int64_t> bytes_of_all{0};

}  // namespace

KeptPanels::~KeptPanels() {
  if (ready_.load(std::memory_order_relaxed) != nullptr) {
    bytes_of_all.fetch_sub(panels_.num_elements(), std::memory_order_relaxed);
  }
}

const void* KeptPanels::of(const kernels::GemmArgs& args, DType dtype, KernelContext& ctx) {
  if (const void* ready = ready_.load(std::memory_order_acquire)) return ready;
  const auto& gemm = kernels::table().gemm;
  const int type = static_cast<int>(dtype);
  if (gemm.panel_bytes[type] == nullptr || products_.load(std::memory_order_relaxed) > 1) return nullptr;
  const int64_t bytes = gemm.panel_bytes[type](args);
  if (bytes == 0 || products_.fetch_add(1, std::memory_order_relaxed) != 1) return nullptr;
  if (bytes_of_all.fetch_add(bytes, std::memory_order_relaxed) + bytes <= kMostBytes) {
    Result<Tensor> room = ctx.allocate(DType::kUint8, Shape{bytes});
    if (room.ok()) {
      panels_ = room.take();
      gemm.pack[type](args, panels_.raw(), ctx.parallel());
      if (!ctx.is_over()) {
        ready_.store(panels_.raw(), std::memory_order_release);
        return panels_.raw();
      }
      panels_ = Tensor();
    }
  }
  bytes_of_all.fetch_sub(bytes, std::memory_order_relaxed);
  return nullptr;
}

}  // namespace tinytf::ops
