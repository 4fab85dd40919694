#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "op/background_work.h"
#include "op/dataset_rewrites.h"
#include "op/kernel.h"
#include "op/kernel_state.h"

namespace tinytf {

/// The kernel, and the index of its function, for which the state of a function's nodes is kept between calls. Without
/// a kernel, all calls of the function share this state.
struct FunctionOwner {
  const Kernel* kernel = nullptr;
  int branch = 0;
};

/// A function of a graph, compiled for calls. Thread-safe.
class FunctionInstance : public RefCounted {
 public:
  const std::vector<DType>& argument_types() const { return argument_types_; }
  const std::vector<DType>& result_types() const { return result_types_; }

  /// Runs the function on the calling thread with the services of the caller's step, as a part of that step and of the
  /// loops around the caller: an event that ends the step ends the function. `arguments` are moved from; on success
  /// `results` holds the function's results. InvalidArgument if the arguments do not match the signature,
  /// ResourceExhausted if calls nest too deeply, else the error of one of its nodes.
  virtual Status run(const KernelServices& step, std::vector<Tensor>& arguments, std::vector<Tensor>& results) = 0;

  /// Whether the function, called in a step that `stacks_rows` with the first `row_arguments` of its arguments stacked
  /// along a new first dimension and with scalars for the others, yields its results stacked in the same way, if those
  /// arguments have equal shapes. This is so for functions of element-wise ops and of kernels that map rows. A call
  /// with stacked arguments fails if it fails for one of the rows.
  virtual bool maps_rows(size_t /*row_arguments*/) const { return false; }

  /// The states of random generators of an instance with state of its own. Others have none to give.
  virtual RandomStates random_states() const { return {}; }
  virtual void set_random_states(RandomStates /*states*/) {}

  /// Gets the results, or none with the error. As BackgroundWork::Done, it may be called with any lock held.
  using Done = std::function<void(const Status&, std::vector<Tensor> results)>;
  /// Runs the function outside the caller's step, as a task of `work`, and calls `done` exactly once: with the results,
  /// an error of the function, Cancelled if `work` or the session ends, or ResourceExhausted if no thread can run it.
  /// It must be an instance with state of its own, or one of the host's session. The function occupies a thread of the
  /// pool until it ends, also while its asynchronous kernels wait.
  void run_async(BackgroundWork& work, BackgroundHost& host, std::vector<Tensor> arguments, Done done);

 protected:
  FunctionInstance(std::vector<DType> argument_types, std::vector<DType> result_types)
      : argument_types_(std::move(argument_types)), result_types_(std::move(result_types)) {}

 private:
  const std::vector<DType> argument_types_, result_types_;
};

/// A function of a graph, for a resource that outlives steps, such as an iterator. Keeps the graph. Thread-safe.
class FunctionSource : public RefCounted {
 public:
  /// Returns a new instance with state of its own, compiled with the services of the calling step. It may be run at any
  /// time, with any services, also after the session was closed. Fails with the error of compilation.
  virtual Result<RefPtr<FunctionInstance>> instantiate(const KernelServices& step) = 0;
  /// Whether `is` holds for a node of the function, or of a function that one of its nodes names.
  virtual bool any_node(FunctionRef<bool(const NodeInfo&)> is) const = 0;
  /// The source of instances in which datasets are rewritten, also those of functions that they call.
  virtual RefPtr<FunctionSource> rewriting(const DatasetRewrites& rewrites) const = 0;
};

/// Instantiates functions of the graph for kernels that call them. Lent by a step. Thread-safe.
class FunctionRunner {
 public:
  FunctionRunner() : FunctionRunner(new_id()) {}
  FunctionRunner(const FunctionRunner&) = delete;
  FunctionRunner& operator=(const FunctionRunner&) = delete;

  /// Returns the instance of a function whose state belongs to the runner: all calls with the same owner share the
  /// state of the function's nodes. It is compiled at the first request, with the services of the calling step. It may
  /// be run in steps of this runner only. NotFound if the graph has no such function, else the error of compilation.
  /// The kernel in `owner` belongs to the same session.
  virtual Result<RefPtr<FunctionInstance>> instantiate(const FuncRef& function, const KernelServices& step,
                                                       FunctionOwner owner = {}) = 0;
  /// Returns the source of a function's instances with state of their own. If the graph has no such function, this or
  /// FunctionSource::instantiate fails with NotFound.
  virtual Result<RefPtr<FunctionSource>> source(const FuncRef& function) = 0;

  /// Identifies the runner among all that ever existed in the process. Runners with the same id return the same
  /// instances to a kernel.
  uint64_t id() const { return id_; }
  static uint64_t new_id();
  /// What kernels in functions of this runner do with the datasets that they make.
  const DatasetRewrites& rewrites() const { return rewrites_; }

 protected:
  explicit FunctionRunner(uint64_t id, DatasetRewrites rewrites = {}) : id_(id), rewrites_(rewrites) {}
  ~FunctionRunner() = default;

 private:
  const uint64_t id_;
  const DatasetRewrites rewrites_;
};

}  // namespace tinytf
