#pragma once

#include <string>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// Description of a loop of a program, for inspection.
struct PlanLoop {
  std::string frame;
  std::vector<std::string> nodes;  ///< Nodes that run in its iterations, including inner loops.
  bool is_compiled = false;        ///< Compiled to bytecode; else run by the dataflow machine.
  bool maps = false;               ///< Several threads may run its iterations.
};

/// Outer loops come before their inner loops.
std::vector<PlanLoop> plan_loops(const Program& program);

/// How a program runs: "straight" (each node once), "code" (bytecode), or "tokens" (dataflow machine).
const char* plan_way(const Program& program);
/// The reason why a program is not compiled to bytecode; empty if it need not be or is.
std::string why_tokens(const Program& program);

/// The number of guarded runs of instructions.
int plan_guards(const Program& program);

}  // namespace tinytf
