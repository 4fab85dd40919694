#include "runtime/plan/map_loops.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tinytf {

namespace {

class MapFinder {
 public:
  MapFinder(const Program& program, const Bytecode& code) : program_(program), code_(code) {
    writers_.assign(static_cast<size_t>(program.slot_count), -1);
    places_.assign(program.nodes.size(), -1);
    for (size_t at = 0; at < code.instructions.size(); ++at) {
      if (code.instructions[at].what != Instruction::kRun) continue;
      const int32_t n = code.instructions[at].a;
      places_[n] = static_cast<int32_t>(at);
      for (int k = 0; k < program.nodes[n].num_outputs(); ++k) writers_[program.nodes[n].first_output + k] = n;
    }
  }

  /// Null if the iterations may depend on each other.
  std::shared_ptr<const MapLoop> find(int32_t number) {
    loop_ = &code_.loops[number];
    map_ = MapLoop();
    flows_.clear();
    written_.clear();
    read_.clear();
    if (loop_->is_parallel || !find_variables() || !find_bounds(number) || !look_through()) return nullptr;
    return std::make_shared<const MapLoop>(std::move(map_));
  }

 private:
  const PlanNode* writer_here(int32_t slot) const {
    const int32_t n = writers_[slot];
    return n >= 0 && loop_->code_begin <= places_[n] && places_[n] < loop_->code_end ? &program_.nodes[n] : nullptr;
  }
  int32_t input(const PlanNode& node, int i) const { return program_.input_slots[node.first_input + i]; }
  static bool has(const PlanNode& node, Trait trait) { return node.info->op->has(trait); }
  static bool is_of_counters(const PlanNode& node) { return node.info->inputs[0].dtype == DType::kInt32; }

  /// Whether each loop variable is a counter or a flow.
  bool find_variables() {
    for (int32_t m = loop_->moves_begin; m < loop_->moves_end; ++m) {
      const Move& move = code_.moves[m];
      const PlanNode* const node = writer_here(move.from);
      if (node == nullptr) return false;
      if (has(*node, Trait::kSums) && is_of_counters(*node)) {
        const int32_t a = input(*node, 0), b = input(*node, 1);
        if ((a == move.to) == (b == move.to)) return false;
        map_.counters.push_back({move.to, a == move.to ? b : a});
      } else if (!follow_flow(move.from, move.to)) {
        return false;
      }
    }
    return true;
  }

  /// Follows a flow from its next value back through writes. Returns whether it leads to the variable.
  bool follow_flow(int32_t slot, int32_t variable) {
    for (size_t left = program_.nodes.size(); left > 0 && slot != variable; --left) {
      const PlanNode* const node = writer_here(slot);
      if (node == nullptr || !has(*node, Trait::kWritesElement)) return false;
      flows_.insert(slot);
      slot = input(*node, kFlowOfWrite);
    }
    flows_.insert(variable);
    return slot == variable;
  }

  /// Whether the loop's condition is that counters are below loop-invariant limits.
  bool find_bounds(int32_t number) {
    for (int32_t at = loop_->code_begin; at < loop_->code_end; ++at) {
      const Instruction& instruction = code_.instructions[at];
      if (instruction.what != Instruction::kTest || code_.predicates[instruction.a].loop != number) continue;
      const Predicate& predicate = code_.predicates[instruction.a];
      return predicate.value && add_bounds(predicate.slot, kMostBounds) && !map_.bounds.empty();
    }
    return false;
  }

  bool add_bounds(int32_t slot, int most) {
    const PlanNode* const node = writer_here(slot);
    if (node == nullptr || most == 0) return false;
    if (has(*node, Trait::kIsBoth))
      return add_bounds(input(*node, 0), most - 1) && add_bounds(input(*node, 1), most - 1);
    if (!has(*node, Trait::kIsLess) || !is_of_counters(*node)) return false;
    for (size_t i = 0; i < map_.counters.size(); ++i) {
      if (map_.counters[i].variable != input(*node, 0)) continue;
      map_.bounds.push_back({i, input(*node, 1)});
      return true;
    }
    return false;
  }

