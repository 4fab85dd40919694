#include "runtime/observe/digest_recorder.h"

#include <limits>

#include "runtime/session/session.h"
#include "services/function_calls.h"
#include "tensor/digest.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;

Status run(GraphFixture& f, const RunSignature& signature, std::vector<Tensor> feeds, DigestRecorder& recorder) {
  auto session = make_ref<Session>(f.graph(), SessionOptions());
  const RefPtr<Plan> plan = session->plan(signature).take();
  RunSettings settings;
  settings.observer = &recorder;
  std::vector<Tensor> fetches;
  return session->run(*plan, feeds, fetches, settings);
}

TINYTF_TEST(digest_recorder_notes_what_each_node_yielded) {
  GraphFixture f;
  Node* x = f.placeholder("x", {2});
  const std::vector<DType> types{DType::kFloat};
  Node* a = f.add("PyFunc", "a", {{x, 0}}, {{"token", std::string("f")}, {"Tin", types}, {"Tout", types}});
  Node* b = f.add("Exp", "b", {{a, 0}});
  DigestRecorder recorder(/*keeps_readings=*/true, /*notes_inputs=*/false);
  EXPECT(!recorder.keeps_inputs());
  set_function_caller([](const FunctionCall&, std::vector<Tensor>& results) {
    results.push_back(floats({-1, -2}));
    return Status();
  });
  EXPECT_OK(run(f, {{{x, 0}}, {{b, 0}}, {}}, {floats({1, 2})}, recorder));
  set_function_caller([](const FunctionCall&, std::vector<Tensor>&) { return failed_precondition("nobody"); });
  const std::vector<NodeDigest> nodes = recorder.take();
  EXPECT_EQ(nodes.size(), size_t{2});
  EXPECT_EQ(nodes[0].node + nodes[1].node, "ab");
  const NodeDigest::Value& value = nodes[0].outputs.at(0);
  EXPECT_EQ(value.digest, digest(floats({-1, -2})));
  EXPECT(value.dtype == DType::kFloat && value.shape == Shape{2});
  EXPECT(value.range.least == -2 && value.range.greatest == -1);
  EXPECT_EQ(nodes[0].kept.size(), size_t{1});
  EXPECT_EQ(nodes[0].kept[0].data<float>()[1], -2.0f);  // kept, although the next node could have worked in place
  EXPECT(nodes[1].kept.empty() && nodes[0].inputs.empty());
  EXPECT(recorder.take().empty());
}

TINYTF_TEST(digest_recorder_notes_what_made_a_value_infinite) {
  GraphFixture f;
  Node* x = f.placeholder("x", {2});
  Node* a = f.add("Neg", "a", {{x, 0}});
  Node* b = f.add("Log", "b", {{a, 0}});
  DigestRecorder recorder(/*keeps_readings=*/false, /*notes_inputs=*/true);
  EXPECT(recorder.keeps_inputs());
  EXPECT_OK(run(f, {{{x, 0}}, {{b, 0}}, {}}, {floats({1, 0})}, recorder));
  const std::vector<NodeDigest> nodes = recorder.take();
  EXPECT(nodes.at(0).inputs.empty());
  EXPECT_EQ(nodes.at(1).inputs.size(), size_t{1});
  EXPECT_EQ(nodes.at(1).inputs[0].digest, nodes[0].outputs[0].digest);
  EXPECT_EQ(nodes.at(1).outputs[0].range.nans + nodes[1].outputs[0].range.infinities, int64_t{2});
}

TINYTF_TEST(digest_recorder_reads_references_and_keeps_records_of_failed_steps) {
  GraphFixture f;
  Node* v = f.variable("v", {2});
  Node* x = f.placeholder("x", {2});
  Node* assign = f.add("Assign", "assign", {{v, 0}, {x, 0}});
  Node* checked = f.add("CheckNumerics", "checked", {{assign, 0}}, {{"message", std::string("bad")}});
  DigestRecorder recorder(/*keeps_readings=*/false, /*notes_inputs=*/false);
  const Tensor fed = floats({1, std::numeric_limits<float>::quiet_NaN()});
  EXPECT(run(f, {{{x, 0}}, {{checked, 0}}, {}}, {fed}, recorder).code() == Code::kInvalidArgument);
  const std::vector<NodeDigest> nodes = recorder.take();
  EXPECT_EQ(nodes.size(), size_t{2});
  EXPECT_EQ(nodes[0].outputs.at(0).digest, uint64_t{0});  // uninitialized
  EXPECT_EQ(nodes[1].node, "assign");
  EXPECT_EQ(nodes[1].outputs.at(0).digest, digest(fed));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
