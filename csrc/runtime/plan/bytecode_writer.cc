#include "runtime/plan/bytecode_writer.h"

#include <algorithm>

namespace tinytf {

int32_t BytecodeWriter::add_predicate(const Literal& literal, int frame, int32_t loop) {
  const int32_t slot = slots_.of(literal.predicate);
  uses_.read(slot, here(), frame);
  const int by = literal.by >= 0 ? literal.by : literal.predicate.node;
  code_.predicates.push_back({slot, literal.value, loop, control_.subgraph.nodes[by].info.get()});
  program_.infos.push_back(control_.subgraph.nodes[by].info);
  return static_cast<int32_t>(code_.predicates.size()) - 1;
}

int32_t BytecodeWriter::emit_test(Instruction::Do what, const Literal& literal, int frame, int32_t loop) {
  emit(what, add_predicate(literal, frame, loop));
  return here() - 1;
}

int32_t BytecodeWriter::add_move(int32_t from, int32_t to, int frame) {
  uses_.read_by_move(from, here(), frame, static_cast<int32_t>(code_.moves.size()));
  code_.moves.push_back({from, to, false});
  return static_cast<int32_t>(code_.moves.size()) - 1;
}

void BytecodeWriter::emit_select(int merge, int frame) {
  const BranchMerge& branches = control_.guards.merges[merge];
  const std::vector<SubgraphNode::Input>& inputs = control_.subgraph.nodes[merge].inputs;
  Select select;
  select.predicate = add_predicate({branches.predicate, true, branches.by}, frame);
  const int32_t to = slots_.first_of(merge);
  select.if_true = {slots_.of(inputs[branches.if_true]), to, false};
  select.if_false = {slots_.of(inputs[1 - branches.if_true]), to, false};
  select.index_slot = to + 1;
  select.index_if_true = branches.if_true;
  const auto number = static_cast<int32_t>(code_.selects.size());
  uses_.read_by_select(select.if_true.from, here(), frame, number, true);
  uses_.read_by_select(select.if_false.from, here(), frame, number, false);
  code_.selects.push_back(select);
  emit(Instruction::kSelect, number);
}

void BytecodeWriter::Run::go_on(int guard) {
  if (guard == guard_) return;
  end();
  guard_ = guard;
  if (guard == base_) return;
  writer_.uses_.enter_run(guard, frame_);
  const Guard given = writer_.control_.guards.table[base_];
  for (const Literal& literal : writer_.control_.guards.table[guard]) {
    const auto same = [&](const Literal& other) { return other.same_predicate(literal); };
    if (std::any_of(given.begin(), given.end(), same)) continue;
    exits_.push_back(writer_.emit_test(Instruction::kGuard, literal, frame_));
  }
}

void BytecodeWriter::Run::end() {
  if (guard_ != base_) {
    for (const int32_t exit : exits_) writer_.land(exit);
    exits_.clear();
    writer_.uses_.leave_run(writer_.here());
    writer_.emit(Instruction::kClear);
  }
  guard_ = base_;
}

}  // namespace tinytf
