#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/weak_link.h"
#include "graph/graph.h"
#include "graph/placement.h"
#include "handles/session_core.h"
#include "op/background_work.h"
#include "runtime/functions/function_runtime.h"
#include "runtime/plan/compile.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/signature.h"
#include "runtime/step/stop_check.h"
#include "services/fork_renewal.h"
#include "services/resource_manager.h"
#include "services/thread_pool.h"

namespace tinytf {

class Step;

Status session_closed_error();

struct SessionOptions : CompileOptions {
  int intra_op_threads = 0;  ///< Threads of one kernel; 0: all of the process's pool.
  int inter_op_threads = 0;  ///< Threads of one step on the process's pool; 0: all; < 0: only the caller's.
  /// The pools whose threads run nodes of a step beside the calling thread; RunSettings chooses one. Empty: the
  /// process's pool.
  std::vector<std::shared_ptr<ThreadPool>> inter_op_pools;
  int64_t timeout_ms = 0;  ///< Time limit of steps that have none of their own; <= 0: none.
  PlacementOptions placement;
  std::shared_ptr<ResourceManager> resources;  ///< Shared with other sessions; null: the session's own.
  bool place_pruned_graph = false;             ///< Place the nodes that a run needs, not the whole graph.
  /// For a server: errors of cancelled and timed-out steps have the wording of TensorFlow's server.
  bool is_served = false;
};

/// Settings of one step. All pointees must outlive the step.
struct RunSettings {
  int64_t timeout_ms = 0;                ///< <= 0: the session's.
  int inter_op_pool = 0;                 ///< Index in SessionOptions::inter_op_pools; -1: none.
  NodeObserver* observer = nullptr;      ///< Is called after every node; may be null.
  Cancellation* cancellation = nullptr;  ///< Another owner's cancellation, which ends this step too; may be null.
  Interrupt* interrupt = nullptr;        ///< Polled on the calling thread; may be null.
  Allocator* allocator = nullptr;        ///< For the step's values; null: the session's.
  ResourceManager* resources = nullptr;  ///< For resources that ops look up by name; null: the session's.
};

/// Runs parts of a graph and keeps their state: variables, kernels of stateful ops, memory. Any number of threads may
/// call `plan` and `run`; `close` cancels running steps and waits for them. Its core owns the memory, counts the
/// threads inside, and performs the close; it has no handles.
class Session : public RefCounted {
 public:
  Session(RefPtr<Graph> graph, SessionOptions options);

  /// The plan of a signature; compiled at first use. Plans stay valid when the graph grows. Constant folding is subject
  /// to the time limit, cancellation and interrupt in `settings`, like a step. The session caches the most recently
  /// used plans; other plans live as long as callers refer to them.
  Result<RefPtr<Plan>> plan(const RunSignature& signature, const RunSettings& settings = {});

  /// Places nodes that were added to the graph, as `plan` does too. InvalidArgument if one of them cannot be placed; no
  /// plan can be made then, even if it does not need that node. Cheap if no nodes were added; no-op with
  /// SessionOptions::place_pruned_graph.
  Status extend();
  /// The placement of the nodes. Callers must hold the graph's lock.
  Placement& placement() { return placement_; }

  /// Runs one step. `feeds` have the order and dtypes of the signature, and are moved from.
  Status run(Plan& plan, std::vector<Tensor>& feeds, std::vector<Tensor>& fetches, const RunSettings& settings = {});

  /// Frees the session's resources; values that were handed out stay valid. Idempotent: the `reason` of the first call
  /// is the error of all later requests. On a thread that is inside a step of this session, or inside this method (in a
  /// signal handler), it only initiates the close, which completes when the step or the outer call ends. `interrupted`
  /// (polled while waiting; null: never) may stop the waiting: the result is Cancelled, no new steps can begin, and
  /// close has to be called again. A `reason` that is OK stands for session_closed_error().
  Status close(const std::function<bool()>& interrupted = nullptr, Status reason = Status());
  bool closed() const;
  /// The error of a step that may not begin: the reason of the close.
  Status closed_error() const;

  /// Sets whether callers of `run` should end steps at the first node that yields a NaN (1), or a NaN or infinity (2).
  /// `run` itself does not watch.
  void watch_nan(int level) { nan_watch_ = level; }
  int watches_nan() const { return nan_watch_.load(std::memory_order_relaxed); }

