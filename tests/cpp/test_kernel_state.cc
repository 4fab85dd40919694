#include "op/kernel_state.h"

#include "runtime/session/session.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;
using testing::values;

/// A session and its plan for some fetches and targets.
struct Planned {
  RefPtr<Session> session;
  RefPtr<Plan> plan;

  Planned(GraphFixture& f, RunSignature signature) : session(make_ref<Session>(f.graph(), SessionOptions())) {
    plan = session->plan(signature).take();
  }
  std::vector<Tensor> run() {
    std::vector<Tensor> feeds, fetches;
    EXPECT_OK(session->run(*plan, feeds, fetches));
    return fetches;
  }
  /// The first `Holder` kernel of the plan.
  template <class Holder>
  Holder& holder() {
    for (const PlanNode& node : plan->program().nodes) {
      if (auto* found = dynamic_cast<Holder*>(node.kernel)) return *found;
    }
    TINYTF_CHECK(false);
    std::abort();
  }
};

TINYTF_TEST(kernel_state_of_random_numbers_repeats_them) {
  GraphFixture f;
  Node* shape = f.constant("shape", testing::ints({100}));
  Node* x = f.add("RandomUniform", "x", {{shape, 0}}, {{"dtype", DType::kFloat}});  // seeded by the system
  Planned first(f, {{}, {{x, 0}}, {}});
  first.run();
  const RandomStateHolder::State state = first.holder<RandomStateHolder>().random_state();
  const std::vector<float> drawn = values<float>(first.run()[0]);
  EXPECT(first.holder<RandomStateHolder>().random_state() != state);
  EXPECT(values<float>(first.run()[0]) != drawn);
  Planned second(f, {{}, {{x, 0}}, {}});
  second.holder<RandomStateHolder>().set_random_state(state);
  EXPECT(values<float>(second.run()[0]) == drawn);
}

void expect_a_value_that_can_be_set(Planned& planned) {
  auto& variable = planned.holder<VariableHolder>();
  ResourceManager& resources = planned.session->resources();
  EXPECT(variable.variable_dtype() == DType::kFloat);
  const Result<Tensor> none = variable.variable_value(resources);
  EXPECT(none.ok() && !none.value().valid());
  EXPECT_OK(variable.set_variable_value(resources, floats({1, 2})));
  const Tensor before = variable.variable_value(resources).take();
  EXPECT(values<float>(before) == (std::vector<float>{1, 2}));
  planned.run();
  EXPECT(values<float>(before) == (std::vector<float>{1, 2}));  // no step writes to it
  EXPECT(values<float>(variable.variable_value(resources).take()) == (std::vector<float>{11, 22}));
}

TINYTF_TEST(kernel_state_of_a_reference_variable) {
  GraphFixture f;
  Node* v = f.variable("v", {2});
  Node* add = f.add("AssignAdd", "add", {{v, 0}, {f.constant("ten", floats({10, 20})), 0}});
  Planned planned(f, {{}, {}, {add}});
  expect_a_value_that_can_be_set(planned);
}

TINYTF_TEST(kernel_state_of_a_resource_variable) {
  GraphFixture f;
  Node* v = f.add("VarHandleOp", "v", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}});
  Node* ten = f.constant("ten", floats({10, 20}));
  Node* add = f.add("AssignAddVariableOp", "add", {{v, 0}, {ten, 0}}, {{"dtype", DType::kFloat}});
  Planned planned(f, {{}, {}, {add}});
  expect_a_value_that_can_be_set(planned);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
