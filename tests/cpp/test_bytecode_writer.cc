#include "runtime/plan/bytecode_writer.h"

#include "tests/cpp/control.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::Control;
using testing::GraphFixture;

struct BranchGraph : GraphFixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* x = placeholder("x");
  Node* branch = add_switch(*this, "branch", {x, 0}, {p, 0});
  Node* no = add("Neg", "no", {{branch, 0}});
  Node* yes = add("Exp", "yes", {{branch, 1}});
  Node* merge = add_merge(*this, "merge", {{no, 0}, {yes, 0}});
};

struct Writer : BranchGraph {
  int guard_of(const Node* node) const { return control.guards.of[control.index_of(node)]; }
  Control control{{{merge, 0}}};
  Program program;
  Bytecode code;
  SlotLiveness uses{control.frames};
  BytecodeSlots slots{control.structure, uses, program};
  BytecodeWriter writer{control.structure, slots, uses, program, code};
};

TINYTF_TEST(runs_are_guarded_and_cleared_at_their_ends) {
  Writer w;
  BytecodeWriter::Run run(w.writer, 0, 0);
  run.go_on(0);
  w.writer.emit(Instruction::kRun, 7);
  run.go_on(w.guard_of(w.no));
  w.writer.emit(Instruction::kRun, 8);
  run.go_on(w.guard_of(w.no));
  w.writer.emit(Instruction::kRun, 9);
  run.go_on(w.guard_of(w.yes));
  w.writer.emit(Instruction::kRun, 10);
  run.end();
  std::vector<Instruction::Do> expected{Instruction::kRun, Instruction::kGuard, Instruction::kRun,
                                        Instruction::kRun, Instruction::kClear, Instruction::kGuard,
                                        Instruction::kRun, Instruction::kClear};
  EXPECT_EQ(w.code.instructions.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(w.code.instructions[i].what, expected[i]);
  EXPECT_EQ(w.code.instructions[1].b, 4);  // Guards jump to the kClear.
  EXPECT_EQ(w.code.instructions[5].b, 7);
  EXPECT(!w.code.predicates[0].value && w.code.predicates[1].value);
  EXPECT_EQ(w.code.predicates[0].slot, w.slots.of({w.control.index_of(w.p), 0}));
  EXPECT_EQ(w.code.predicates[0].by->name, "branch");
}

TINYTF_TEST(selects_take_the_inputs_of_a_merge) {
  Writer w;
  const int merge = w.control.index_of(w.merge);
  w.writer.emit_select(merge, 0);
  const Select& select = w.code.selects[0];
  EXPECT_EQ(select.if_true.from, w.slots.of({w.control.index_of(w.yes), 0}));
  EXPECT_EQ(select.if_false.from, w.slots.of({w.control.index_of(w.no), 0}));
  EXPECT(select.if_true.to == w.slots.first_of(merge) && select.index_slot == select.if_true.to + 1);
  EXPECT_EQ(select.index_if_true, 1);
  EXPECT_EQ(w.code.instructions[0].what, Instruction::kSelect);
}

TINYTF_TEST(moves_and_tests_land_where_they_should) {
  Writer w;
  const int32_t test = w.writer.emit_test(Instruction::kTest, {{w.control.index_of(w.p), 0}, true}, 0, 3);
  w.writer.emit_move(1, 0, 0);
  w.writer.land(test);
  EXPECT_EQ(w.code.predicates[0].loop, 3);
  EXPECT_EQ(w.code.predicates[0].by->name, "p");
  EXPECT(w.code.moves[0].from == 1 && w.code.moves[0].to == 0);
  EXPECT_EQ(w.code.instructions[test].b, w.writer.here());
  EXPECT_EQ(w.writer.here(), 2);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
