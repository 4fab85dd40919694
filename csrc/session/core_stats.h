#pragma once

#include <cstdint>

#include "session/core_options.h"

namespace tinytf {

struct CoreStats {
  enum class Life : uint8_t { kOpen, kClosing, kClosed };
  Life life = Life::kOpen;
  CleanupStrategy strategy = CleanupStrategy::kInBackground;
  // Handles. At quiescence created = live + queued + retained + freed + invalidated.
  int64_t created = 0, live = 0, queued = 0, retained = 0, freed = 0, invalidated = 0;
  // Bytes. `exported` are those of arrays that others hold, whatever became of their tensors.
  int64_t live_bytes = 0, queued_bytes = 0, retained_bytes = 0, exported_bytes = 0, pooled_bytes = 0;
  int64_t peak_bytes = 0;       ///< most that live, queued and retained have been together
  int64_t allocated_bytes = 0;  ///< of values once, of variables, queues, kernels: what the allocator has in use
  int64_t peak_queued_bytes = 0;
  int64_t pending_ops = 0, active_ops = 0;
  // Of the reaper.
  bool reaper_alive = false;
  int64_t wakeups = 0, batches = 0, max_batch = 0, max_lag_us = 0, busy_us = 0;
  // Of safe points.
  int64_t drains = 0, max_pause_us = 0;
  int64_t backpressure_events = 0, free_errors = 0, fork_orphaned = 0, fork_generation = 0;
  int64_t allocations = 0, pool_hits = 0;
  // Blocks of memory that no pool kept, large ones: waiting to be given back to the system, and given back so far.
  int64_t returning_bytes = 0, returned_blocks = 0;
};

}  // namespace tinytf
