#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "graph/constant_value.h"
#include "graph/passes/value_origins.h"
#include "runtime/plan/build_parts.h"
#include "runtime/plan/bytecode.h"
#include "runtime/plan/bytecode_lifetimes.h"
#include "runtime/plan/bytecode_schedule.h"
#include "runtime/plan/bytecode_units.h"
#include "runtime/plan/map_loops.h"
#include "tensor/finite.h"

namespace tinytf {

namespace {

class BytecodeBuilder {
 public:
  BytecodeBuilder(const Subgraph& subgraph, const Frames& frames, Guards& guards, const std::vector<Loop>& loops,
                  const std::vector<Endpoint>& feeds, KernelSource kernels, bool is_partial)
      : subgraph_(subgraph),
        frames_(frames),
        nodes_(frames),
        guards_(guards),
        loops_(loops),
        feeds_(feeds),
        kernels_(kernels),
        is_partial_(is_partial),
        code_(std::make_shared<Bytecode>()),
        silent_(subgraph.nodes.size()),
        alias_(subgraph.nodes.size(), -1),
        first_slot_(subgraph.nodes.size(), -1),
        variable_of_(subgraph.nodes.size(), -1),
        uses_(frames) {
    for (Endpoint e : feeds) program_.feed_types.push_back(e.node->info->outputs[e.index].dtype);
    program_.feed_slots.assign(feeds.size(), -1);
    for (size_t f = 1; f < loops.size(); ++f) {
      for (const LoopVariable& variable : loops[f].variables) variable_of_[variable.merge] = static_cast<int>(f);
    }
  }

  /// The reason why the subgraph cannot be compiled; empty if its nodes show none.
  std::string why_not() const {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (!node.runs() || node.values) continue;
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        const auto& input = node.inputs[k];
        // The read of a variable happens at a definite time, which an alias of its slot would lose.
        if (node.control_flow() != ControlFlow::kNone && is_ref(input) && !takes_reference(*node.info, k)) {
          return str_cat("{{node ", node.info->name, "}} takes a reference to a variable where a value is needed");
        }
        const bool is_entered = source(input).control_flow() == ControlFlow::kEnter && !source(input).fed(input.output);
        if (is_entered && !is_constant_enter(source(input)) && variable_of_[i] < 0) {
          return str_cat("{{node ", node.info->name,
                         "}} reads a value that enters a loop without being a variable of the loop");
        }
      }
    }
    for (const SubgraphNode::Input& fetch : subgraph_.fetches) {
      if (source(fetch).fed(fetch.output) || !source(fetch).runs()) continue;
      const bool is_plain = source(fetch).control_flow() == ControlFlow::kNone && guards_.of[fetch.node] == 0;
      if (frames_.of_outputs[fetch.node] == 0 && (!is_ref(fetch) || is_plain)) continue;
      return str_cat("{{node ", source(fetch).info->name,
                     "}} is fetched from inside a loop, or is a fetched reference that depends on a branch");
    }
    return std::string();
  }

  /// Unimplemented if kernels of one loop may wait for each other, or if dependencies between loops are cyclic.
  Result<Program> build() {
    assign_slots();
    add_not_finite();
    TINYTF_RETURN_IF_ERROR(make_kernels());
    TINYTF_RETURN_IF_ERROR(emit_step());
    if (does_not_fit_) return unimplemented("Loops or branches depend on each other in a cycle");
    if (may_wait_for_each_other())
      return unimplemented("Blocking kernels of one loop or branch may wait for each other");
    for (const auto& fetch : subgraph_.fetches) add_fetch(fetch);
    end_unit();
    program_.slot_count = uses_.slot_count();
    uses_.apply(program_, *code_);
    for (PlanNode& node : program_.nodes) {
      node.is_plain = node.derefs_begin == node.derefs_end && node.snapshots_begin == node.snapshots_end;
    }
    find_map_loops(program_, *code_);
    make_bytecode_units(program_, *code_, std::move(waits_));
    program_.code = std::move(code_);
    return std::move(program_);
  }

 private:
  using Key = std::pair<int, int>;  // Of a predicate.
  static constexpr Key kNoKey{-1, -1};
  struct Waits {
    int unit = 0, node = 0;
  };

  const SubgraphNode& source(const SubgraphNode::Input& input) const { return subgraph_.nodes[input.node]; }

  bool is_ref(const SubgraphNode::Input& input) const {
    return !source(input).fed(input.output) && source(input).info->outputs[input.output].is_ref;
  }

