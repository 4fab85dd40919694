#pragma once

// Small graphs, multi-threaded sessions and single steps for the stress tests.

#include <string>
#include <utility>
#include <vector>

#include "runtime/session/session.h"
#include "tests/cpp/plans.h"

namespace tinytf {
namespace testing {

/// Adds a node, which must be valid. `group_sizes` as in NodeRequest, for ops with list inputs.
inline Node* add(Graph& graph, const std::string& op, const std::string& name, std::vector<Endpoint> inputs,
                 std::vector<AttrMap::Item> attrs = {}, std::vector<int> group_sizes = {}) {
  NodeRequest request;
  request.op = op;
  request.name = name;
  request.inputs = std::move(inputs);
  for (AttrMap::Item& attr : attrs) request.attrs.set(attr.first, std::move(attr.second));
  request.group_sizes = std::move(group_sizes);
  Result<Node*> node = graph.add_node(std::move(request));
  if (!node.ok()) std::fprintf(stderr, "%s\n", node.status().to_string().c_str());
  TINYTF_CHECK(node.ok());
  return node.value();
}

inline Endpoint placeholder(Graph& graph, const std::string& name, DType dtype = DType::kFloat) {
  return {add(graph, "Placeholder", name, {}, {{"dtype", dtype}}), 0};
}

inline Tensor filled(const Shape& shape, float value, Allocator& allocator = Allocator::process()) {
  Tensor tensor = Tensor::allocate(allocator, DType::kFloat, shape).take();
  std::fill_n(tensor.data<float>(), tensor.num_elements(), value);
  return tensor;
}

inline Endpoint constant(Graph& graph, const std::string& name, Tensor value) {
  const DType dtype = value.dtype();
  return {add(graph, "Const", name, {}, {{"dtype", dtype}, {"value", std::move(value)}}), 0};
}

/// Whether the float tensor is not empty and all elements are `value`.
inline bool all_are(const Tensor& tensor, float value) {
  const float* data = tensor.data<float>();
  return tensor.num_elements() > 0 &&
         std::all_of(data, data + tensor.num_elements(), [value](float element) { return element == value; });
}

/// A session whose steps may use threads on any machine.
inline RefPtr<Session> threaded_session(RefPtr<Graph> graph) {
  SessionOptions options;
  options.intra_op_threads = 4;
  return make_ref<Session>(std::move(graph), options);
}

/// Makes every step of the plan run on several threads: each node counts as expensive, and measuring ends.
inline void force_threads(Plan& plan) {
  pretend_measured(plan, 1'000'000);
  plan.profile().use_threads = true;
}

/// Builds the plan if it is not cached and runs one step.
inline Result<std::vector<Tensor>> run(Session& session, const RunSignature& signature, std::vector<Tensor> feeds) {
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<Plan> plan, session.plan(signature));
  std::vector<Tensor> fetches;
  TINYTF_RETURN_IF_ERROR(session.run(*plan, feeds, fetches));
  return fetches;
}

}  // namespace testing
}  // namespace tinytf
