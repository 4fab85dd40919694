#pragma once

#include <atomic>
#include <cstdint>

#include "base/mpsc_queue.h"
#include "base/ref_ptr.h"
#include "handles/core_options.h"
#include "handles/core_reaper.h"
#include "handles/core_stats.h"
#include "handles/drain_tracker.h"
#include "handles/test_hooks.h"
#include "services/fork_renewal.h"
#include "tensor/allocator.h"

namespace tinytf {

/// The memory of one core's values: its allocator with the limit, large blocks that the reaper returns to the system,
/// and the decay of memory that was idle for some seconds. Thread-safe.
class CoreMemory final : private BlockDisposer {
 public:
  CoreMemory(const CoreOptions& options, const TestPoints& points, const ForkRenewal& renewal, DrainTracker& drains,
             CoreReaper& reaper);
  ~CoreMemory() { let_go(); }
  CoreMemory(const CoreMemory&) = delete;
  CoreMemory& operator=(const CoreMemory&) = delete;

  Allocator& allocator() { return *allocator_; }
  /// Detaches the allocator from the core, which is about to be destroyed. Detached values keep the allocator alive.
  void let_go();
  /// Whether so much memory is held that it has to be checked for idle blocks.
  bool holds_much() const { return allocator_->holds_much(); }

  /// Returns large blocks to the system; returns their number.
  int64_t return_blocks();
  bool no_blocks() const { return blocks_.empty(); }
  /// As return_blocks, and accepts no more blocks from now on.
  void close_blocks();
  /// Frees memory that was idle for some seconds, also of the process allocator.
  void let_decay();
  /// Frees all idle memory of the allocator and of the C library. Returns the number of bytes freed by the allocator.
  int64_t trim();

  /// Counts the bytes of an array that shares a value's memory, until `note_unexport`.
  void note_export(int64_t bytes) noexcept { exported_bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void note_unexport(int64_t bytes) noexcept { exported_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  void count(CoreStats& stats) const;

 private:
  /// Header at the beginning of an unused block.
  struct UnusedBlock {
    UnusedBlock* queue_next;
    int64_t bytes;
  };

  bool dispose(void* block, size_t bytes) noexcept override;
  void grown() noexcept override;
  int64_t free_blocks(UnusedBlock* block) noexcept;

  const CoreOptions& options_;
  const TestPoints& points_;
  const ForkRenewal& renewal_;
  DrainTracker& drains_;
  CoreReaper& reaper_;
  const RefPtr<Allocator> allocator_;
  MpscQueue<UnusedBlock> blocks_;
  std::atomic<int64_t> returning_bytes_{0}, returned_blocks_{0};
  std::atomic<int64_t> exported_bytes_{0};
};

}  // namespace tinytf