  // -- Slots ----------------------------------------------------------------------------------------------------------

  /// Assigns slots to outputs. A node that only passes a value on shares the slot of its input. Producers come first.
  void assign_slots() {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (!node.runs()) continue;
      const int frame = frames_.of[i];
      switch (node.control_flow()) {
        case ControlFlow::kEnter:
          if (is_constant_enter(node)) alias_[i] = slot_of(node.inputs[0]);
          break;
        case ControlFlow::kSwitch:
        case ControlFlow::kExit:
        case ControlFlow::kLoopCond:
        case ControlFlow::kNextIteration:
          silent_[i] = true;
          alias_[i] = slot_of(node.inputs[0]);
          break;
        case ControlFlow::kTrigger: silent_[i] = true; break;  // Only orders other nodes.
        case ControlFlow::kMerge:
          if (variable_of_[i] >= 0) {
            silent_[i] = true;
            alias_[i] = uses_.add_slot(frames_.all[frame].parent, guards_.of_frames[frame]);
            uses_.note_variable(alias_[i], frame);
          } else if (const int only = guards_.merges[i].only; only >= 0) {
            silent_[i] = true;
            alias_[i] = slot_of(node.inputs[static_cast<size_t>(only)]);
            known_slots_[{static_cast<int>(i), 1}] = add_constant(Tensor::scalar(static_cast<int32_t>(only)));
          } else {
            first_slot_[i] = uses_.add_slot(frame, guards_.of[i]);
            (void)uses_.add_slot(frame, guards_.of[i]);  // For the index output.
          }
          break;
        default: assign_slot(static_cast<int>(i), node);
      }
    }
  }

  /// Adds folded nodes with NaN or infinity, for the NaN watch.
  void add_not_finite() {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (node.removed || !node.values || !node.control_inputs.empty() || node.info->op->has(Trait::kConstant))
        continue;
      if (std::all_of(node.values->begin(), node.values->end(), all_finite)) continue;
      PlanNode folded;
      folded.info = node.info.get();
      folded.first_output = uses_.slot_count();
      for (size_t k = 0; k < node.values->size(); ++k) {
        known_slots_[{static_cast<int>(i), static_cast<int>(k)}] = add_constant((*node.values)[k]);
      }
      std::vector<int32_t> inputs;
      for (const auto& input : node.inputs) inputs.push_back(slot_of(input));
      folded.first_input = static_cast<int32_t>(program_.input_slots.size());
      program_.input_slots.insert(program_.input_slots.end(), inputs.begin(), inputs.end());
      program_.not_finite.push_back(folded);
      program_.infos.push_back(node.info);
    }
  }

  void assign_slot(int index, const SubgraphNode& node) {
    const Tensor* const value = node.values ? nullptr : attr_value(*node.info);
    if (value != nullptr || passes_on(node)) {
      silent_[index] = true;
      alias_[index] = value != nullptr ? add_constant(*value) : slot_of(node.inputs[0]);
      return;
    }
    first_slot_[index] = uses_.slot_count();
    for (size_t k = 0; k < node.info->outputs.size(); ++k) uses_.add_slot(frames_.of[index], guards_.of[index]);
  }

  /// Whether the node only copies the output of a Switch, like pivots of branches and variables in loop bodies.
  bool passes_on(const SubgraphNode& node) const {
    return passes_switched_value(subgraph_, node) && !is_ref(node.inputs[0]);
  }

  int32_t add_constant(const Tensor& value) {
    const int32_t slot = uses_.add_slot(0, 0);
    uses_.keep(slot);
    program_.constants.emplace_back(slot, value);
    return slot;
  }

  int32_t slot_of(const SubgraphNode::Input& input) {
    const SubgraphNode& node = source(input);
    if (node.fed(input.output)) {
      int32_t& slot = program_.feed_slots[node.feeds[input.output]];
      if (slot < 0) slot = uses_.add_slot(0, 0);
      return slot;
    }
    if (node.values && node.control_inputs.empty()) {
      const auto [known, is_new] = known_slots_.try_emplace({input.node, input.output}, -1);
      if (is_new) known->second = add_constant((*node.values)[input.output]);
      return known->second;
    }
    if (input.output == 1 && node.control_flow() == ControlFlow::kMerge && guards_.merges[input.node].only >= 0) {
      return known_slots_.at({input.node, 1});
    }
    return alias_[input.node] >= 0 ? alias_[input.node] : first_slot_[input.node] + input.output;
  }

  /// Makes the kernels of all nodes that run.
  Status make_kernels() {
    kernels_of_.resize(subgraph_.nodes.size());
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (!node.runs() || silent_[i] || node.control_flow() != ControlFlow::kNone) continue;
      if (node.values) {
        kernels_of_[i] = known_values_kernel(*node.values);
        continue;
      }
      auto made = kernels_(node);
      if (!made.ok()) return made.status().at_node(node.info->name);
      kernels_of_[i] = made.take();
      program_.may_wait |= kernels_of_[i]->is_async();
    }
    return Status();
  }

  // -- Emission -------------------------------------------------------------------------------------------------------

  int32_t here() const { return static_cast<int32_t>(code_->instructions.size()); }

  void emit(Instruction::Do what, int32_t a = 0, int32_t b = 0) { code_->instructions.push_back({what, a, b}); }

  /// Emits all items outside of loops, divided into units.
  Status emit_step() {
    const auto schedule = this->schedule(0, false);
    if (!schedule) return Status();
    std::vector<int32_t> unit_of(schedule->items.size());
    BytecodeRun run(*this, 0, 0);
    Key lead = kNoKey;  // Of the unit.
    for (size_t i = 0; i < schedule->items.size(); ++i) {
      const BytecodeItem& item = schedule->items[i];
      const Key next = lead_of(item);
      if (next == kNoKey || next != lead) {
        run.end();
        begin_unit();
      }
      lead = next;
      unit_of[i] = static_cast<int32_t>(program_.units.size()) - 1;
      if (item.node < 0 && item.frame < 0) continue;
      program_.units.back().is_code |= item.frame >= 0 || item.guard != 0 || is_merge(item.node);
      run.go_on(item.guard);
      TINYTF_RETURN_IF_ERROR(item.frame >= 0 ? emit_loop(item.frame) : emit_node(item.node));
      if (does_not_fit_) return Status();
    }
    run.end();
    for (const auto& [source, waiter] : schedule->waits) waits_.emplace_back(unit_of[source], unit_of[waiter]);
    return Status();
  }

  /// Emits the items of one section of an iteration, in runs with equal guards. The section's own condition is not
  /// tested again.
  Status emit_section(int frame, bool in_body) {
    const auto schedule = this->schedule(frame, in_body);
    if (!schedule) return Status();
    BytecodeRun run(*this, frame, in_body ? guards_.table.with(0, loops_[frame].condition) : 0);
    for (const BytecodeItem& item : schedule->items) {
      if (item.node < 0 && item.frame < 0) continue;
      run.go_on(item.guard);
      TINYTF_RETURN_IF_ERROR(item.frame >= 0 ? emit_loop(item.frame) : emit_node(item.node));
      if (does_not_fit_) return Status();
    }
    run.end();
    return Status();
  }

  std::optional<Schedule> schedule(int frame, bool in_body) {
    auto schedule = tinytf::schedule(subgraph_, frames_, nodes_, guards_, loops_, silent_, frame, in_body);
    does_not_fit_ |= !schedule;
    return schedule;
  }

  /// Whether some unit has asynchronous kernels that no dependency or guard orders.
  bool may_wait_for_each_other() {
    for (size_t begin = 0, end = 0; begin < waiting_.size(); begin = end) {
      std::vector<int> nodes;
      for (; end < waiting_.size() && waiting_[end].unit == waiting_[begin].unit; ++end) {
        nodes.push_back(waiting_[end].node);
      }
      std::sort(nodes.begin(), nodes.end());
      if (!run_in_turn(subgraph_, frames_, guards_, nodes)) return true;
    }
    return false;
  }

  bool is_merge(int node) const { return node >= 0 && subgraph_.nodes[node].control_flow() == ControlFlow::kMerge; }

  /// The predicate by which consecutive items are joined into a unit; kNoKey: the item is a unit of its own. This holds
  /// for all items of a partial run, since each may need different feeds. If there are asynchronous kernels, it holds
  /// for stateful items too, since a kernel may be waiting for their effect.
  Key lead_of(const BytecodeItem& item) const {
    const bool has_effects = item.node >= 0 && subgraph_.nodes[item.node].info->op->is_stateful;
    if (is_partial_ || (program_.may_wait && has_effects)) return kNoKey;
    const auto key = [](const SubgraphNode::Input& predicate) { return Key(predicate.node, predicate.output); };
    if (item.guard != 0) return key(guards_.table.first(item.guard).predicate);
    return is_merge(item.node) ? key(guards_.merges[item.node].predicate) : kNoKey;
  }

  void begin_unit() {
    end_unit();
    Unit& unit = program_.units.emplace_back();
    unit.begin = static_cast<int32_t>(program_.nodes.size());
    unit.code_begin = here();
  }

  void end_unit() {
    if (program_.units.empty()) return;
    program_.units.back().end = static_cast<int32_t>(program_.nodes.size());
    program_.units.back().code_end = here();
  }

  /// Emits consecutive runs: instructions that are skipped together if their guard does not hold.
  class BytecodeRun {
   public:
    /// `base`: a guard that holds for all of them.
    BytecodeRun(BytecodeBuilder& builder, int frame, int base)
        : builder_(builder), frame_(frame), base_(base), guard_(base) {}
    void go_on(int guard) {
      if (guard == guard_) return;
      end();
      guard_ = guard;
      if (guard != base_) builder_.begin_run(&exits_, guard, base_, frame_);
    }
    void end() {
      if (guard_ != base_) builder_.end_run(&exits_);
      guard_ = base_;
    }

   private:
    BytecodeBuilder& builder_;
    const int frame_, base_;
    int guard_;
    std::vector<int32_t> exits_;  // Instructions that leave the run.
  };

  void begin_run(std::vector<int32_t>* exits, int guard, int base, int frame) {
    uses_.enter_run(guard, frame);
    const Guard given = guards_.table[base];
    for (const Literal& literal : guards_.table[guard]) {
      const auto same = [&](const Literal& other) { return other.same_predicate(literal); };
      if (std::any_of(given.begin(), given.end(), same)) continue;
      exits->push_back(here());
      emit_test(Instruction::kGuard, literal, frame);
    }
  }

  void end_run(std::vector<int32_t>* exits) {
    for (const int32_t exit : *exits) code_->instructions[exit].b = here();
    exits->clear();
    uses_.leave_run(here());
    emit(Instruction::kClear);
  }

  void emit_test(Instruction::Do what, const Literal& literal, int frame, int32_t loop = -1) {
    emit(what, add_predicate(literal, frame, loop));
  }

  /// Adds a predicate that the next instruction reads.
  int32_t add_predicate(const Literal& literal, int frame, int32_t loop = -1) {
    const int32_t slot = slot_of(literal.predicate);
    uses_.read(slot, here(), frame);
    const int by = literal.by >= 0 ? literal.by : literal.predicate.node;
    code_->predicates.push_back({slot, literal.value, loop, subgraph_.nodes[by].info.get()});
    program_.infos.push_back(subgraph_.nodes[by].info);
    return static_cast<int32_t>(code_->predicates.size()) - 1;
  }

  int32_t add_move(int32_t from, int32_t to, int frame) {
    uses_.read_by_move(from, here(), frame, static_cast<int32_t>(code_->moves.size()));
    code_->moves.push_back({from, to, false});
    return static_cast<int32_t>(code_->moves.size()) - 1;
  }

  Status emit_loop(int frame) {
    const Loop& loop = loops_[frame];
    const size_t number = code_->loops.size();
    code_->loops.emplace_back();
    const int outer = frames_.all[frame].parent;
    for (const LoopVariable& variable : loop.variables) {
      const int32_t move = add_move(slot_of(subgraph_.nodes[variable.enter].inputs[0]), alias_[variable.merge], outer);
      emit(Instruction::kMove, move);
    }
    const int32_t head = here();
    TINYTF_RETURN_IF_ERROR(emit_section(frame, false));
    if (does_not_fit_) return Status();
    const int32_t test = here();
    emit_test(Instruction::kTest, loop.condition, frame, static_cast<int32_t>(number));
    TINYTF_RETURN_IF_ERROR(emit_section(frame, true));
    if (does_not_fit_) return Status();
    BytecodeLoop back;
    back.frame = frames_.all[frame].name;
    back.code_begin = head;
    back.moves_begin = static_cast<int32_t>(code_->moves.size());
    std::vector<int32_t> written;
    for (const LoopVariable& variable : loop.variables) {
      const int32_t from = slot_of(variable.next), to = alias_[variable.merge];
      if (from == to) {  // Unchanged by the iteration, so no node may write to it in place.
        uses_.read(to, here(), frame);
        continue;
      }
      back.is_parallel |= std::find(written.begin(), written.end(), from) != written.end();
      written.push_back(to);
      add_move(from, to, frame);
    }
    back.moves_end = static_cast<int32_t>(code_->moves.size());
    emit(Instruction::kBack, static_cast<int32_t>(number), head);
    back.code_end = here();
    code_->loops[number] = std::move(back);
    code_->instructions[test].b = here();
    uses_.note_loop(frame, test, here());
    emit(Instruction::kClear);
    return Status();
  }

  Status emit_node(int index) {
    const SubgraphNode& node = subgraph_.nodes[index];
    if (node.control_flow() == ControlFlow::kMerge) {
      emit_select(index, node);
      return Status();
    }
    std::shared_ptr<const NodeInfo> info = node.values ? known_values_node(*node.info) : node.info;
    std::shared_ptr<Kernel>& kernel = kernels_of_[index];
    if (kernel->is_async()) waiting_.push_back({static_cast<int>(program_.units.size()), index});
    PlanNode& planned = program_.nodes.emplace_back();
    planned.info = info.get();
    planned.kernel = kernel.get();
    planned.first_input = static_cast<int32_t>(program_.input_slots.size());
    planned.first_output = first_slot_[index];
    planned.derefs_begin = static_cast<int32_t>(program_.derefs.size());
    planned.snapshots_begin = planned.snapshots_end = static_cast<int32_t>(program_.snapshots.size());
    const auto number = static_cast<int32_t>(program_.nodes.size()) - 1;
    if (!node.values) {
      for (size_t i = 0; i < node.inputs.size(); ++i) TINYTF_RETURN_IF_ERROR(add_input(index, planned, number, i));
    }
    planned.derefs_end = static_cast<int32_t>(program_.derefs.size());
    add_snapshots(index, planned);
    for (int k = 0; k < planned.num_outputs(); ++k) uses_.write(planned.first_output + k, number);
    program_.infos.push_back(std::move(info));
    program_.kernels.push_back(std::move(kernel));
    emit(Instruction::kRun, number);
    return Status();
  }

  Status add_input(int index, PlanNode& planned, int32_t number, size_t i) {
    const auto& input = subgraph_.nodes[index].inputs[i];
    const NodeInfo& info = *planned.info;
    const int frame = frames_.of[index];
    int32_t slot = slot_of(input);
    planned.takes_state |= info.inputs[i].dtype == DType::kResource || takes_reference(info, i);
    if (!is_ref(input) && takes_reference(info, i)) {
      return no_reference(info, i, source(input), input.output, feeds_, is_partial_);
    }
    if (is_ref(input) && !takes_reference(info, i)) {
      const int32_t to = uses_.add_slot(frame, guards_.of[index]);
      program_.derefs.push_back({slot, to, source(input).info.get(), input.output});
      slot = to;
    } else if (is_ref(input) && !info.op->allows_uninitialized_input) {
      program_.derefs.push_back({slot, -1, source(input).info.get(), input.output});
    }
    program_.input_slots.push_back(slot);
    uses_.read_by_node(slot, here(), frame, number, static_cast<int32_t>(i));
    return Status();
  }

  void add_snapshots(int index, PlanNode& planned) {
    for (size_t f = 0; f < subgraph_.fetches.size(); ++f) {
      const auto& fetch = subgraph_.fetches[f];
      if (fetch.node != index || !is_ref(fetch)) continue;
      const int32_t slot = uses_.add_slot(0, 0);
      uses_.keep(slot);
      snapshots_[f] = slot;
      program_.snapshots.push_back({planned.first_output + fetch.output, slot, planned.info, fetch.output});
    }
    planned.snapshots_end = static_cast<int32_t>(program_.snapshots.size());
  }

  void emit_select(int index, const SubgraphNode& node) {
    const BranchMerge& merge = guards_.merges[index];
    const int frame = frames_.of[index];
    Select select;
    select.predicate = add_predicate({merge.predicate, true, merge.by}, frame);
    const int32_t to = first_slot_[index];
    select.if_true = {slot_of(node.inputs[merge.if_true]), to, false};
    select.if_false = {slot_of(node.inputs[1 - merge.if_true]), to, false};
    select.index_slot = to + 1;
    select.index_if_true = merge.if_true;
    const auto number = static_cast<int32_t>(code_->selects.size());
    uses_.read_by_select(select.if_true.from, here(), frame, number, true);
    uses_.read_by_select(select.if_false.from, here(), frame, number, false);
    code_->selects.push_back(select);
    emit(Instruction::kSelect, number);
  }

  /// Adds a fetch. A value that may be dead is moved to a slot of its own under its guard.
  void add_fetch(const SubgraphNode::Input& fetch) {
    const auto number = program_.fetch_slots.size();
    if (const auto snapshot = snapshots_.find(number); snapshot != snapshots_.end()) {
      program_.fetch_slots.push_back(snapshot->second);
      return;
    }
    const int32_t slot = slot_of(fetch);
    int guard = source(fetch).runs() ? guards_.of_output(subgraph_, fetch) : 0;
    if (source(fetch).removed) guard = GuardTable::kNever;
    if (guard == 0) {
      uses_.keep(slot);
      program_.fetch_slots.push_back(slot);
      return;
    }
    const int32_t kept = uses_.add_slot(0, 0);
    uses_.keep(kept);
    if (guard == GuardTable::kNever) {  // It can never be live.
      program_.fetch_slots.push_back(kept);
      return;
    }
    begin_unit();
    program_.units.back().is_code = true;
    BytecodeRun run(*this, 0, 0);
    run.go_on(guard);
    const int32_t move = add_move(slot, kept, 0);
    emit(Instruction::kMove, move);
    run.end();
    program_.fetch_slots.push_back(kept);
  }

  const Subgraph& subgraph_;
  const Frames& frames_;
  const FrameNodes nodes_;
  Guards& guards_;
  const std::vector<Loop>& loops_;
  const std::vector<Endpoint>& feeds_;
  KernelSource kernels_;
  const bool is_partial_;
  Program program_;
  std::shared_ptr<Bytecode> code_;
  std::vector<bool> silent_;         // By node: it emits nothing.
  std::vector<int32_t> alias_;       // By node: the slot shared by all of its outputs.
  std::vector<int32_t> first_slot_;  // By node that has its own slots.
  std::vector<int> variable_of_;     // By node: for the Merge of a loop variable, the loop.
  std::map<std::pair<int, int>, int32_t> known_slots_;
  std::map<size_t, int32_t> snapshots_;  // By fetch.
  SlotLiveness uses_;
  std::vector<std::pair<int32_t, int32_t>> waits_;   // Between units; see link_units.
  std::vector<std::shared_ptr<Kernel>> kernels_of_;  // By node, until it is emitted.
  std::vector<Waits> waiting_;                       // Nodes with asynchronous kernels.
  bool does_not_fit_ = false;
};

