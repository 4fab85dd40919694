#include "runtime/plan/compile.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/function_body.h"
#include "graph/passes/find_guards.h"
#include "graph/passes/fold.h"
#include "graph/passes/inliner.h"
#include "graph/passes/unknown_ops.h"
#include "graph/shape_claims.h"
#include "graph/unknown_op.h"
#include "runtime/plan/build_parts.h"
#include "runtime/plan/constant_inputs.h"

namespace tinytf {

/// The part of a graph, or of a function's graph, that a plan is made of.
struct Compiler::Part {
  Part(Graph& outer, Graph& owner, RunSignature wanted, bool is_body)
      : graph(owner),
        signature(std::move(wanted)),
        is_function(is_body),
        outer_lock(outer.lock()),
        owner_lock(owner.lock()) {}

  void lock() {
    outer_lock.lock();
    owner_lock.lock();
  }
  void unlock() {
    owner_lock.unlock();
    outer_lock.unlock();
  }

  Graph& graph;  ///< Owns the nodes.
  const RunSignature signature;
  const bool is_function;
  std::unique_lock<std::recursive_mutex> outer_lock, owner_lock;
  Subgraph subgraph;
  std::unordered_map<const Node*, FoldedValues> folded_values;
};

Result<RefPtr<Plan>> Compiler::compile(const RunSignature& signature, const Place& place, KernelStore& kernels,
                                       const FoldingServices& services) {
  Part part(*graph_, *graph_, signature, false);
  TINYTF_ASSIGN_OR_RETURN(part.subgraph, prune(signature.feeds, signature.fetches, signature.targets));
  TINYTF_RETURN_IF_ERROR(place(part.subgraph));
  return compile(part, kernels, services);
}

Result<RefPtr<Plan>> Compiler::compile(const FuncRef& function, const std::shared_ptr<const CallPath>& call,
                                       KernelStore& kernels, const FoldingServices& services) {
  TINYTF_ASSIGN_OR_RETURN(const auto body, graph_->function(function));
  RunSignature signature;
  signature.feeds = body->arguments;
  signature.fetches = body->results;
  signature.targets = body->targets;
  Part part(*graph_, *body->graph, std::move(signature), true);
  TINYTF_ASSIGN_OR_RETURN(part.subgraph, prune(part.signature.feeds, part.signature.fetches, part.signature.targets));
  if (!is_never_inlined(*graph_, function)) {
    for (SubgraphNode& node : part.subgraph.nodes) node.call = call;
  }
  return compile(part, kernels, services);
}

Result<RefPtr<Plan>> Compiler::compile(Part& part, KernelStore& kernels, const FoldingServices& services) {
  TINYTF_RETURN_IF_ERROR(expand(part.subgraph));
  TINYTF_RETURN_IF_ERROR(check_ops_known(part.subgraph));
  if (options_.fold_constants) TINYTF_RETURN_IF_ERROR(fold(part, services));
  TINYTF_ASSIGN_OR_RETURN(Program program, build(part, kernels));
  for (auto& [node, values] : part.folded_values) program.folded_values.push_back(std::move(values));
  return make_ref<Plan>(std::move(program));
}

Status Compiler::expand(Subgraph& subgraph) {
  const bool cuts_branches = options_.compile_loops && options_.fold_constants;
  if (cuts_branches) cut_known_branches(subgraph);
  TINYTF_RETURN_IF_ERROR(inline_functions(subgraph, *graph_, cuts_branches));
  if (options_.compile_loops) read_variables_once(subgraph);
  return Status();
}

Status Compiler::fold(Part& part, const FoldingServices& services) {
  constexpr std::chrono::seconds kBudget{10};  // Constants that are not reached in time are computed by steps.
  TINYTF_ASSIGN_OR_RETURN(std::vector<bool> knows_shapes, find_unconditional(part.subgraph));
  if (part.signature.is_partial) knows_shapes.clear();
  ConstantFolding folding(part.subgraph, options_.max_folded_bytes, knows_shapes);
  const int64_t version = part.graph.constants_version();
  folding.know(folded_.find(part.graph, version, folding.wanted()));
  part.unlock();
  TINYTF_RETURN_IF_ERROR(folding.compute(services.parallel, services.stop_check, kBudget, services.step_id));
  part.folded_values = folding.kept();
  folded_.add(part.graph, version, part.folded_values);
  part.lock();
  return Status();
}

Result<Program> Compiler::build(Part& part, KernelStore& kernels) {
  Subgraph& subgraph = part.subgraph;
  const RunSignature& signature = part.signature;
  if (options_.compile_loops && options_.fold_constants) cut_known_branches(subgraph);  // With folded predicates.
  const auto count = [&subgraph](auto&& which) {
    return static_cast<int>(std::count_if(subgraph.nodes.begin(), subgraph.nodes.end(), which));
  };
  const auto is_folded = [](const SubgraphNode& node) {
    return !node.removed && node.values.has_value() && node.feeds.empty() && !node.info->op->has(Trait::kConstant);
  };
  const auto is_removed = [](const SubgraphNode& node) { return node.removed; };
  const int folded = count(is_folded);
  int merged = 0;
  if (options_.eliminate_common_subexpressions) {
    merged = -count(is_removed);
    eliminate_common_subexpressions(subgraph);
    merged += count(is_removed);
  }
  if (options_.eliminate_common_subexpressions || options_.fold_constants) drop_unread(subgraph);
  run_updates_early(subgraph);
  name_checked_inputs(subgraph, signature.feeds, options_.runs_function);
  if (part.is_function) skip_identities(subgraph);
  const auto kernel = [&](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
    if (is_unknown_op(*node.info->op)) return failing_kernel(unknown_ops_error(subgraph));
    auto kernel = kernels.kernel_for(node);
    if (!kernel.ok() || node.described() == nullptr || node.info->op->has(Trait::kRandom)) return kernel;
    std::vector<PartialShape> claims = claims_to_check(*node.origin);
    return claims.empty() ? std::move(kernel) : claim_checking_kernel(kernel.take(), std::move(claims));
  };
  TINYTF_ASSIGN_OR_RETURN(
      Program program, build_program(subgraph, signature.feeds, kernel, signature.is_partial, options_.compile_loops));
  note_constant_inputs(program);
  for (Endpoint e : signature.fetches) program.fetch_types.push_back(e.node->info->outputs[e.index].dtype);
  program.folded = folded;
  program.merged = merged;
  return program;
}

}  // namespace tinytf
