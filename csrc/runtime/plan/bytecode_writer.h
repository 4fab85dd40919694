#pragma once

#include <vector>

#include "runtime/plan/bytecode_slots.h"

namespace tinytf {

/// Writes the instructions of a Bytecode, and records which slots they read.
class BytecodeWriter {
 public:
  /// All arguments must outlive the writer.
  BytecodeWriter(const ControlStructure& control, BytecodeSlots& slots, SlotLiveness& uses, Program& program,
                 Bytecode& code)
      : control_(control), slots_(slots), uses_(uses), program_(program), code_(code) {}

  /// The position of the next instruction.
  int32_t here() const { return static_cast<int32_t>(code_.instructions.size()); }
  void emit(Instruction::Do what, int32_t a = 0, int32_t b = 0) { code_.instructions.push_back({what, a, b}); }
  /// Lets a jump lead to the next instruction.
  void land(int32_t jump) { code_.instructions[jump].b = here(); }

  /// Emits a kGuard, or the kTest of loop number `loop`. Returns its position. `frame`: of the instruction.
  int32_t emit_test(Instruction::Do what, const Literal& literal, int frame, int32_t loop = -1);
  void emit_move(int32_t from, int32_t to, int frame) { emit(Instruction::kMove, add_move(from, to, frame)); }
  /// Adds a move that the next instruction makes. Returns its number.
  int32_t add_move(int32_t from, int32_t to, int frame);
  /// Emits the select of a Merge of two branches.
  void emit_select(int merge, int frame);

  /// Consecutive runs: instructions that are skipped together if their guard does not hold.
  class Run {
   public:
    /// `base`: a guard that holds for all of them.
    Run(BytecodeWriter& writer, int frame, int base) : writer_(writer), frame_(frame), base_(base), guard_(base) {}
    /// Ends the run if the next instructions have another guard, and begins theirs.
    void go_on(int guard);
    void end();

   private:
    BytecodeWriter& writer_;
    const int frame_, base_;
    int guard_;
    std::vector<int32_t> exits_;  // Instructions that leave the run.
  };

 private:
  /// Adds a predicate that the next instruction reads.
  int32_t add_predicate(const Literal& literal, int frame, int32_t loop = -1);

  const ControlStructure& control_;
  BytecodeSlots& slots_;
  SlotLiveness& uses_;
  Program& program_;
  Bytecode& code_;
};

}  // namespace tinytf
