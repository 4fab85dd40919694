#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "graph/graph.h"
#include "graph/passes/subgraph.h"
#include "op/dataset_rewrites.h"
#include "runtime/plan/folded_cache.h"
#include "runtime/plan/kernel_store.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/signature.h"

namespace tinytf {

/// Which passes run.
struct CompileOptions {
  bool fold_constants = true;
  bool eliminate_common_subexpressions = true;  ///< Also drops unread nodes, as folding does.
  /// Also branches. Else the dataflow machine runs them, as TensorFlow does.
  bool compile_loops = true;
  size_t max_folded_bytes = size_t{10} << 20;
  bool runs_function = false;  ///< Feeds are arguments of a function, which errors call by their names.
  DatasetRewrites rewrites;    ///< Of the datasets that functions make.
};

/// Services for evaluating constants; see ConstantFolding::compute. They must outlive the compilation.
struct FoldingServices {
  Parallel* parallel = nullptr;
  LoopStopCheck* stop_check = nullptr;
  int64_t step_id = 0;
};

/// Compiles parts of a graph, and its functions, to plans: the only sequence of passes. Thread-safe.
class Compiler {
 public:
  /// Places the nodes that a plan needs. Called under the graph's lock.
  using Place = std::function<Status(const Subgraph&)>;

  Compiler(RefPtr<Graph> graph, CompileOptions options) : graph_(std::move(graph)), options_(options) {}

  /// Compiles a part of the graph. The kernels are those of `kernels`.
  Result<RefPtr<Plan>> compile(const RunSignature& signature, const Place& place, KernelStore& kernels,
                               const FoldingServices& services);
  /// Compiles a function of the graph. `call`: the path of the call that owns the state of the function's nodes; null
  /// if all calls share it. NotFound if the graph has no such function.
  Result<RefPtr<Plan>> compile(const FuncRef& function, const std::shared_ptr<const CallPath>& call,
                               KernelStore& kernels, const FoldingServices& services);

  const RefPtr<Graph>& graph() const { return graph_; }
  const CompileOptions& options() const { return options_; }

 private:
  struct Part;
  /// Runs the passes that need no values, evaluates constants without the locks of the part, and compiles the result.
  Result<RefPtr<Plan>> compile(Part& part, KernelStore& kernels, const FoldingServices& services);
  /// Removes branches that cannot be taken, and inlines functions. The caller holds the locks. Fails as
  /// inline_functions does.
  Status expand(Subgraph& subgraph);
  /// Evaluates constants. The locks of the part are held before and after.
  Status fold(Part& part, const FoldingServices& services);
  /// Runs the passes after folding and builds the program. The caller holds the locks.
  Result<Program> build(Part& part, KernelStore& kernels);

  const RefPtr<Graph> graph_;
  const CompileOptions options_;
  FoldedCache folded_;
};

}  // namespace tinytf
