#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "graph/passes/subgraph.h"
#include "op/kernel.h"

namespace tinytf {

/// A node as steps run it. Indices refer to the Program's flat arrays.
struct PlanNode {
  Kernel* kernel = nullptr;
  const NodeInfo* info = nullptr;
  int32_t first_input = 0;   ///< In Program::input_slots.
  int32_t first_output = 0;  ///< Slot of output 0.
  bool is_plain = false;     ///< Has no references to read and no snapshots to take.
  bool takes_state = false;  ///< A variable or another resource is among its inputs.
  uint64_t last_use = 0;     ///< Bit i: input i is not read after this node.
  /// For code: the bits of `last_use` whose values the node's own unit wrote.
  uint64_t unit_last_use = 0;
  int32_t releases_begin = 0, releases_end = 0;    ///< In Program::releases: slots to clear afterwards.
  int32_t derefs_begin = 0, derefs_end = 0;        ///< In Program::derefs: references to read before.
  int32_t snapshots_begin = 0, snapshots_end = 0;  ///< In Program::snapshots: fetched references to copy afterwards.

  int num_inputs() const { return static_cast<int>(info->inputs.size()); }
  int num_outputs() const { return static_cast<int>(info->outputs.size()); }
};

/// Reads a reference as a value: slot `to` gets the value of the variable in slot `from`.
struct Deref {
  int32_t from = 0;
  int32_t to = 0;                    ///< -1: only check that the variable is initialized.
  const NodeInfo* source = nullptr;  ///< Node and output that made the reference, for errors.
  int32_t output = 0;
};

struct Bytecode;
struct DataflowProgram;

/// The granularity of scheduling: one thread runs a unit from start to end. A unit is one node, or a stretch of code,
/// such as a loop or the branches of one predicate.
struct Unit {
  int32_t begin = 0, end = 0;            ///< In Program::nodes.
  int32_t code_begin = 0, code_end = 0;  ///< In Bytecode::instructions, if the program has code.
  /// In Program::reads, distinct: a node's inputs, or for code the slots written elsewhere.
  int32_t reads_begin = 0, reads_end = 0;
  int32_t consumers_begin = 0, consumers_end = 0;  ///< In Program::consumers: units that wait for this one.
  int32_t pending = 0;                             ///< Number of units that this one waits for.
  int32_t blocking = 0;                            ///< Number of nodes that may block, in regions too.
  bool is_code = false;                            ///< More than a node that runs exactly once.
};

/// The compiled form of a run signature. Immutable once it is built. Kernels of stateful nodes belong to the session,
/// all others to the program.
struct Program {
  std::vector<PlanNode> nodes;  ///< In topological order.
  std::vector<Unit> units;      ///< In the order of their nodes, which they cover.
  std::vector<int32_t> roots;   ///< Units that wait for no other unit.
  std::vector<int32_t> input_slots;
  std::vector<int32_t> releases;
  std::vector<Deref> derefs;
  std::vector<Deref> snapshots;
  std::vector<int32_t> consumers;
  std::vector<int32_t> reads;
  /// By slot: number of units that read it and did not write it, plus one for a fetch; -1 for constants, which are
  /// never released.
  std::vector<int32_t> slot_uses;
  std::vector<std::pair<int32_t, Tensor>> constants;  ///< Slot and value of the constants that steps read.
  std::vector<PlanNode> not_finite;  ///< Folded nodes with NaN or infinity; only info and slots are set.
  std::vector<int32_t> feed_slots;   ///< -1: the value is not needed.
  std::vector<DType> feed_types;
  std::vector<int32_t> fetch_slots;
  std::vector<DType> fetch_types;
  int32_t slot_count = 0;
  int folded = 0, merged = 0;  ///< Number of nodes that were folded at planning time, and merged with an equal node.
  /// The bytecode of steps with control flow. Null if all nodes run exactly once, in order.
  std::shared_ptr<const Bytecode> code;
  /// The dataflow program of steps whose control flow cannot be compiled. Slots are then numbered by frame, and the
  /// step's memory has none.
  std::shared_ptr<const DataflowProgram> tokens;
  bool may_wait = false;  ///< Has asynchronous kernels, or several nodes that may block concurrently.
  std::vector<std::shared_ptr<Kernel>> kernels;        ///< Owns the nodes' kernels.
  std::vector<std::shared_ptr<const NodeInfo>> infos;  ///< Owns the nodes' infos, which the graph may replace.
  /// Keeps folded values alive, so that other plans can use them.
  std::vector<std::shared_ptr<const std::vector<Tensor>>> folded_values;
};

/// Provides kernels while a program is built. The session provides stateful ones from its cache.
using KernelSource = FunctionRef<Result<std::shared_ptr<Kernel>>(const SubgraphNode&)>;

/// Lays out slots, lifetimes and units for a rewritten subgraph. `is_partial`: for a partial run. `compiles`: whether
/// control flow is compiled to bytecode where possible; else the dataflow machine runs it. Partial runs are always
/// compiled. InvalidArgument if a node needs a reference but gets a value, as when a variable that it writes is fed;
/// Unimplemented for a partial run with control flow that cannot be compiled.
Result<Program> build_program(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                              bool is_partial = false, bool compiles = true);

/// Liveness analysis for a program whose nodes and slots are laid out: determines the last reader of each slot and the
/// releases of each node.
void find_lifetimes(Program& program);

/// Makes one unit per node. `waits`: pairs (node, node that waits for it), sorted by the waiting node.
void make_units(Program& program, const std::vector<std::pair<int32_t, int32_t>>& waits);

/// Computes consumers, pending counts and slot uses of units whose nodes, code and code reads are set. `waits`: pairs
/// (unit, unit that waits for it), sorted by the waiting unit.
void link_units(Program& program, const std::vector<std::pair<int32_t, int32_t>>& waits);

}  // namespace tinytf
