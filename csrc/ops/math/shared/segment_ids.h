#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "base/status.h"

namespace tinytf::ops {

/// Checks that segment ids are sorted and in [0, segments), in the order of TensorFlow, whose messages depend on the
/// first violation. `id_at(i)` is id i of `count`. `run(begin, end)` makes further checks of each run [begin, end) of
/// equal ids. `segments` is the number of segments, from the last id or from the caller.
template <class IdAt, class Run>
Status check_segments(int64_t count, int64_t segments, const IdAt& id_at, const Run& run, Parallel& parallel) {
  if (segments < 0 || (count > 0 && segments == 0)) return invalid_argument("segment ids must be >= 0");
  int64_t end = 0;
  const auto check_run = [&]() -> Status {
    const int64_t begin = end, id = id_at(begin);
    ++end;
    while (end < count && id_at(end) == id) ++end;
    if (end < count && id_at(end) < id) return invalid_argument("segment ids are not increasing");
    if (id < 0 || id >= segments) {
      return invalid_argument("Segment id ", id, " out of range [0, ", segments,
                              "), possibly because 'segment_ids' input is not sorted.");
    }
    return run(begin, end);
  };
  constexpr double kCost = 2;  // nanoseconds per id
  Status status;
  parallel.run_in_order(count, kCost, [&](int64_t, int64_t limit) {
    while (status.ok() && end < limit) status = check_run();
  });
  return status;
}

}  // namespace tinytf::ops
