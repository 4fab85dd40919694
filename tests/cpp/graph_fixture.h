#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace testing {

/// A graph with shorthands to add nodes. Arguments of `add` and similar methods must be valid; `request` may fail.
class GraphFixture {
 public:
  Graph& operator*() { return *graph_; }
  Graph* operator->() { return graph_.get(); }
  const RefPtr<Graph>& graph() const { return graph_; }

  Result<Node*> request(std::string op, std::string name, std::vector<Endpoint> inputs = {},
                        std::vector<std::pair<std::string, AttrValue>> attrs = {}, std::vector<Node*> controls = {}) {
    NodeRequest wanted;
    wanted.op = std::move(op);
    wanted.name = std::move(name);
    wanted.inputs = std::move(inputs);
    for (auto& [attr, value] : attrs) wanted.attrs.set(attr, std::move(value));
    wanted.control_inputs = std::move(controls);
    return graph_->add_node(std::move(wanted));
  }
  Node* add(std::string op, std::string name, std::vector<Endpoint> inputs = {},
            std::vector<std::pair<std::string, AttrValue>> attrs = {}, std::vector<Node*> controls = {}) {
    auto node = request(std::move(op), std::move(name), std::move(inputs), std::move(attrs), std::move(controls));
    if (!node.ok()) std::fprintf(stderr, "%s\n", node.status().message().c_str());
    TINYTF_CHECK(node.ok());
    return node.value();
  }
  /// A node with one list input, whose attrs are inferred.
  Node* add_list(std::string op, std::string name, std::vector<Endpoint> inputs) {
    NodeRequest wanted;
    wanted.op = std::move(op);
    wanted.name = std::move(name);
    wanted.group_sizes = {static_cast<int>(inputs.size())};
    wanted.inputs = std::move(inputs);
    auto node = graph_->add_node(std::move(wanted));
    TINYTF_CHECK(node.ok());
    return node.value();
  }
  Node* constant(std::string name, Tensor value) {
    const DType dtype = value.dtype();
    return add("Const", std::move(name), {}, {{"value", std::move(value)}, {"dtype", dtype}});
  }
  Node* placeholder(std::string name, PartialShape shape = {}, DType dtype = DType::kFloat) {
    return add("Placeholder", std::move(name), {}, {{"dtype", dtype}, {"shape", std::move(shape)}});
  }
  Node* variable(std::string name, PartialShape shape) {
    return add("VariableV2", std::move(name), {}, {{"dtype", DType::kFloat}, {"shape", std::move(shape)}});
  }

 private:
  RefPtr<Graph> graph_ = make_ref<Graph>();
};

inline Tensor ints(const std::vector<int32_t>& entries) {
  return tensor<int32_t>({static_cast<int64_t>(entries.size())}, entries);
}
inline Tensor floats(const std::vector<float>& entries) {
  return tensor<float>({static_cast<int64_t>(entries.size())}, entries);
}

}  // namespace testing
}  // namespace tinytf
