#pragma once

#include <cstdint>
#include <vector>

#include "graph/passes/frames.h"
#include "runtime/plan/bytecode.h"

namespace tinytf {

/// Liveness analysis for a Bytecode: records where slots are written and read, then determines where they are
/// released. A value is released at its last read, as seen from the loop that writes it: a read in an inner loop counts
/// as a read at the end of that loop. If a branch that may be skipped contains the last read, the value is also cleared
/// at the end of the branch.
class SlotLiveness {
 public:
  explicit SlotLiveness(const Frames& frames)
      : frames_(frames), leaves_(frames.all.size()), bodies_(frames.all.size()) {}

  /// Adds a slot that is written in an iteration of `frame` under `guard`. Returns its number.
  int32_t add_slot(int frame, int guard);
  int32_t slot_count() const { return static_cast<int32_t>(slots_.size()); }
  /// The slot keeps its value until the end of the step.
  void keep(int32_t slot) { slots_[slot].is_kept = true; }

  /// Records a read by the next instruction, in an iteration of `frame`. The variants below also record the reading
  /// node, move or select.
  void read(int32_t slot, int32_t pc, int frame) { add(slot, {pc, frame, Read::kOther, -1, 0}); }
  void read_by_node(int32_t slot, int32_t pc, int frame, int32_t node, int32_t input) {
    add(slot, {pc, frame, Read::kNode, node, input});
  }
  void read_by_move(int32_t slot, int32_t pc, int frame, int32_t move) { add(slot, {pc, frame, Read::kMove, move, 0}); }
  void read_by_select(int32_t slot, int32_t pc, int frame, int32_t select, bool if_true) {
    add(slot, {pc, frame, Read::kSelect, select, if_true});
  }
  /// By a kRegion, which a kClear follows.
  void read_by_region(int32_t slot, int32_t pc, int frame) { add(slot, {pc, frame, Read::kRegion, -1, 0}); }
  void write(int32_t slot, int32_t node) { slots_[slot].writer = node; }
  /// Declares the slot a variable of the loop of this frame.
  void note_variable(int32_t slot, int frame) { slots_[slot].loop = frame; }

  /// Begins a run: instructions that are skipped together. leave_run ends it; `clear` is its final kClear.
  void enter_run(int guard, int frame) { open_runs_.push_back({guard, frame, reads_at_.size()}); }
  void leave_run(int32_t clear);
  /// Records a loop of `frame`: `test` is its kTest, and `clear` the kClear after it.
  void note_loop(int frame, int32_t test, int32_t clear) {
    bodies_[frame] = test;
    leaves_[frame] = clear;
  }

  /// Sets the releases of nodes, moves, selects and kClears, and removes index slots of selects that are not read.
  void apply(Program& program, Bytecode& code);

 private:
  struct Read {
    enum By : uint8_t { kOther, kNode, kMove, kSelect, kRegion };
    int32_t pc = 0;
    int frame = 0;
    By by = kOther;
    int32_t number = 0, detail = 0;
    /// The kClear of the enclosing run, if the slot may have a value when the run is skipped; else -1.
    int32_t run_end = -1;
  };
  struct SlotUse {
    int frame = 0, guard = 0;
    bool is_kept = false;
    int32_t writer = -1;  ///< A node.
    int loop = -1;        ///< The loop whose variable it is; -1: none.
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
  std::vector<std::pair<int32_t, size_t>> reads_at_;  // Slot and index among its reads, in code order.
  std::vector<Run> open_runs_;
  std::vector<int32_t> leaves_;  // By frame: the kClear after the loop.
  std::vector<int32_t> bodies_;  // By frame: its kTest.
};

}  // namespace tinytf
