#include "runtime/plan/bytecode.h"
#include "runtime/plan/plan_loops.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;

struct Variables : testing::ExecutorFixture {
  Node* x = placeholder("x", PartialShape::scalar());
  Node* v = add("VariableV2", "v", {}, {{"dtype", DType::kBool}, {"shape", PartialShape::scalar()}});

  /// x or -x, whose two parts use the predicates `one` and `other`.
  Node* choose(Endpoint one, Endpoint other) {
    Node* first = add_switch(*this, "first", {x, 0}, one);
    Node* second = add_switch(*this, "second", {x, 0}, other);
    return add_merge(*this, "y", {{add("Neg", "negative", {{first, 0}}), 0}, {second, 1}});
  }
  Result<RefPtr<Plan>> planned(Node* fetch) {
    Subgraph subgraph = prune({{x, 0}}, {{fetch, 0}}, {}).take();
    read_variables_once(subgraph);
    return testing::build_plan(subgraph, {{x, 0}});
  }
};

TINYTF_TEST(variable_reads_of_one_predicate_are_one) {
  Variables g;
  Node* one = g.add("Identity", "one", {{g.v, 0}});
  Node* other = g.add("Identity", "other", {{g.v, 0}});
  const RefPtr<Plan> plan = g.planned(g.choose({one, 0}, {other, 0})).take();
  EXPECT(plan->program().code != nullptr);
}

TINYTF_TEST(variable_reads_of_switches_themselves) {
  Variables g;
  Node* pivot = add_switch(g, "pivot", {g.v, 0}, {g.v, 0});
  Node* on = g.add("Identity", "on", {{pivot, 1}});
  Node* same = g.add("Identity", "same", {{g.v, 0}});
  Node* data = add_switch(g, "data", {g.x, 0}, {same, 0});
  Node* negative = g.add("Neg", "negative", {{data, 1}}, {}, {on});
  const RefPtr<Plan> plan = g.planned(add_merge(g, "y", {{data, 0}, {negative, 0}})).take();
  EXPECT(plan->program().code != nullptr);
}

TINYTF_TEST(variable_reads_after_other_nodes_stay_apart) {
  Variables g;
  Node* one = g.add("Identity", "one", {{g.v, 0}});
  Node* before = g.add("NoOp", "before");
  Node* other = g.add("Identity", "other", {{g.v, 0}}, {}, {before});
  const RefPtr<Plan> plan = g.planned(g.choose({one, 0}, {other, 0})).take();
  EXPECT_EQ(plan_way(plan->program()), std::string("mixed"));
  EXPECT_EQ(why_tokens(plan->program()), "{{node y}} merges values that are not the two branches of one predicate");
}

TINYTF_TEST(variable_reads_of_handles) {
  Variables g;
  Node* handle = g.add("VarHandleOp", "handle", {}, {{"dtype", DType::kBool}, {"shape", PartialShape::scalar()}});
  Node* one = g.add("ReadVariableOp", "one", {{handle, 0}}, {{"dtype", DType::kBool}});
  Node* other = g.add("ReadVariableOp", "other", {{handle, 0}}, {{"dtype", DType::kBool}});
  const RefPtr<Plan> plan = g.planned(g.choose({one, 0}, {other, 0})).take();
  EXPECT(plan->program().code != nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
