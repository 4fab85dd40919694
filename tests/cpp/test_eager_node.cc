#include "runtime/eager/eager_node.h"

#include "tests/cpp/eager_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::eager_kernel;
using testing::tensor;
using testing::values;

std::unique_ptr<EagerNode> negation(EagerNode::Input input, std::string name = "") {
  std::vector<EagerNode::Input> inputs;
  inputs.push_back(std::move(input));
  return std::make_unique<EagerNode>(make_ref<EagerContext>(make_ref<Allocator>(), EagerOptions()),
                                     eager_kernel("Neg", {DType::kFloat}).take(), std::move(inputs), std::move(name));
}

TINYTF_TEST(eager_node_sets_its_outputs) {
  const auto node = negation({tensor<float>({2}, {1, 2}), nullptr});
  const auto output = node->outputs()[0];
  EXPECT(!output->done());
  EXPECT_OK(node->run());
  EXPECT_OK(output->wait());
  EXPECT_EQ(values<float>(output->value()), (std::vector<float>{-1, -2}));
}

TINYTF_TEST(eager_node_takes_inputs_that_were_still_to_come) {
  const auto first = negation({tensor<float>({}, {3}), nullptr});
  const auto second = negation({Tensor(), first->outputs()[0]});
  EXPECT_OK(first->run());
  EXPECT_OK(second->run());
  EXPECT_EQ(values<float>(second->outputs()[0]->value())[0], 3.f);
}

TINYTF_TEST(eager_node_fails_with_its_input) {
  const auto first = negation({tensor<float>({}, {3}), nullptr});
  const auto second = negation({Tensor(), first->outputs()[0]});
  first->abandon(internal_error("lost"));
  EXPECT_EQ(second->run().message(), std::string("lost"));
  second->abandon(internal_error("lost"));
  EXPECT(second->outputs()[0]->wait().code() == Code::kInternal);
}

TINYTF_TEST(eager_node_is_wanted_while_somebody_has_an_output) {
  const auto node = negation({tensor<float>({}, {3}), nullptr});
  EXPECT(!node->wanted());
  node->outputs()[0]->want();
  EXPECT(node->wanted());
  node->outputs()[0]->unwant();
  EXPECT(!node->wanted());
}

TINYTF_TEST(eager_node_wants_its_inputs_until_it_has_run) {
  const auto first = negation({tensor<float>({}, {3}), nullptr});
  const auto second = negation({Tensor(), first->outputs()[0]});
  EXPECT(first->wanted());
  EXPECT_OK(first->run());
  EXPECT_OK(second->run());
  EXPECT(!first->outputs()[0]->wanted());
}

TINYTF_TEST(eager_errors_name_op_and_operation) {
  EXPECT_EQ(of_operation(internal_error("bad"), "Neg", "").message(), std::string("bad [Op:Neg]"));
  EXPECT_EQ(of_operation(internal_error("bad"), "Neg", "n").message(), std::string("bad [Op:Neg] name: n"));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
