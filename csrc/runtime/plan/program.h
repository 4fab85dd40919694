#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "graph/passes/subgraph.h"
#include "op/kernel.h"

namespace tinytf {

/// A node as steps run it. Indices point into the Program's flat arrays.
struct PlanNode {
  Kernel* kernel = nullptr;
  const NodeInfo* info = nullptr;
  int32_t first_input = 0;                         ///< in Program::input_slots
  int32_t first_output = 0;                        ///< slot of output 0
  bool is_plain = false;                           ///< no references to read, no snapshots to take
  bool takes_state = false;                        ///< a variable or another resource is among its inputs
  uint64_t last_use = 0;                           ///< bit i: after this node nobody reads input i
  uint64_t unit_last_use = 0;                      ///< of code: those bits of `last_use` whose values the unit made
  int32_t releases_begin = 0, releases_end = 0;    ///< in Program::releases: slots to clear afterwards
  int32_t derefs_begin = 0, derefs_end = 0;        ///< in Program::derefs: references to read before
  int32_t snapshots_begin = 0, snapshots_end = 0;  ///< in Program::snapshots: fetched references to copy afterwards

  int num_inputs() const { return static_cast<int>(info->inputs.size()); }
  int num_outputs() const { return static_cast<int>(info->outputs.size()); }
};

/// Reading a reference as a value: slot `to` gets what the variable in slot `from` holds.
struct Deref {
  int32_t from = 0;
  int32_t to = 0;                    ///< -1: only make sure that the variable is initialised
  const NodeInfo* source = nullptr;  ///< the node whose reference it is, and which output: errors name it
  int32_t output = 0;
};

struct ProgramCode;
struct TokenProgram;

/// What one thread runs at a stretch and steps are scheduled by: one node, or a stretch of code, as a loop or the
/// branches of one predicate are.
struct Unit {
  int32_t begin = 0, end = 0;                      ///< in Program::nodes
  int32_t code_begin = 0, code_end = 0;            ///< in ProgramCode::instructions, of a program with code
  int32_t reads_begin = 0, reads_end = 0;          ///< in Program::reads, each once: of a node its inputs, of code what
                                                   ///< others write
  int32_t consumers_begin = 0, consumers_end = 0;  ///< in Program::consumers: units that wait for this one
  int32_t pending = 0;                             ///< units that this one waits for
  bool may_block = false;                          ///< one of its nodes may
  bool is_code = false;                            ///< more than a node that runs once
};

/// What a run signature is compiled to: straight code. Does not change once it is built. Kernels of stateful nodes
/// belong to the session, others to the program.
struct Program {
  std::vector<PlanNode> nodes;  ///< in an order that respects all edges
  std::vector<Unit> units;      ///< in the nodes' order, all of them
  std::vector<int32_t> roots;   ///< units that wait for none
  std::vector<int32_t> input_slots;
  std::vector<int32_t> releases;
  std::vector<Deref> derefs;
  std::vector<Deref> snapshots;
  std::vector<int32_t> consumers;
  std::vector<int32_t> reads;
  std::vector<int32_t> slot_uses;  ///< by slot: units that read what another one wrote, a fetch counts as one; -1 for
                                   ///< constants, which stay
  std::vector<std::pair<int32_t, Tensor>> constants;  ///< slot, value: those that somebody reads, in every step there
  std::vector<PlanNode> not_finite;  ///< were folded into constants with a NaN or infinity: only info and slots are set
  std::vector<int32_t> feed_slots;   ///< -1: the value is not needed
  std::vector<DType> feed_types;
  std::vector<int32_t> fetch_slots;
  int32_t slot_count = 0;
  int folded = 0, merged = 0;  ///< nodes that were computed when it was made, and that are another one's double
  /// Of steps with branches and loops: which nodes run when. Null where all run once, in their order.
  std::shared_ptr<const ProgramCode> code;
  /// Of steps with branches and loops of other kinds: then slots are numbered by frame, and none is in the step's
  /// memory.
  std::shared_ptr<const TokenProgram> tokens;
  bool may_wait = false;  ///< has nodes whose kernels are asynchronous, or several that may block side by side
  std::vector<std::shared_ptr<Kernel>> kernels;        ///< keeps the nodes' kernels alive
  std::vector<std::shared_ptr<const NodeInfo>> infos;  ///< and what they are, whatever becomes of the graph's nodes
  /// Keeps folded values for other plans to find.
  std::vector<std::shared_ptr<const std::vector<Tensor>>> folded_values;
};

/// Where kernels come from while a program is built: the session keeps stateful ones.
using KernelSource = FunctionRef<Result<std::shared_ptr<Kernel>>(const SubgraphNode&)>;

/// Lays out slots, lifetimes and units for a rewritten subgraph. InvalidArgument if a node would get a value for a
/// reference, as it does where a variable is fed that the node writes; Unimplemented for branches and loops of an
/// uncommon kind in a partial run. `is_partial`: feeds come bit by bit, which such errors tell. `compiles`: branches
/// and loops become code where they can, else they are run by tokens.
Result<Program> build_program(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                              bool is_partial = false, bool compiles = true);

/// Of a program whose nodes and slots are laid out: who reads a slot last, what is released when.
/// `snapshots`: by node, references that are fetched.
void find_lifetimes(Program& program, std::vector<std::pair<int32_t, Deref>> snapshots);

/// Makes a unit of each node: `waits` has pairs (node, node that waits for it), ordered by who waits.
void make_units(Program& program, const std::vector<std::pair<int32_t, int32_t>>& waits);

/// Of units whose nodes and code are set, and the reads of those with code: who waits for whom, who reads how often.
/// `waits` as above, of units.
void link_units(Program& program, const std::vector<std::pair<int32_t, int32_t>>& waits);

}  // namespace tinytf
