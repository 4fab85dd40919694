#pragma once

#include <string>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// A loop of a program, for who wants to see what was made of a graph.
struct PlanLoop {
  std::string frame;
  std::vector<std::string> nodes;  ///< that run in its iterations, those of loops within it as well
  bool is_compiled = false;        ///< else it is run by tokens
  bool maps = false;               ///< several threads may run its iterations
};

/// Outer loops before those in them.
std::vector<PlanLoop> plan_loops(const Program& program);

/// How a program is run: "straight", each node once, in "code" with jumps, or by "tokens".
const char* plan_way(const Program& program);
/// What stands against code, of a program that is run by tokens; else empty.
std::string why_tokens(const Program& program);

/// How many runs of nodes a predicate decides about.
int plan_guards(const Program& program);

}  // namespace tinytf