/// Removes nodes that can never run. Unimplemented if a loop could not continue without them.
Result<Subgraph> without_dead_nodes(Subgraph subgraph, const Guards& guards) {
  std::vector<SubgraphNode>& nodes = subgraph.nodes;
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i].removed |= guards.of[i] == GuardTable::kNever;
  for (const BackEdge& edge : std::exchange(subgraph.back_edges, {})) {
    if (nodes[edge.merge].removed) continue;
    if (nodes[edge.from.node].removed) {
      return unimplemented("{{node ", nodes[edge.from.node].info->name,
                           "}} can never run: it needs both branches of one predicate");
    }
    subgraph.back_edges.push_back(edge);
  }
  return subgraph;
}

Result<Program> build_living(const Subgraph& subgraph, const Frames& frames, Guards& guards,
                             const std::vector<Endpoint>& feeds, KernelSource kernels, bool is_partial) {
  TINYTF_ASSIGN_OR_RETURN(const std::vector<Loop> loops, find_loops(subgraph, frames, guards));
  BytecodeBuilder builder(subgraph, frames, guards, loops, feeds, kernels, is_partial);
  if (std::string why_not = builder.why_not(); !why_not.empty()) return unimplemented(why_not);
  return builder.build();
}

}  // namespace

Result<Program> build_bytecode(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                               bool is_partial) {
  TINYTF_ASSIGN_OR_RETURN(const Frames frames, find_frames(subgraph));
  Result<Guards> guards = find_guards(subgraph, frames);
  if (!guards.ok()) return guards.status();
  const std::vector<int>& of = guards.value().of;
  if (std::find(of.begin(), of.end(), GuardTable::kNever) != of.end()) {
    TINYTF_ASSIGN_OR_RETURN(const Subgraph living, without_dead_nodes(subgraph, guards.value()));
    return build_living(living, frames, guards.value(), feeds, kernels, is_partial);
  }
  return build_living(subgraph, frames, guards.value(), feeds, kernels, is_partial);
}

}  // namespace tinytf
