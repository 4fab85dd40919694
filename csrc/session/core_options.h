#pragma once

#include <cstdint>

namespace tinytf {

/// When what a program no longer refers to is freed; whatever is left goes when the session is closed.
enum class CleanupStrategy : uint8_t {
  kInBackground,    ///< soon, by the session's reaper thread
  kOnSafePoints,    ///< by the next call of the session that is a safe point; there is no thread
  kOnSessionClose,  ///< by close only
  kImmediately,     ///< by whoever drops it: values outside any session
};

struct CoreOptions {
  CleanupStrategy strategy = CleanupStrategy::kInBackground;
  // Above a soft mark the next operation wakes the reaper from a nap; above a hard mark it frees down to the soft mark.
  int64_t soft_bytes = int64_t{64} << 20;
  int64_t soft_handles = 4096;
  int64_t hard_bytes = int64_t{256} << 20;
  int64_t hard_handles = 65536;
  int64_t safe_point_budget_us = 0;    ///< longest drain of one safe point; 0: no bound
  int64_t memory_limit_bytes = 0;      ///< of the values that the session holds; 0: none
  int64_t retained_warning_bytes = 0;  ///< under kOnSessionClose; 0: no warning
  bool lazy_reaper = false;            ///< its thread starts with the first handle or large block, not with the core
};

}  // namespace tinytf
