#pragma once

#include <cstdint>
#include <vector>

#include "graph/passes/frames.h"
#include "runtime/plan/code.h"

namespace tinytf {

/// Who reads which slot of a ProgramCode that is being made, and where it was written; then, what is let go where. A
/// value goes with the last instruction that reads it in the loop where it was written, or at the end of the loop in
/// there that reads it. Where that instruction may be left out, with the end of its branch.
class SlotReads {
 public:
  explicit SlotReads(const Frames& frames) : frames_(frames), leaves_(frames.all.size()), bodies_(frames.all.size()) {}

  /// The number of a new slot, which is written in an iteration of `frame` when `guard` holds.
  int32_t add_slot(int frame, int guard);
  int32_t slot_count() const { return static_cast<int32_t>(slots_.size()); }
  /// It holds something at the end of the step, and before.
  void keep(int32_t slot) { slots_[slot].is_kept = true; }

  /// By the instruction that comes next, in an iteration of `frame`.
  void read(int32_t slot, int32_t pc, int frame) { add(slot, {pc, frame, Read::kOther, -1, 0}); }
  void read_by_node(int32_t slot, int32_t pc, int frame, int32_t node, int32_t input) {
    add(slot, {pc, frame, Read::kNode, node, input});
  }
  void read_by_move(int32_t slot, int32_t pc, int frame, int32_t move) { add(slot, {pc, frame, Read::kMove, move, 0}); }
  void read_by_select(int32_t slot, int32_t pc, int frame, int32_t select, bool if_true) {
    add(slot, {pc, frame, Read::kSelect, select, if_true});
  }
  void write(int32_t slot, int32_t node) { slots_[slot].writer = node; }
  /// The slot is a variable of the loop of this frame.
  void note_variable(int32_t slot, int frame) { slots_[slot].loop = frame; }

  /// A run of instructions that are left out together; its end is a kClear.
  void enter_run(int guard, int frame) { open_runs_.push_back({guard, frame, reads_at_.size()}); }
  void leave_run(int32_t clear);
  /// A loop of frame `frame` has its kTest at `test`, and a kClear behind it.
  void note_loop(int frame, int32_t test, int32_t clear) {
    bodies_[frame] = test;
    leaves_[frame] = clear;
  }

  /// Fills in what nodes, moves, selects and kClears let go, and that selects write no number that nobody reads.
  void apply(Program& program, ProgramCode& code);

 private:
  struct Read {
    enum By : uint8_t { kOther, kNode, kMove, kSelect };
    int32_t pc = 0;
    int frame = 0;
    By by = kOther;
    int32_t number = 0, detail = 0;
    /// The kClear of the run that it is in, if the slot may hold something where that is left out.
    int32_t run_end = -1;
  };
  struct SlotUse {
    int frame = 0, guard = 0;
    bool is_kept = false;
    int32_t writer = -1;  ///< a node
    int loop = -1;        ///< of which it is a variable
    std::vector<Read> reads;
  };
  struct Run {
    int guard = 0, frame = 0;
    size_t first_read = 0;
  };

  void add(int32_t slot, Read read);
  int32_t effective_pc(const Read& read, int home) const;
  const Read& last_of(const std::vector<Read>& reads, int home) const;
  void lend_variable(const SlotUse& use, Program& program) const;

  const Frames& frames_;
  std::vector<SlotUse> slots_;
  std::vector<std::pair<int32_t, size_t>> reads_at_;  // slot, place among its reads; in the order of the code
  std::vector<Run> open_runs_;
  std::vector<int32_t> leaves_;  // by frame: the kClear behind the loop
  std::vector<int32_t> bodies_;  // by frame: its kTest
};

}  // namespace tinytf
