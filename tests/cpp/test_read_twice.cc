#include "runtime/plan/read_twice.h"

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::ExecutorFixture;
using testing::floats;

const PlanNode& node_of(const Plan& plan, const std::string& name) {
  for (const PlanNode& node : plan.program().nodes) {
    if (node.info->name == name) return node;
  }
  throw std::runtime_error("no such node");
}

TINYTF_TEST(an_element_wise_node_may_overwrite_a_value_that_it_reads_twice) {
  ExecutorFixture f;
  Node* x = f.placeholder("x", {3});
  Node* y = f.add("Neg", "y", {{x, 0}});
  Node* square = f.add("Mul", "square", {{y, 0}, {y, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{square, 0}});
  EXPECT(overwrites_operands(node_of(*plan, "square")));
  EXPECT_EQ(node_of(*plan, "square").last_use, uint64_t{1});
  EXPECT_OK(f.run(*plan, {floats({1, 2, 3})}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(f.fetches[0].data<float>()[i], static_cast<float>((i + 1) * (i + 1)));
}

TINYTF_TEST(a_value_that_is_read_later_is_not_overwritten) {
  ExecutorFixture f;
  Node* x = f.placeholder("x", {3});
  Node* y = f.add("Neg", "y", {{x, 0}});
  Node* square = f.add("Mul", "square", {{y, 0}, {y, 0}});
  Node* sum = f.add("Sub", "sum", {{square, 0}, {y, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{sum, 0}});
  EXPECT_EQ(node_of(*plan, "square").last_use, uint64_t{0});
  EXPECT_OK(f.run(*plan, {floats({1, 2, 3})}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(f.fetches[0].data<float>()[i], static_cast<float>((i + 1) * (i + 2)));
}

TINYTF_TEST(other_nodes_do_not_overwrite_a_value_that_they_read_twice) {
  ExecutorFixture f;
  Node* x = f.placeholder("x", {2, 2});
  Node* y = f.add("Neg", "y", {{x, 0}});
  Node* product = f.add("MatMul", "product", {{y, 0}, {y, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{product, 0}});
  EXPECT(!overwrites_operands(node_of(*plan, "product")));
  EXPECT_EQ(node_of(*plan, "product").last_use, uint64_t{0});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
