#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "op/function_runner.h"
#include "runtime/functions/planned_function.h"
#include "runtime/plan/compile.h"

namespace tinytf {

/// Compiles and runs the functions of one graph, and owns the state of their nodes. A session has one, whose compiler
/// and kernels its own plans use too; eager execution has one; and so has each function with state of its own, which
/// may outlive both. Thread-safe.
class FunctionRuntime final : public RefCounted, public FunctionRunner {
 public:
  /// `threads`: the number of threads of one kernel in functions.
  FunctionRuntime(RefPtr<Graph> graph, CompileOptions options, int threads);

  Result<RefPtr<FunctionInstance>> instantiate(const FuncRef& function, const KernelServices& step,
                                               FunctionOwner owner = {}) override;
  Result<RefPtr<FunctionSource>> source(const FuncRef& function) override;
  /// Frees kernels and instances. No step may be running. Instances that others still hold fail from then on.
  void clear();

  Compiler& compiler() { return compiler_; }
  KernelStore& kernels() { return kernels_; }
  int threads() const { return threads_; }

 private:
  using Attrs = std::vector<std::pair<std::string, std::string>>;
  using Key = std::tuple<std::string, Attrs, const Kernel*, int>;
  ~FunctionRuntime() override { clear(); }
  RefPtr<PlannedFunction> find(const Key& key) const;
  Result<RefPtr<PlannedFunction>> planned(const FuncRef& function, const KernelServices& step, FunctionOwner owner);

  Compiler compiler_;
  KernelStore kernels_;
  const int threads_;
  mutable std::mutex mutex_;  // Held briefly, and never together with another lock.
  std::map<Key, RefPtr<PlannedFunction>> instances_;
};

}  // namespace tinytf
