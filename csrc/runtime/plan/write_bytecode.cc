#include "runtime/plan/write_bytecode.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/plan/bytecode_schedule.h"
#include "runtime/plan/bytecode_units.h"
#include "runtime/plan/bytecode_writer.h"
#include "runtime/plan/map_loops.h"
#include "runtime/plan/node_layout.h"

namespace tinytf {

namespace {

/// The frame of the outermost loop around the node; 0: there is none.
int outermost_loop(const Frames& frames, int node) {
  int frame = frames.of[node];
  while (frame > 0 && frames.all[frame].parent > 0) frame = frames.all[frame].parent;
  return frame;
}

class BytecodeBuilder {
 public:
  BytecodeBuilder(const ControlStructure& control, const std::vector<Endpoint>& feeds, KernelSource kernels,
                  RegionSource regions, bool is_partial)
      : control_(control),
        subgraph_(control.subgraph),
        guards_(control.guards),
        nodes_(control.frames),
        is_partial_(is_partial),
        layout_(subgraph_, feeds, kernels, is_partial, program_),
        uses_(control.frames),
        slots_(control, uses_, program_),
        writer_(control, slots_, uses_, program_, *code_),
        regions_(control, slots_, uses_, writer_, program_, *code_, regions) {}

  /// Unimplemented if kernels or regions of one loop may wait for each other, or if dependencies between loops are
  /// cyclic. `misfit`: set in the first case.
  Result<Program> build(Misfit& misfit) {
    add_not_finite();
    TINYTF_RETURN_IF_ERROR(make_kernels());
    TINYTF_RETURN_IF_ERROR(emit_step());
    if (does_not_fit_) return unimplemented("Loops or branches depend on each other in a cycle");
    if (const int waits = may_wait_for_each_other(); waits >= 0) {
      misfit.frame = outermost_loop(control_.frames, waits);
      return unimplemented("Blocking kernels of one loop or branch may wait for each other");
    }
    for (size_t f = 0; f < subgraph_.fetches.size(); ++f) program_.fetch_slots.push_back(add_fetch(f));
    end_unit();
    program_.slot_count = uses_.slot_count();
    uses_.apply(program_, *code_);
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

  /// Adds folded nodes with NaN or infinity, for the NaN watch.
  void add_not_finite() {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      if (!NodeLayout::is_not_finite(subgraph_.nodes[i])) continue;
      const int32_t first_slot = slots_.add_known(static_cast<int>(i));
      layout_.add_not_finite(subgraph_.nodes[i], first_slot,
                             [this](const SubgraphNode::Input& input) { return slots_.of(input); });
    }
  }

  /// Makes the kernels of all nodes that run, and the programs of regions.
  Status make_kernels() {
    kernels_of_.resize(subgraph_.nodes.size());
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (!node.runs() || slots_.silent()[i] || node.control_flow() != ControlFlow::kNone) continue;
      if (node.region != nullptr) {
        TINYTF_RETURN_IF_ERROR(regions_.build(static_cast<int>(i)));
        continue;
      }
      TINYTF_ASSIGN_OR_RETURN(kernels_of_[i], layout_.make_kernel(node));
    }
    return Status();
  }

  /// Emits all items outside of loops, divided into units.
  Status emit_step() {
    const auto schedule = this->schedule(0, false);
    if (!schedule) return Status();
    std::vector<int32_t> unit_of(schedule->items.size());
    BytecodeWriter::Run run(writer_, 0, 0);
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
      program_.units.back().is_code |=
          item.frame >= 0 || item.guard != 0 || is_merge(item.node) || is_region(item.node);
      TINYTF_RETURN_IF_ERROR(emit_item(item, run));
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
    BytecodeWriter::Run run(writer_, frame, in_body ? guards_.table.with(0, control_.loops[frame].condition) : 0);
    for (const BytecodeItem& item : schedule->items) {
      if (item.node < 0 && item.frame < 0) continue;
      TINYTF_RETURN_IF_ERROR(emit_item(item, run));
      if (does_not_fit_) return Status();
    }
    run.end();
    return Status();
  }

  Status emit_item(const BytecodeItem& item, BytecodeWriter::Run& run) {
    if (is_region(item.node)) {
      if (regions_.may_wait(item.node)) note_waiting(item.node);
      return regions_.emit(item.node, run);
    }
    run.go_on(item.guard);
    return item.frame >= 0 ? emit_loop(item.frame) : emit_node(item.node);
  }

  std::optional<Schedule> schedule(int frame, bool in_body) {
    auto schedule = tinytf::schedule(control_, nodes_, slots_.silent(), frame, in_body);
    does_not_fit_ |= !schedule;
    return schedule;
  }

  void note_waiting(int node) { waiting_.push_back({static_cast<int>(program_.units.size()), node}); }

  /// A node of a unit in which no dependency or guard orders some asynchronous kernels or regions; -1: there is none.
  int may_wait_for_each_other() const {
    for (size_t begin = 0, end = 0; begin < waiting_.size(); begin = end) {
      std::vector<int> nodes;
      for (; end < waiting_.size() && waiting_[end].unit == waiting_[begin].unit; ++end) {
        nodes.push_back(waiting_[end].node);
      }
      std::sort(nodes.begin(), nodes.end());
      if (!run_in_turn(control_, nodes)) return nodes[0];
    }
    return -1;
  }

  bool is_region(int node) const { return node >= 0 && subgraph_.nodes[node].region != nullptr; }
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

