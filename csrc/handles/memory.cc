#include "handles/memory.h"

#include <new>

#include "base/atomic_max.h"
#include "base/mapped_memory.h"
#include "services/fork_gate.h"

namespace tinytf {

namespace {}

CoreMemory::CoreMemory(const CoreOptions& options, const TestPoints& points, const ForkRenewal& renewal,
                       DrainTracker& drains, CoreReaper& reaper)
    : options_(options),
      points_(points),
      renewal_(renewal),
      drains_(drains),
      reaper_(reaper),
      allocator_(make_ref<Allocator>()) {
  allocator_->set_limit(options.memory_limit_bytes);
  if (options.strategy == CleanupStrategy::kInBackground) allocator_->set_disposer(this);
}

void CoreMemory::let_go() {
  allocator_->set_disposer(nullptr);
  allocator_->set_relief(nullptr);
  allocator_->set_limit(0);
}

bool CoreMemory::dispose(void* block, size_t size) noexcept {
  if (options_.memory_limit_bytes > 0) return false;  // under a limit, blocks must be returned at once
  if (renewal_.due()) return false;                   // a forked child that has not used the session yet
  const int64_t bytes = static_cast<int64_t>(size);
  reaper_.start_if_wanted();
  const int64_t before = returning_bytes_.fetch_add(bytes, kRelaxed);
  const bool room = before == 0 || before + bytes <= options_.soft_bytes;
  if (room && reaper_.alive()) {
    switch (blocks_.push(new (block) UnusedBlock{nullptr, bytes})) {
      case MpscQueue<UnusedBlock>::Pushed::kFirst: reaper_.notify(); return true;
      case MpscQueue<UnusedBlock>::Pushed::kMore: return true;
      case MpscQueue<UnusedBlock>::Pushed::kClosed: break;
    }
  }
  returning_bytes_.fetch_sub(bytes, kRelaxed);
  return false;
}

void CoreMemory::grown() noexcept {
  if (renewal_.due()) return;
  reaper_.start_if_wanted();
  reaper_.rouse();
}

int64_t CoreMemory::return_blocks() {
  if (blocks_.empty()) return 0;
  const DrainTracker::Drain drain(drains_);
  return free_blocks(blocks_.take_all());
}

void CoreMemory::close_blocks() { free_blocks(blocks_.close()); }

int64_t CoreMemory::free_blocks(UnusedBlock* block) noexcept {
  int64_t freed = 0;
  for (; block != nullptr; ++freed) {
    UnusedBlock* const next = block->queue_next;
    const int64_t bytes = block->bytes;
    unmap_memory(block, static_cast<size_t>(bytes));
    returned_blocks_.fetch_add(1, kRelaxed);
    returning_bytes_.fetch_sub(bytes, kRelaxed);
    block = next;
  }
  return freed;
}

void CoreMemory::let_decay() {
  Allocator& process = Allocator::process();
  const bool own = allocator_->holds_much(), shared = process.holds_much();
  if (!own && !shared) return;
  const ForkGate::Pass pass;
  const int64_t now = points_.now_ns();
  if (own) allocator_->decay_if_due(now);
  if (shared) process.decay_if_due(now);
}

int64_t CoreMemory::trim() {
  const ForkGate::Pass pass;
  const int64_t bytes = allocator_->trim();
  Allocator::trim_c_library();
  return bytes;
}

void CoreMemory::count(CoreStats& stats) const {
  const Allocator::Stats memory = allocator_->stats();
  stats.pooled_bytes = memory.pooled_bytes;
  stats.allocated_bytes = memory.live_bytes;
  stats.allocations = memory.allocations;
  stats.pool_hits = memory.pool_hits;
  stats.returning_bytes = returning_bytes_.load(kRelaxed);
  stats.returned_blocks = returned_blocks_.load(kRelaxed);
  stats.exported_bytes = exported_bytes_.load(kRelaxed);
}

}  // namespace tinytf
