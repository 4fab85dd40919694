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

/// The nodes of a program and of its regions, in order.
std::vector<const PlanNode*> plan_nodes(const Program& program);

/// Description of a part of a program that is not compiled, for inspection.
struct PlanRegion {
  std::vector<std::string> nodes;
  std::string why;  ///< The reason.
};

/// The parts of a compiled program that the dataflow machine runs.
std::vector<PlanRegion> plan_regions(const Program& program);

/// How a program runs: "straight" (each node once), "code" (bytecode), "tokens" (dataflow machine), or
/// "mixed" (bytecode, with regions for the dataflow machine).
const char* plan_way(const Program& program);
/// The reason why a program, or its first region, is not compiled to bytecode; empty if it need not be or is.
std::string why_tokens(const Program& program);

/// The number of guarded runs of instructions.
int plan_guards(const Program& program);

}  // namespace tinytf