  Status emit_loop(int frame) {
    const Loop& loop = control_.loops[frame];
    const auto number = static_cast<int32_t>(code_->loops.size());
    code_->loops.emplace_back();
    for (const LoopVariable& variable : loop.variables) {
      const int32_t start = slots_.of(subgraph_.nodes[variable.enter].inputs[0]);
      writer_.emit_move(start, slots_.of_variable(variable.merge), control_.frames.all[frame].parent);
    }
    const int32_t head = here();
    TINYTF_RETURN_IF_ERROR(emit_section(frame, false));
    if (does_not_fit_) return Status();
    const int32_t test = writer_.emit_test(Instruction::kTest, loop.condition, frame, number);
    TINYTF_RETURN_IF_ERROR(emit_section(frame, true));
    if (does_not_fit_) return Status();
    code_->loops[number] = emit_back(frame, number, head);
    writer_.land(test);
    uses_.note_loop(frame, test, here());
    writer_.emit(Instruction::kClear);
    return Status();
  }

  /// Emits the end of an iteration that begins at `head`.
  BytecodeLoop emit_back(int frame, int32_t number, int32_t head) {
    BytecodeLoop back;
    back.frame = control_.frames.all[frame].name;
    back.code_begin = head;
    back.moves_begin = static_cast<int32_t>(code_->moves.size());
    std::vector<int32_t> written;
    for (const LoopVariable& variable : control_.loops[frame].variables) {
      const int32_t from = slots_.of(variable.next), to = slots_.of_variable(variable.merge);
      if (from == to) {  // Unchanged by the iteration, so no node may write to it in place.
        uses_.read(to, here(), frame);
        continue;
      }
      back.is_parallel |= std::find(written.begin(), written.end(), from) != written.end();
      written.push_back(to);
      writer_.add_move(from, to, frame);
    }
    back.moves_end = static_cast<int32_t>(code_->moves.size());
    writer_.emit(Instruction::kBack, number, head);
    back.code_end = here();
    return back;
  }

  Status emit_node(int index) {
    const SubgraphNode& node = subgraph_.nodes[index];
    const int frame = control_.frames.of[index];
    if (node.control_flow() == ControlFlow::kMerge) {
      writer_.emit_select(index, frame);
      return Status();
    }
    if (kernels_of_[index]->is_async()) note_waiting(index);
    const auto number = static_cast<int32_t>(program_.nodes.size());
    TINYTF_RETURN_IF_ERROR(layout_.add(
        index, std::move(kernels_of_[index]), node.inputs, slots_.first_of(index),
        [this](const SubgraphNode::Input& input) { return slots_.of(input); },
        [&] { return uses_.add_slot(frame, guards_.of[index]); }));
    const PlanNode& planned = program_.nodes.back();
    for (int i = 0; i < planned.num_inputs(); ++i) {
      uses_.read_by_node(program_.input_slots[planned.first_input + i], here(), frame, number, i);
    }
    for (int k = 0; k < planned.num_outputs(); ++k) uses_.write(planned.first_output + k, number);
    writer_.emit(Instruction::kRun, number);
    return Status();
  }

  /// Returns the slot of a fetch. A value that may be dead is moved to a slot of its own under its guard.
  int32_t add_fetch(size_t number) {
    const SubgraphNode::Input& fetch = subgraph_.fetches[number];
    const SubgraphNode& source = subgraph_.source(fetch);
    const int32_t snapshot = layout_.snapshot_of(number);
    const int32_t slot = snapshot >= 0 ? snapshot : slots_.of(fetch);
    int guard = snapshot < 0 && source.runs() ? guards_.of_output(subgraph_, fetch) : 0;
    if (source.removed && !subgraph_.fed(fetch)) guard = GuardTable::kNever;
    if (guard == 0) {
      uses_.keep(slot);
      return slot;
    }
    const int32_t kept = uses_.add_slot(0, 0);
    uses_.keep(kept);
    if (guard == GuardTable::kNever) return kept;  // It can never be live.
    begin_unit();
    program_.units.back().is_code = true;
    BytecodeWriter::Run run(writer_, 0, 0);
    run.go_on(guard);
    writer_.emit_move(slot, kept, 0);
    run.end();
    return kept;
  }

  int32_t here() const { return writer_.here(); }

  const ControlStructure& control_;
  const Subgraph& subgraph_;
  Guards& guards_;
  const FrameNodes nodes_;
  const bool is_partial_;
  Program program_;
  std::shared_ptr<Bytecode> code_ = std::make_shared<Bytecode>();
  NodeLayout layout_;
  SlotLiveness uses_;
  BytecodeSlots slots_;
  BytecodeWriter writer_;
  BytecodeRegions regions_;
  std::vector<std::pair<int32_t, int32_t>> waits_;   // Between units; see link_units.
  std::vector<std::shared_ptr<Kernel>> kernels_of_;  // By node, until it is emitted.
  std::vector<Waits> waiting_;                       // Nodes with asynchronous kernels, or regions with such.
  bool does_not_fit_ = false;
};

}  // namespace

Result<Program> write_bytecode(const ControlStructure& control, const std::vector<Endpoint>& feeds,
                               KernelSource kernels, RegionSource regions, bool is_partial, Misfit& misfit) {
  return BytecodeBuilder(control, feeds, kernels, regions, is_partial).build(misfit);
}

}  // namespace tinytf
