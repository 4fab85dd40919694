#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace tinytf {

/// Identifies one execution of a node in loops: the enclosing loops, outermost first, and the iteration of each.
struct Iterations {
  struct Loop {
    const std::string* frame;  ///< the loop's name
    int64_t iteration;         ///< 0 for the first
  };
  std::vector<Loop> loops;

  /// Lists the loops, innermost first: "in iteration 3 of a/while_context, in iteration 0 of b/while_context".
  std::string to_string() const;
};

/// Appends "\n\t in iteration …" to the error; returns it unchanged if there are no loops.
Status in_iterations(Status status, const Iterations& iterations);

}  // namespace tinytf
