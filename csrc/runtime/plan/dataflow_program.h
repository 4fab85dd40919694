#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/passes/regions.h"
#include "runtime/plan/program.h"

namespace tinytf {

/// An edge from an output to a consumer.
struct DataflowEdge {
  static constexpr int32_t kControl = -1;
  static constexpr int32_t kFetch = -1;
  int32_t output = 0;  ///< Output index; kControl: control edge.
  int32_t node = 0;    ///< The consumer; kFetch: fetch number `slot`, which for a control edge is true if it is live.
  int32_t slot = 0;    ///< In the frame of the consumer.
};

/// Data of a node for the dataflow machine, in addition to its PlanNode, whose slots belong to one iteration of its
/// frame.
struct DataflowNode {
  ControlFlow kind = ControlFlow::kNone;
  int32_t frame = 0;
  int32_t place = 0;         ///< Index among the nodes of its frame.
  int32_t enters = 0;        ///< For an Enter: the frame that it enters.
  int64_t at_once = 1;       ///< For an Enter: limit of parallel iterations.
  bool is_constant = false;  ///< For an Enter: each iteration gets its value.
  int32_t slots_begin = 0, slots_end = 0;
  int32_t edges_begin = 0, edges_end = 0;  ///< In DataflowProgram::edges.
  int32_t data_inputs = 0, control_inputs = 0;
};

/// A loop; the first frame is the step itself.
struct DataflowFrame {
  std::string name;
  int32_t parent = -1;
  int32_t child_place = 0;  ///< Index among its parent's children.
  int32_t children = 0;
  int32_t enters = 0;  ///< Number of Enter nodes.
  int32_t slot_count = 0;
  std::vector<int32_t> nodes;
};

/// The edges of a value that is known when the step begins.
struct DataflowSource {
  Tensor value;  ///< For constants.
  int32_t edges_begin = 0, edges_end = 0;
};

/// The dataflow of a program for the dataflow machine. The other fields of Program describe the nodes.
struct DataflowProgram {
  std::vector<DataflowNode> nodes;  ///< Parallel to Program::nodes.
  std::vector<DataflowFrame> frames;
  std::vector<DataflowEdge> edges;
  std::vector<DataflowSource> constants;
  std::vector<DataflowSource> feeds;  ///< By feed, of which a region's may be dead.
  std::vector<int32_t> roots;         ///< Nodes without inputs.
  /// By fetch of a region: the step's fetch that it is; -1: none. Empty for a step.
  std::vector<int32_t> fetch_numbers;
  std::string why_not_code;  ///< The reason why there is no bytecode; names a node.
};

/// As build_program, for subgraphs with control flow. `why_not_code`: see DataflowProgram. Also fails as find_frames
/// does.
Result<Program> build_dataflow_program(const Subgraph& subgraph, const std::vector<Endpoint>& feeds,
                                       KernelSource kernels, std::string why_not_code);

/// The program of a region of the subgraph. Its feeds are the region's inputs, then its controls, which are live or
/// dead; its fetches are the region's outputs. `frames`: of the subgraph.
Result<Program> build_region_program(const Subgraph& subgraph, const Frames& frames, const std::vector<Endpoint>& feeds,
                                     KernelSource kernels, bool is_partial, const Region& region);

}  // namespace tinytf
