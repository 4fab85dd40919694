#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace tinytf {

/// Of a node that runs in a loop, one of its runs: the loops that it is in, outer ones first, and how many of their
/// iterations were over.
struct Iterations {
  struct Loop {
    const std::string* frame;  ///< the loop's name
    int64_t iteration;         ///< 0 for the first
  };
  std::vector<Loop> loops;

  /// "in iteration 3 of a/while_context, in iteration 0 of b/while_context": from the inside out.
  std::string to_string() const;
};

/// The same error with "\n\t in iteration …" behind it; as it is if there are no loops.
Status in_iterations(Status status, const Iterations& iterations);

}  // namespace tinytf
