#include "runtime/functions/function_runtime.h"

#include "runtime/functions/source_in_graph.h"
#include "runtime/functions/value_graph.h"

namespace tinytf {

namespace {

/// A function with a runtime, and so state, of its own. The runtime refers to no such object.
class OwnFunction final : public FunctionInstance {
 public:
  OwnFunction(RefPtr<FunctionRuntime> runtime, RefPtr<FunctionInstance> function)
      : FunctionInstance(function->argument_types(), function->result_types()),
        runtime_(std::move(runtime)),
        function_(std::move(function)) {}

  Status run(const KernelServices& step, std::vector<Tensor>& arguments, std::vector<Tensor>& results) override {
    return function_->run(step, arguments, results);
  }
  bool maps_rows(size_t row_arguments) const override { return function_->maps_rows(row_arguments); }
  RandomStates random_states() const override { return runtime_->kernels().random_states(); }
  void set_random_states(RandomStates states) override { runtime_->kernels().set_random_states(std::move(states)); }

 private:
  const RefPtr<FunctionRuntime> runtime_;
  const RefPtr<FunctionInstance> function_;
};

}  // namespace

Result<RefPtr<FunctionInstance>> SourceInGraph::instantiate(const KernelServices& step) {
  auto runtime = make_ref<FunctionRuntime>(graph_, options_, threads_);
  TINYTF_ASSIGN_OR_RETURN(RefPtr<FunctionInstance> own, runtime->instantiate(function_, step));
  return RefPtr<FunctionInstance>(make_ref<OwnFunction>(std::move(runtime), std::move(own)));
}

RefPtr<FunctionSource> SourceInGraph::rewriting(const DatasetRewrites& rewrites) const {
  CompileOptions options = options_;
  options.rewrites = options.rewrites.with(rewrites);
  return make_ref<SourceInGraph>(graph_, options, threads_, function_);
}

FunctionRuntime::FunctionRuntime(RefPtr<Graph> graph, CompileOptions options, int threads)
    : FunctionRunner(new_id(), options.rewrites), compiler_(std::move(graph), options), threads_(threads) {
  provide_value_graph_codec();
}

RefPtr<PlannedFunction> FunctionRuntime::find(const Key& key) const {
  std::lock_guard lock(mutex_);
  const auto found = instances_.find(key);
  return found == instances_.end() ? nullptr : found->second;
}

Result<RefPtr<PlannedFunction>> FunctionRuntime::planned(const FuncRef& function, const KernelServices& step,
                                                         FunctionOwner owner) {
  const Key key{function.name, function.attrs, owner.kernel, owner.branch};
  if (RefPtr<PlannedFunction> found = find(key)) return found;
  const std::shared_ptr<const CallPath> call = kernels_.path_of(function, owner);
  if (call == nullptr && owner.kernel != nullptr) return planned(function, step, FunctionOwner());
  const FoldingServices services{step.parallel, step.stop_check, step.step_id};
  TINYTF_ASSIGN_OR_RETURN(RefPtr<Plan> plan, compiler_.compile(function, call, kernels_, services));
  auto made = make_ref<PlannedFunction>(function.name, std::move(plan), threads_, *this);
  std::lock_guard lock(mutex_);
  return instances_.emplace(key, std::move(made)).first->second;
}

Result<RefPtr<FunctionInstance>> FunctionRuntime::instantiate(const FuncRef& function, const KernelServices& step,
                                                              FunctionOwner owner) {
  TINYTF_ASSIGN_OR_RETURN(RefPtr<PlannedFunction> found, planned(function, step, owner));
  return RefPtr<FunctionInstance>(std::move(found));
}

Result<RefPtr<FunctionSource>> FunctionRuntime::source(const FuncRef& function) {
  return RefPtr<FunctionSource>(make_ref<SourceInGraph>(compiler_.graph(), compiler_.options(), threads_, function));
}

void FunctionRuntime::clear() {
  decltype(instances_) instances;  // Destroyed after the lock is released.
  {
    std::lock_guard lock(mutex_);
    instances.swap(instances_);
  }
  for (const auto& [key, instance] : instances) instance->clear();
  kernels_.clear();
}

}  // namespace tinytf