  /// Number of steps that were begun.
  int64_t steps() const;
  /// Bytes of feeds that had to be copied or converted; maintained by the code that converts feeds to tensors.
  int64_t feed_bytes_copied() const { return feed_bytes_copied_.load(std::memory_order_relaxed); }
  void add_feed_bytes_copied(int64_t bytes) { feed_bytes_copied_.fetch_add(bytes, std::memory_order_relaxed); }

  SessionCore& core() { return *core_; }
  Allocator& allocator() { return core_->allocator(); }
  ResourceManager& resources() { return *resources_; }
  const RefPtr<Graph>& graph() const { return graph_; }

 private:
  friend class Step;
  friend class PartialRun;
  class Background;
  class Parts;
  ~Session() override;
  void destroy() noexcept override;
  /// Calls `work` in a step that a background task began.
  void run_background(Step& step, FunctionRef<void(const KernelServices&)> work);
  /// Stops the resources that only this session has.
  void stop_resources();
  KernelServices kernel_services(Step& step, ResourceManager& step_resources, const RunSettings& settings,
                                 LoopStopCheck& stop_check);
  PoolParallel parallel(LoopStopCheck* stop_check) { return {ThreadPool::process(), parallel_.threads(), stop_check}; }
  Status run_admitted(Plan& plan, std::vector<Tensor>& feeds, std::vector<Tensor>& fetches, const RunSettings& settings,
                      Step& step);
  Result<RefPtr<Plan>> make_plan(const RunSignature& signature, const RunSettings& settings);
  /// For a server's session, rewords the error of a cancelled or timed-out step; returns other statuses unchanged.
  Status in_own_words(Status status, const StepStopCheck& stop_check) const;
  RefPtr<Plan> keep_plan(const std::vector<int64_t>& key, RefPtr<Plan> plan);
  Status place_new_nodes(const Subgraph& needed);
  /// In a forked child: discards steps of threads that exist only in the parent. The caller holds `mutex_`.
  void forget_steps_of_parent();
  /// Frees everything that steps use. No step is running.
  void free_parts();

  const RefPtr<Graph> graph_;
  SessionOptions options_;  // close() releases the pools, and so joins threads that only this session uses.
  Placement placement_;     // Guarded by the graph's lock.
  const RefPtr<SessionCore> core_;
  PoolParallel parallel_;  // Does not cut loops short.
  const std::shared_ptr<ResourceManager> resources_;

  mutable std::mutex mutex_;
  const Status usual_reason_ = session_closed_error();  // Made in advance: a close needs no memory.
  Status closed_;                                       // The reason of the close; OK before.
  int64_t steps_ = 0;
  std::atomic<int64_t> feed_bytes_copied_{0};
  std::atomic<int> nan_watch_{0};
  Step* running_ = nullptr;  // Intrusive list, so that a step does not allocate.
  ForkRenewal renewal_;      // Of `running_`; guarded by `mutex_`.
  struct KeptPlan {
    RefPtr<Plan> plan;
    int64_t last_use;
  };
  std::map<std::vector<int64_t>, KeptPlan> plans_;
  int64_t plan_uses_ = 0;
  const RefPtr<FunctionRuntime> functions_;
  const RefPtr<WeakLink<Session>> link_;
  const RefPtr<BackgroundHost> background_;
};

/// A running step. It is inside its session's core, and registered with the session so that close() can cancel it and
/// wait.
class Step {
 public:
  explicit Step(Session& session, Cancellation* outer = nullptr, bool counts = true);
  ~Step();
  /// False if the session is closed; then nothing may run.
  bool admitted() const { return admitted_; }
  Cancellation& cancellation() { return cancellation_; }

 private:
  /// The caller holds the session's mutex.
  void enlist();
  void delist();

  Session& session_;
  Step* const around_;  // Outer step on the same thread, if a signal handler began this one.
  std::optional<SessionCore::Entry> inside_;
  bool admitted_ = false;
  bool closes_ = false;  // Closes the session at its end; see Session::close.
  Cancellation cancellation_;
  std::optional<CancelledWith> outer_;
  Step* previous_ = nullptr;  // In the session's list.
  Step* next_ = nullptr;
  int generation_ = 0;  // Fork generation of that list.

  friend class Session;
  static thread_local Step* innermost_;
};

}  // namespace tinytf
