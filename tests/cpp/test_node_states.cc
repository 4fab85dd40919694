#include "runtime/observe/node_states.h"

#include "runtime/session/session.h"
#include "tensor/digest.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;
using testing::values;

/// A session and its plan, for a graph with a variable of each kind and random numbers.
struct Recorded : GraphFixture {
  Recorded() {
    Node* ref = variable("ref", {2});
    Node* handle = add("VarHandleOp", "handle", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}});
    Node* shape = constant("shape", testing::ints({100}));
    Node* ten = constant("ten", floats({10, 20}));
    Node* draw = add("RandomUniform", "draw", {{shape, 0}}, {{"dtype", DType::kFloat}});  // seeded by the system
    Node* adding = add("AssignAddVariableOp", "adding", {{handle, 0}, {ten, 0}}, {{"dtype", DType::kFloat}});
    Node* counting = add("AssignAdd", "counting", {{ref, 0}, {ten, 0}});
    session = make_ref<Session>(graph(), SessionOptions());
    plan = session->plan({{}, {{draw, 0}}, {adding, counting}}).take();
  }
  ~Recorded() { EXPECT_OK(session->close()); }
  const Program& program() const { return plan->program(); }
  std::vector<float> run() {
    std::vector<Tensor> feeds, fetches;
    EXPECT_OK(session->run(*plan, feeds, fetches));
    return fetches.empty() ? std::vector<float>() : values<float>(fetches[0]);
  }
  Status set(const std::string& node, const Tensor& value) {
    return set_variable(program(), node, session->resources(), session->allocator(), value);
  }
  /// The value of the variable; an invalid tensor if it is uninitialized.
  Tensor value_of(const std::string& node) {
    Tensor value;
    int found = 0;
    for (NodeVariable& variable : variables(program(), session->resources()).take()) {
      if (variable.node != node) continue;
      ++found;
      EXPECT(variable.dtype == DType::kFloat);
      value = std::move(variable.value);
    }
    EXPECT_EQ(found, 1);
    return value;
  }
  void set_both() {
    for (const char* node : {"ref", "handle"}) EXPECT_OK(set(node, floats({1, 2})));
  }

  RefPtr<Session> session;
  RefPtr<Plan> plan;
};

TINYTF_TEST(node_states_of_random_numbers_repeat_a_step) {
  Recorded r;
  r.set_both();
  const auto states = random_states(r.program());
  EXPECT_EQ(states.size(), size_t{1});
  EXPECT_EQ(states[0].first, "draw");
  const std::vector<float> drawn = r.run();
  EXPECT(r.run() != drawn);
  EXPECT_OK(set_random_state(r.program(), "draw", states[0].second));
  EXPECT(r.run() == drawn);
}

TINYTF_TEST(node_states_of_variables_are_put_back) {
  Recorded r;
  for (const char* node : {"ref", "handle"}) EXPECT(!r.value_of(node).valid());
  r.set_both();
  r.run();
  for (const char* node : {"ref", "handle"}) EXPECT(values<float>(r.value_of(node)) == (std::vector<float>{11, 22}));
  r.set_both();
  r.run();
  for (const char* node : {"ref", "handle"}) EXPECT(values<float>(r.value_of(node)) == (std::vector<float>{11, 22}));
}

TINYTF_TEST(node_states_take_copies) {
  Recorded r;
  const Tensor given = floats({1, 2});
  for (const char* node : {"ref", "handle"}) EXPECT_OK(r.set(node, given));
  r.run();
  EXPECT(values<float>(given) == (std::vector<float>{1, 2}));
}

TINYTF_TEST(node_states_digest_variables) {
  Recorded r;
  for (const auto& [node, found] : variable_digests(r.program(), r.session->resources()).take()) {
    EXPECT_EQ(found, uint64_t{0});
  }
  r.set_both();
  const auto digests = variable_digests(r.program(), r.session->resources()).take();
  EXPECT_EQ(digests.size(), size_t{2});
  for (const auto& [node, found] : digests) EXPECT_EQ(found, digest(floats({1, 2})));
}

TINYTF_TEST(node_states_refuse_what_is_not_there) {
  Recorded r;
  const Status no_numbers = set_random_state(r.program(), "ref", {});
  EXPECT_EQ(no_numbers.code(), Code::kNotFound);
  EXPECT_EQ(no_numbers.message(), "No node 'ref' with random numbers in this call");
  const Status no_variable = r.set("draw", floats({1, 2}));
  EXPECT_EQ(no_variable.code(), Code::kNotFound);
  EXPECT_EQ(no_variable.message(), "No variable 'draw' in this call");
  EXPECT_EQ(variable_dtype(r.program(), "draw").status().code(), Code::kNotFound);
  EXPECT(variable_dtype(r.program(), "ref").value() == DType::kFloat);
}

TINYTF_TEST(node_states_refuse_values_of_another_type) {
  Recorded r;
  r.set_both();
  for (const char* node : {"ref", "handle"}) {
    const Status status = r.set(node, testing::ints({1, 2}));
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_EQ(status.message(), str_cat("Variable '", node, "' is float, not int32"));
    EXPECT(values<float>(r.value_of(node)) == (std::vector<float>{1, 2}));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
