#pragma once

#include <cstdint>

namespace tinytf {

/// When values that the program has dropped are freed. The remaining ones are freed when the session is closed.
enum class CleanupStrategy : uint8_t {
  kInBackground,    ///< soon, by the session's reaper thread
  kOnSafePoints,    ///< by the session's next call that is a safe point; there is no thread
  kOnSessionClose,  ///< only by close
  kImmediately,     ///< by the thread that drops them: values outside any session
};

struct CoreOptions {
  CleanupStrategy strategy = CleanupStrategy::kInBackground;
  // Marks for dropped values that are not freed yet. Above a soft mark the next operation wakes the reaper from a nap;
  // above a hard mark that operation frees values itself, down to the soft mark.
  int64_t soft_bytes = int64_t{64} << 20;
  int64_t soft_handles = 4096;
  int64_t hard_bytes = int64_t{256} << 20;
  int64_t hard_handles = 65536;
  int64_t safe_point_budget_us = 0;    ///< maximum duration of the drain at a safe point; 0: no limit
  int64_t memory_limit_bytes = 0;      ///< limit for the session's values; 0: none
  int64_t retained_warning_bytes = 0;  ///< threshold of a warning under kOnSessionClose; 0: none
  bool lazy_reaper = false;            ///< start the reaper with the first handle or large block, not with the core
};

}  // namespace tinytf
