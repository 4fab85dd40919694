#include "runtime/plan/bytecode_limits.h"

#include "tests/cpp/control.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_switch;
using testing::Control;
using testing::CountingLoop;
using testing::GraphFixture;
using testing::scalar;

struct Limits : GraphFixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* v = variable("v", {1});
  Node* start = placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* one = constant("one", scalar(1));
};

TINYTF_TEST(bytecode_is_possible_for_branches_and_loops) {
  Limits f;
  const CountingLoop loop(f, "l", {f.start, 0}, {f.start, 0}, {f.one, 0});
  Node* value = f.add("Identity", "value", {{f.v, 0}});
  Node* branch = add_switch(f, "branch", {value, 0}, {f.p, 0});
  EXPECT_EQ(why_no_bytecode(Control({{loop.exit, 0}, {branch, 0}, {f.v, 0}}).structure), "");
}

TINYTF_TEST(bytecode_is_impossible_if_control_flow_reads_variables) {
  Limits f;
  Node* branch = add_switch(f, "branch", {f.v, 0}, {f.p, 0});
  EXPECT_EQ(why_no_bytecode(Control({{branch, 0}}).structure),
            "{{node branch}} takes a reference to a variable where a value is needed");
}

TINYTF_TEST(bytecode_is_impossible_for_values_that_only_the_first_iteration_gets) {
  Limits f;
  const CountingLoop loop(f, "l", {f.start, 0}, {f.start, 0}, {f.one, 0});
  Node* reads = f.add("Neg", "reads", {{loop.enter, 0}}, {}, {loop.body});
  f->add_control_input(loop.next, reads);
  EXPECT_EQ(why_no_bytecode(Control({{loop.exit, 0}}).structure),
            "{{node reads}} reads a value that enters a loop without being a variable of the loop");
}

TINYTF_TEST(bytecode_is_impossible_for_fetches_out_of_loops) {
  Limits f;
  const CountingLoop loop(f, "l", {f.start, 0}, {f.start, 0}, {f.one, 0});
  EXPECT_EQ(why_no_bytecode(Control({{loop.exit, 0}, {loop.body, 0}}).structure),
            "{{node l/body}} is fetched from inside a loop, or is a fetched reference that depends on a branch");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
