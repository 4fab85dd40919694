#include "runtime/plan/bytecode_lifetimes.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// The frames of a step with one loop (frame 1).
Frames two_frames() {
  Frames frames;
  frames.all = {{"", -1, 0}, {"l", 0, 1}};
  return frames;
}

struct Lifetimes {
  explicit Lifetimes(int nodes, int instructions) {
    program.nodes.resize(nodes);
    code.instructions.resize(instructions);
  }
  std::vector<int32_t> released(int node) const {
    const PlanNode& of = program.nodes[node];
    return {program.releases.begin() + of.releases_begin, program.releases.begin() + of.releases_end};
  }
  std::vector<int32_t> cleared(int pc) const {
    const Instruction& at = code.instructions[pc];
    return {code.cleared.begin() + at.a, code.cleared.begin() + at.b};
  }
  Frames frames = two_frames();
  SlotLiveness reads{frames};
  Program program;
  Bytecode code;
};

using Slots = std::vector<int32_t>;

TINYTF_TEST(lifetimes_end_with_the_last_reader) {
  Lifetimes t(2, 2);
  t.reads.add_slot(0, 0);
  t.reads.add_slot(0, 0);
  t.reads.add_slot(0, 0);
  t.reads.keep(2);
  t.reads.read_by_node(0, 0, 0, 0, 0);
  t.reads.read_by_node(0, 1, 0, 1, 1);
  t.reads.write(1, 0);  // never read
  t.reads.apply(t.program, t.code);
  EXPECT(t.released(0) == Slots{1});
  EXPECT(t.released(1) == Slots{0});
  EXPECT_EQ(t.program.nodes[1].last_use, uint64_t{2});
}

TINYTF_TEST(lifetimes_end_with_the_branch_that_may_be_left_out) {
  Lifetimes t(1, 3);
  t.code.instructions[2].what = Instruction::kClear;
  t.reads.add_slot(0, 0);
  t.reads.add_slot(0, 5);
  t.reads.enter_run(5, 0);
  t.reads.read_by_node(0, 1, 0, 0, 0);
  t.reads.read_by_node(1, 1, 0, 0, 1);  // written only where it is read
  t.reads.leave_run(2);
  t.reads.apply(t.program, t.code);
  EXPECT(t.cleared(2) == Slots{0});
  EXPECT(t.released(0) == (Slots{0, 1}));
}

TINYTF_TEST(lifetimes_of_what_loops_read_end_behind_them) {
  Lifetimes t(1, 5);
  t.code.instructions[4].what = Instruction::kClear;
  t.reads.add_slot(0, 0);
  t.reads.add_slot(0, 0);
  t.reads.note_variable(1, 1);
  t.reads.read_by_node(0, 2, 1, 0, 0);
  t.reads.read_by_node(1, 2, 1, 0, 1);
  t.reads.note_loop(1, /*test=*/1, /*clear=*/4);
  t.reads.apply(t.program, t.code);
  EXPECT(t.cleared(4) == (Slots{0, 1}));
  EXPECT(t.released(0).empty());
  EXPECT_EQ(t.program.nodes[0].last_use, uint64_t{2});  // the body is the last reader of the variable
}

TINYTF_TEST(lifetimes_of_variables_last_as_long_as_the_condition_reads_them) {
  Lifetimes t(1, 5);
  t.code.instructions[4].what = Instruction::kClear;
  t.reads.add_slot(0, 0);
  t.reads.note_variable(0, 1);
  t.reads.read_by_node(0, 0, 1, 0, 0);  // reads before the test: the value of the last iteration leaves the loop
  t.reads.note_loop(1, /*test=*/1, /*clear=*/4);
  t.reads.apply(t.program, t.code);
  EXPECT_EQ(t.program.nodes[0].last_use, uint64_t{0});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
