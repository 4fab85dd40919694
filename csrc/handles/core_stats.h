#pragma once

#include <cstdint>

#include "handles/core_options.h"

namespace tinytf {

struct CoreStats {
  enum class Life : uint8_t { kOpen, kClosing, kClosed };
  Life life = Life::kOpen;
  CleanupStrategy strategy = CleanupStrategy::kInBackground;
  // Handles. While no thread changes them, created = live + queued + retained + freed + invalidated.
  int64_t created = 0, live = 0, queued = 0, retained = 0, freed = 0, invalidated = 0;
  // Bytes. `exported_bytes` counts arrays outside the session that share a tensor's memory, even if that tensor was
  // freed.
  int64_t live_bytes = 0, queued_bytes = 0, retained_bytes = 0, exported_bytes = 0, pooled_bytes = 0;
  int64_t peak_bytes = 0;       ///< maximum of the sum of live, queued and retained bytes
  int64_t allocated_bytes = 0;  ///< in use by the allocator: values (shared memory once), variables, queues, kernels
  int64_t peak_queued_bytes = 0;
  int64_t pending_ops = 0, active_ops = 0;
  // Reaper.
  bool reaper_alive = false;
  int64_t wakeups = 0, batches = 0, max_batch = 0, max_lag_us = 0, busy_us = 0;
  // Safe points.
  int64_t drains = 0, max_pause_us = 0;
  int64_t backpressure_events = 0, free_errors = 0, fork_orphaned = 0, fork_generation = 0;
  int64_t allocations = 0, pool_hits = 0;
  // Large blocks that no free list kept: waiting to be returned to the system, and returned so far.
  int64_t returning_bytes = 0, returned_blocks = 0;
};

}  // namespace tinytf
