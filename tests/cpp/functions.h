#pragma once

// Graph functions for tests.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/function_body.h"
#include "graph/function_def_of.h"
#include "tests/cpp/graph_fixture.h"

namespace tinytf {
namespace testing {

using Functions = std::vector<std::pair<std::string, std::shared_ptr<const FunctionBody>>>;

inline std::shared_ptr<const FunctionBody> body_of(const GraphFixture& g, std::vector<Endpoint> arguments,
                                                   std::vector<Endpoint> results, std::vector<Node*> targets = {}) {
  return std::make_shared<const FunctionBody>(
      FunctionBody{g.graph(), std::move(arguments), std::move(results), std::move(targets)});
}

/// A node that calls a function of floats.
inline Node* call(GraphFixture& g, std::string name, std::string function, const std::vector<Endpoint>& arguments,
                  size_t results = 1, std::vector<Node*> controls = {}, bool is_stateful = false) {
  return g.add(is_stateful ? "StatefulPartitionedCall" : "PartitionedCall", std::move(name), arguments,
               {{"Tin", std::vector<DType>(arguments.size(), DType::kFloat)},
                {"Tout", std::vector<DType>(results, DType::kFloat)},
                {"f", FuncRef{std::move(function), {}}}},
               std::move(controls));
}

/// x → x + x.
inline std::shared_ptr<const FunctionBody> doubling() {
  GraphFixture g;
  Node* x = g.placeholder("x");
  return body_of(g, {{x, 0}}, {{g.add("Add", "sum", {{x, 0}, {x, 0}}), 0}});
}

/// The FunctionDef of f: (x, y) → ((top 2 of x).indices, y), with a check of x as a target. Its graph has a node that
/// does not belong to it.
inline std::string definition() {
  GraphFixture g;
  Node* x = g.placeholder("X/in");
  Node* y = g.placeholder("y");
  Node* k = g.constant("k", Tensor::scalar<int32_t>(2));
  Node* checked = g.add("CheckNumerics", "checked", {{x, 0}}, {{"message", std::string("bad")}});
  Node* top = g.add("TopKV2", "y/top", {{x, 0}, {k, 0}}, {}, {checked, y});
  g.add("Add", "elsewhere", {{x, 0}, {y, 0}});
  return function_def_of("f", *body_of(g, {{x, 0}, {y, 0}}, {{top, 1}, {y, 0}}, {checked})).take();
}

/// Adds a function with this name that calls nested functions to a depth of `depth`; it adds x to itself 2^depth times.
inline void add_doublings(GraphFixture& g, const std::string& name, int depth) {
  std::shared_ptr<const FunctionBody> body = doubling();
  for (int level = 0; level < depth; ++level) {
    const std::string inner = str_cat(name, "_", level);
    TINYTF_CHECK(g->add_function(inner, body).ok());
    GraphFixture f;
    Node* a = f.placeholder("a");
    Node* once = call(f, "once", inner, {{a, 0}});
    body = body_of(f, {{a, 0}}, {{call(f, "twice", inner, {{once, 0}}), 0}});
  }
  TINYTF_CHECK(g->add_function(name, body).ok());
}

}  // namespace testing
}  // namespace tinytf
