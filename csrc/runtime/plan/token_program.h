#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// Where something that a node yields goes.
struct TokenEdge {
  static constexpr int32_t kControl = -1;
  static constexpr int32_t kFetch = -1;
  int32_t output = 0;  ///< kControl: only the fact that the node is done
  int32_t node = 0;    ///< who gets it; kFetch: the step's result number `slot`
  int32_t slot = 0;    ///< in the frame of that node
};

/// What the machine must know of a node beside its PlanNode, whose slots are those of one iteration of its frame.
struct TokenNode {
  ControlFlow kind = ControlFlow::kNone;
  int32_t frame = 0;
  int32_t place = 0;         ///< among the nodes of its frame
  int32_t enters = 0;        ///< of an Enter: the frame that it leads into
  int64_t at_once = 1;       ///< and how many iterations may run there at a time
  bool is_constant = false;  ///< and whether each of them gets its value
  int32_t slots_begin = 0, slots_end = 0;
  int32_t edges_begin = 0, edges_end = 0;  ///< in TokenProgram::edges
  int32_t data_inputs = 0, control_inputs = 0;
};

/// The loop that a node is in; the first one is the step itself.
struct TokenFrame {
  std::string name;
  int32_t parent = -1;
  int32_t child_place = 0;  ///< among the children of its parent
  int32_t children = 0;
  int32_t enters = 0;  ///< how many nodes lead into it
  int32_t slot_count = 0;
  std::vector<int32_t> nodes;
};

/// Edges that a value leads to which is there before the step begins.
struct TokenSource {
  Tensor value;  ///< of a constant
  int32_t edges_begin = 0, edges_end = 0;
};

/// A program for the token machine: who gets what from whom. What is in Program beside is for those who look at nodes.
struct TokenProgram {
  std::vector<TokenNode> nodes;  ///< as in Program::nodes
  std::vector<TokenFrame> frames;
  std::vector<TokenEdge> edges;
  std::vector<TokenSource> constants;
  std::vector<TokenSource> feeds;  ///< by feed
  std::vector<int32_t> roots;      ///< nodes that wait for nothing
  std::string why_not_code;        ///< what stands against code; names a node
};

/// The same as build_program for subgraphs in which not every node runs once. Fails as find_frames, too.
Result<Program> build_token_program(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                                    std::string why_not_code);

}  // namespace tinytf
