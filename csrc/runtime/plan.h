#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/ref_ptr.h"
#include "graph/subgraph.h"
#include "op/kernel.h"

namespace tinytf {

/// A node as the executor runs it. Indices point into the Plan's flat arrays.
struct PlanNode {
  Kernel* kernel = nullptr;
  const NodeInfo* info = nullptr;
  const Node* origin = nullptr;
  int32_t first_input = 0;                         ///< in Plan::input_slots
  int32_t first_output = 0;                        ///< slot of output 0
  bool is_plain = false;                           ///< no references to read, no snapshots to take
  bool takes_state = false;                        ///< a variable or another resource is among its inputs
  uint64_t last_use = 0;                           ///< bit i: after this node nobody reads input i
  int32_t releases_begin = 0, releases_end = 0;    ///< in Plan::releases: slots to clear afterwards
  int32_t derefs_begin = 0, derefs_end = 0;        ///< in Plan::derefs: references to read before
  int32_t snapshots_begin = 0, snapshots_end = 0;  ///< in Plan::snapshots: fetched references to copy afterwards
  int32_t consumers_begin = 0, consumers_end = 0;  ///< in Plan::consumers: nodes that wait for this one
  int32_t reads_begin = 0, reads_end = 0;          ///< in Plan::reads: the slots of its inputs, each once
  int32_t pending = 0;                             ///< nodes that this one waits for
};

/// Reading a reference as a value: slot `to` gets what the variable in slot `from` holds.
struct Deref {
  int32_t from = 0;
  int32_t to = 0;  ///< -1: only make sure that the variable is initialised
};

/// The memory of one step. Reused by later steps of the same plan: constants stay in place.
struct StepSlots {
  std::vector<Slot> slots;
  // For steps that leave the plan's order, made when first needed.
  std::unique_ptr<std::atomic<int32_t>[]> pending;    ///< by node: inputs that are not there yet
  std::unique_ptr<int32_t[]> next_ready;              ///< by node: what comes after it in a list of nodes that can run
  std::unique_ptr<std::atomic<int32_t>[]> uses_left;  ///< by slot: readers that are not done, a fetch counts as one
};

/// What the first steps of a plan told about it: the time of each node, of the longest way from its beginning to the
/// end of the step, whether threads might shorten a step, whether it is long enough to look out for interrupts. If
/// threads might, also what later steps told: how long those with threads and those without took. Thread-safe; measured
/// by a few steps, read by all.
struct PlanProfile {
  std::unique_ptr<std::atomic<int32_t>[]> node_ns;
  std::unique_ptr<std::atomic<int64_t>[]> tail_ns;
  std::atomic<int32_t> steps{0};
  std::atomic<bool> use_threads{false};
  std::atomic<bool> is_long{false};
  std::atomic<uint32_t> trials{0};
  std::atomic<int64_t> alone_ns{0}, together_ns{0};  ///< of late; 0: none yet
};

/// A compiled run signature. Immutable and shared by concurrent steps; the pool of slot arrays is the one mutable part
/// and is thread-safe. Kernels of stateful nodes belong to the session, others to the plan.
class Plan : public RefCounted {
 public:
  std::vector<PlanNode> nodes;  ///< in an order that respects all edges
  std::vector<int32_t> input_slots;
  std::vector<int32_t> releases;
  std::vector<Deref> derefs;
  std::vector<Deref> snapshots;
  std::vector<int32_t> consumers;
  std::vector<int32_t> reads;
  std::vector<int32_t> slot_uses;  ///< by slot: readers, a fetch counts as one; -1 for constants, which stay
  std::vector<std::pair<int32_t, Tensor>> constants;  ///< slot, value: those that somebody reads, in every step there
  std::vector<PlanNode> not_finite;  ///< were folded into constants with a NaN or infinity: only info and slots are set
  std::vector<int32_t> feed_slots;   ///< -1: the value is not needed
  std::vector<DType> feed_types;
  std::vector<int32_t> fetch_slots;
  int32_t slot_count = 0;
  int folded = 0, merged = 0;  ///< nodes that were computed when it was made, and that are another one's double
  bool may_wait = false;       ///< has nodes whose kernels are asynchronous, or several that may block side by side
  std::vector<std::shared_ptr<Kernel>> kernels;        ///< keeps the nodes' kernels alive
  std::vector<std::unique_ptr<const NodeInfo>> infos;  ///< of nodes that became constants, but wait for others
  /// Keeps folded values for other plans to find.
  std::vector<std::shared_ptr<const std::vector<Tensor>>> folded_values;
  PlanProfile profile;

  /// A slot array with the constants in place.
  std::unique_ptr<StepSlots> take_slots();
  /// Hands a slot array back; every slot but constants must be empty.
  void return_slots(std::unique_ptr<StepSlots> slots);

 private:
  std::mutex pool_mutex_;
  std::vector<std::unique_ptr<StepSlots>> pool_;
};

/// Where kernels come from while a plan is built: the session keeps stateful ones.
using KernelSource = FunctionRef<Result<std::shared_ptr<Kernel>>(const Node&)>;

/// Lays out slots, lifetimes and dependencies for a rewritten subgraph. InvalidArgument if a node would get a value for
/// a reference, as it does where a variable is fed that the node writes. `is_partial`: feeds come bit by bit, which
/// such errors tell.
Result<RefPtr<Plan>> build_plan(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                                bool is_partial = false);

}  // namespace tinytf