  /// Collects the slots that an iteration reads and writes. False if it has other effects.
  bool look_through() {
    for (int32_t at = loop_->code_begin; at < loop_->code_end; ++at) {
      const Instruction& instruction = code_.instructions[at];
      switch (instruction.what) {
        case Instruction::kRun:
          if (!add_node(program_.nodes[instruction.a])) return false;
          break;
        case Instruction::kGuard:
        case Instruction::kTest: read_.insert(code_.predicates[instruction.a].slot); break;
        case Instruction::kMove: add_move(code_.moves[instruction.a]); break;
        case Instruction::kSelect: {
          const Select& select = code_.selects[instruction.a];
          read_.insert(code_.predicates[select.predicate].slot);
          add_move(select.if_true);
          add_move(select.if_false);
          if (select.index_slot >= 0) written_.insert(select.index_slot);
          break;
        }
        case Instruction::kBack: {
          const BytecodeLoop& inner = code_.loops[instruction.a];
          for (int32_t m = inner.moves_begin; &inner != loop_ && m < inner.moves_end; ++m) add_move(code_.moves[m]);
          break;
        }
        case Instruction::kRegion: return false;
        case Instruction::kClear: break;
      }
    }
    return check_slots();
  }

  void add_move(const Move& move) {
    read_.insert(move.from);
    written_.insert(move.to);
  }

  bool add_node(const PlanNode& node) {
    const OpDef& op = *node.info->op;
    const bool reads = op.has(Trait::kReadsElement), writes = op.has(Trait::kWritesElement);
    if (!node.is_plain || op.has(Trait::kNamesState) || op.may_block || node.kernel->is_async()) return false;
    if (op.is_stateful && !reads && !writes && !op.has(Trait::kReadsResource)) return false;
    for (int i = 0; i < node.num_inputs(); ++i) {
      const int32_t slot = input(node, i);
      if (node.info->inputs[i].is_ref) return false;
      if (flows_.count(slot) != 0 && !(writes && i == kFlowOfWrite)) return false;
      if (i == 0 && reads) map_.arrays_read.push_back(slot);
      if (i == 0 && writes) map_.arrays_written.push_back(slot);
      read_.insert(slot);
    }
    for (int k = 0; k < node.num_outputs(); ++k) {
      if (node.info->outputs[k].is_ref) return false;
      written_.insert(node.first_output + k);
    }
    return true;
  }

  /// Checks that steps, limits and arrays are loop-invariant. Collects the other inputs of iterations.
  bool check_slots() {
    if (map_.arrays_written.empty()) return false;
    const auto stays = [&](int32_t slot) {
      const auto is_it = [slot](const MapLoop::Counter& counter) { return counter.variable == slot; };
      return written_.count(slot) == 0 && flows_.count(slot) == 0 &&
             std::none_of(map_.counters.begin(), map_.counters.end(), is_it);
    };
    for (const MapLoop::Counter& counter : map_.counters) {
      if (!stays(counter.step)) return false;
    }
    for (const MapLoop::Bound& bound : map_.bounds) {
      if (!stays(bound.limit)) return false;
    }
    if (!std::all_of(map_.arrays_read.begin(), map_.arrays_read.end(), stays)) return false;
    if (!std::all_of(map_.arrays_written.begin(), map_.arrays_written.end(), stays)) return false;
    for (const int32_t slot : read_) {
      if (stays(slot) || (flows_.count(slot) != 0 && written_.count(slot) == 0)) map_.taken.push_back(slot);
    }
    return true;
  }

  static constexpr int kFlowOfWrite = 3;
  static constexpr int kMostBounds = 8;  // Nesting depth of conjunctions.

  const Program& program_;
  const Bytecode& code_;
  std::vector<int32_t> writers_;  // By slot: the node.
  std::vector<int32_t> places_;   // By node: the instruction.
  const BytecodeLoop* loop_ = nullptr;
  MapLoop map_;
  std::set<int32_t> flows_;           // Flow variables, and outputs of writes.
  std::set<int32_t> written_, read_;  // In an iteration.
};

}  // namespace

void find_map_loops(const Program& program, Bytecode& code) {
  if (code.loops.empty()) return;
  MapFinder finder(program, code);
  int32_t end = 0;  // Of the last loop found.
  for (size_t i = 0; i < code.loops.size(); ++i) {
    if (code.loops[i].code_begin < end) continue;
    code.loops[i].map = finder.find(static_cast<int32_t>(i));
    if (code.loops[i].map != nullptr) end = code.loops[i].code_end;
  }
}

}  // namespace tinytf
