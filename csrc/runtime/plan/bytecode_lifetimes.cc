#include "runtime/plan/bytecode_lifetimes.h"

#include <algorithm>

#include "runtime/plan/read_twice.h"

namespace tinytf {

int32_t SlotLiveness::add_slot(int frame, int guard) {
  SlotUse& use = slots_.emplace_back();
  use.frame = frame;
  use.guard = guard;
  return slot_count() - 1;
}

void SlotLiveness::add(int32_t slot, Read read) {
  reads_at_.emplace_back(slot, slots_[slot].reads.size());
  slots_[slot].reads.push_back(read);
}

/// Ends a run: if it is skipped, slots whose last read is in the run must be cleared at its end, except for slots that
/// are written under the same guard and are then empty.
void SlotLiveness::leave_run(int32_t clear) {
  const Run run = open_runs_.back();
  open_runs_.pop_back();
  for (size_t i = run.first_read; i < reads_at_.size(); ++i) {
    const auto [slot, place] = reads_at_[i];
    SlotUse& use = slots_[slot];
    if (use.frame == run.frame && use.guard != run.guard) use.reads[place].run_end = clear;
  }
}

/// The instruction at which a read takes effect, as seen from the loop in which the slot is written.
int32_t SlotLiveness::effective_pc(const Read& read, int home) const {
  int frame = read.frame;
  if (frame == home) return read.pc;
  while (frames_.all[frame].parent != home) {
    frame = frames_.all[frame].parent;
    if (frame < 0) return read.pc;  // A loop variable that is read outside of its loop.
  }
  return leaves_[frame];
}

const SlotLiveness::Read& SlotLiveness::last_of(const std::vector<Read>& reads, int home) const {
  const Read* last = &reads.front();
  for (const Read& read : reads) {
    if (effective_pc(read, home) >= effective_pc(*last, home)) last = &read;  // The last one among equals.
  }
  return *last;
}

/// Allows the node in the loop body that reads a loop variable last to write to it in place: the next iteration gets
/// another value, and the body does not run when the loop ends.
void SlotLiveness::lend_variable(const SlotUse& use, Program& program) const {
  if (use.loop < 0) return;
  std::vector<Read> inside;
  for (const Read& read : use.reads) {
    for (int frame = read.frame; frame >= 0; frame = frames_.all[frame].parent) {
      if (frame == use.loop) inside.push_back(read);
    }
  }
  if (inside.empty()) return;
  const Read& last = last_of(inside, use.loop);
  const auto is_there = [&](const Read& read) { return effective_pc(read, use.loop) == last.pc; };
  const bool is_lent =
      last.by == Read::kNode && last.frame == use.loop && last.pc > bodies_[use.loop] && last.detail < 64;
  if (!is_lent) return;
  PlanNode& node = program.nodes[last.number];
  if (std::count_if(inside.begin(), inside.end(), is_there) == 1 || overwrites_operands(node)) {
    node.last_use |= uint64_t{1} << last.detail;
  }
}

void SlotLiveness::apply(Program& program, Bytecode& code) {
  std::vector<std::vector<int32_t>> cleared_at(code.instructions.size());
  std::vector<std::vector<int32_t>> released(program.nodes.size());
  for (const SlotUse& use : slots_) lend_variable(use, program);
  for (Select& select : code.selects) {
    const SlotUse& index = slots_[select.index_slot];
    if (index.reads.empty() && !index.is_kept) select.index_slot = -1;
  }
  for (int32_t slot = 0; slot < slot_count(); ++slot) {
    const SlotUse& use = slots_[slot];
    if (use.is_kept) continue;
    if (use.reads.empty()) {
      if (use.writer >= 0) released[use.writer].push_back(slot);
      continue;
    }
    const Read* const last = &last_of(use.reads, use.frame);
    const int32_t at = effective_pc(*last, use.frame);
    const auto reads_here = std::count_if(use.reads.begin(), use.reads.end(),
                                          [&](const Read& read) { return effective_pc(read, use.frame) == at; });
    if (at != last->pc) {
      cleared_at[at].push_back(slot);
    } else if (last->by == Read::kNode) {
      released[last->number].push_back(slot);
      PlanNode& node = program.nodes[last->number];
      if (last->detail < 64 && (reads_here == 1 || overwrites_operands(node))) {
        node.last_use |= uint64_t{1} << last->detail;
      }
    } else if (last->by == Read::kRegion) {
      cleared_at[last->pc + 1].push_back(slot);
    } else if (last->by == Read::kMove) {
      code.moves[last->number].is_last = true;
    } else if (last->by == Read::kSelect && reads_here == 1) {
      Select& select = code.selects[last->number];
      (last->detail != 0 ? select.if_true : select.if_false).is_last = true;
    }
    if (last->run_end >= 0 && at == last->pc) cleared_at[last->run_end].push_back(slot);
  }
  for (size_t n = 0; n < program.nodes.size(); ++n) {
    program.nodes[n].releases_begin = static_cast<int32_t>(program.releases.size());
    program.releases.insert(program.releases.end(), released[n].begin(), released[n].end());
    program.nodes[n].releases_end = static_cast<int32_t>(program.releases.size());
  }
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    if (code.instructions[i].what != Instruction::kClear) continue;
    code.instructions[i].a = static_cast<int32_t>(code.cleared.size());
    code.cleared.insert(code.cleared.end(), cleared_at[i].begin(), cleared_at[i].end());
    code.instructions[i].b = static_cast<int32_t>(code.cleared.size());
  }
}

}  // namespace tinytf
