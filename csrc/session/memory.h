#pragma once

#include <atomic>
#include <cstdint>

#include "base/mpsc_queue.h"
#include "base/ref_ptr.h"
#include "services/fork_renewal.h"
#include "session/core_options.h"
#include "session/core_points.h"
#include "session/core_reaper.h"
#include "session/core_stats.h"
#include "session/drains.h"
#include "tensor/allocator.h"

namespace tinytf {

/// The memory of one core's values: its allocator and limit, large blocks that the reaper gives back to the system, and
/// what lay idle for some seconds. Thread-safe.
class CoreMemory final : private BlockDisposer {
 public:
  CoreMemory(const CoreOptions& options, const CorePoints& points, const ForkRenewal& renewal, CoreDrains& drains,
             CoreReaper& reaper);
  ~CoreMemory() { let_go(); }
  CoreMemory(const CoreMemory&) = delete;
  CoreMemory& operator=(const CoreMemory&) = delete;

  Allocator& allocator() { return *allocator_; }
  /// The core goes: the allocator, which detached values keep, is on its own.
  void let_go();
  /// Whether memory may become idle without anybody saying so.
  bool holds_much() const { return allocator_->holds_much(); }

  /// Gives large blocks back to the system; how many.
  int64_t return_blocks();
  bool no_blocks() const { return blocks_.empty(); }
  /// As return_blocks, and none is taken from now on.
  void close_blocks();
  /// Gives back what memory lay idle for some seconds, the process's too.
  void let_decay();
  /// Gives all memory that waits for new values back to the system, the process's too; how many bytes of the core's.
  int64_t trim();

  /// Counts bytes of an array that shares a value's memory, until `unexport`.
  void note_export(int64_t bytes) noexcept { exported_bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void note_unexport(int64_t bytes) noexcept { exported_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  void count(CoreStats& stats) const;

 private:
  /// A block of memory that nobody uses, at its begin.
  struct UnusedBlock {
    UnusedBlock* queue_next;
    int64_t bytes;
  };

  bool dispose(void* block, size_t bytes) noexcept override;
  void grown() noexcept override;
  int64_t free_blocks(UnusedBlock* block) noexcept;

  const CoreOptions& options_;
  const CorePoints& points_;
  const ForkRenewal& renewal_;
  CoreDrains& drains_;
  CoreReaper& reaper_;
  const RefPtr<Allocator> allocator_;
  MpscQueue<UnusedBlock> blocks_;
  std::atomic<int64_t> returning_bytes_{0}, returned_blocks_{0};
  std::atomic<int64_t> exported_bytes_{0};
};

}  // namespace tinytf
