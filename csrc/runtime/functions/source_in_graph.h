#pragma once

#include <utility>

#include "graph/graph.h"
#include "graph/passes/called_nodes.h"
#include "op/function_runner.h"
#include "runtime/plan/compile.h"

namespace tinytf {

/// The source of the instances of a graph's function. Has no reference to a FunctionRuntime, whose kernels it must not
/// keep. Thread-safe.
class SourceInGraph final : public FunctionSource {
 public:
  SourceInGraph(RefPtr<Graph> graph, CompileOptions options, int threads, FuncRef function)
      : graph_(std::move(graph)), options_(options), threads_(threads), function_(std::move(function)) {}

  Result<RefPtr<FunctionInstance>> instantiate(const KernelServices& step) override;
  bool any_node(FunctionRef<bool(const NodeInfo&)> is) const override {
    return any_called_node(*graph_, function_, is);
  }
  RefPtr<FunctionSource> rewriting(const DatasetRewrites& rewrites) const override;
  Graph& graph() const { return *graph_; }
  const FuncRef& function() const { return function_; }

 private:
  const RefPtr<Graph> graph_;
  const CompileOptions options_;
  const int threads_;
  const FuncRef function_;
};

}  // namespace tinytf
