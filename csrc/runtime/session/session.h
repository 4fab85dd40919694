#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "graph/passes/fold.h"
#include "graph/placement.h"
#include "runtime/plan/plan.h"
#include "runtime/session/session_functions.h"
#include "runtime/step/step_watch.h"
#include "services/fork_renewal.h"
#include "services/resource_manager.h"
#include "services/thread_pool.h"
#include "session/session_core.h"

namespace tinytf {

class Step;

Status session_closed_error();

struct SessionOptions {
  int intra_op_threads = 0;  ///< of one kernel; 0: as many as the process's pool has
  int inter_op_threads = 0;  ///< of one step on the process's pool; 0: as many as it has; below 0: the caller's alone
  /// Where nodes of a step run beside the caller's thread; RunSettings chooses. None: the process's pool.
  std::vector<std::shared_ptr<ThreadPool>> inter_op_pools;
  bool fold_constants = true;
  bool eliminate_common_subexpressions = true;  ///< and drop what is only waited for, as folding does
  bool compile_loops = true;                    ///< and branches; else tokens run them, by TensorFlow's rules
  size_t max_folded_bytes = size_t{10} << 20;
  int64_t timeout_ms = 0;  ///< of every step that has no own; 0 or less: none
  PlacementOptions placement;
  std::shared_ptr<ResourceManager> resources;  ///< shared with other sessions; none: its own, which end with it
  bool place_pruned_graph = false;             ///< place what a run needs, not the whole graph
  bool runs_function = false;  ///< feeds are the arguments of a function, which errors call by their names
  bool is_served = false;      ///< of a server: steps that are cut short say so in servers' words
};

/// What a run is asked for; the order counts.
struct RunSignature {
  std::vector<Endpoint> feeds;
  std::vector<Endpoint> fetches;
  std::vector<Node*> targets;
  bool is_partial = false;  ///< feeds come bit by bit: what depends on them is not there before, not even its shape
};

/// How one step is to run. What is pointed to must outlive the step.
struct RunSettings {
  int64_t timeout_ms = 0;                ///< 0 or less: the session's
  int inter_op_pool = 0;                 ///< of SessionOptions::inter_op_pools; -1: none
  NodeObserver* observer = nullptr;      ///< sees every node
  Cancellation* cancellation = nullptr;  ///< somebody else's that ends this step too
  Interrupt* interrupt = nullptr;        ///< polled on the calling thread
  Allocator* allocator = nullptr;        ///< of the step's values; null: the session's
  ResourceManager* resources = nullptr;  ///< where the step finds and keeps resources by name; null: the session's
};

/// Runs parts of a graph and keeps their state: variables, kernels of stateful ops, memory. `plan` and `run` may be
/// called by any number of threads; `close` cancels running steps and waits for them. Its core has the memory, counts
/// who is inside, and ends it; no value has a handle there.
class Session : public RefCounted {
 public:
  Session(RefPtr<Graph> graph, SessionOptions options);

  /// The plan of a signature, compiled at first use. Plans stay valid when the graph grows. Computing constants counts
  /// as a step: time limit, cancellation and interrupt of the settings end it. The session keeps the plans that were
  /// asked for last; others live as long as somebody has them.
  Result<RefPtr<Plan>> plan(const RunSignature& signature, const RunSettings& settings = {});

  /// Takes notice of nodes that were added to the graph, as `plan` does too. InvalidArgument if one of them can not be
  /// placed: then no plan is made either, whatever it needs. Cheap where nothing is new.
  Status extend();
  /// Where nodes were placed; calls are for those who hold the graph's lock.
  Placement& placement() { return placement_; }

  /// Runs one step. Feeds are in the signature's order, of the right types, and are moved from.
  Status run(Plan& plan, std::vector<Tensor>& feeds, std::vector<Tensor>& fetches, const RunSettings& settings = {});

  /// Frees the session's resources; values that were handed out stay valid. Idempotent: the first call's `reason` is
  /// the error of all that is asked for from then on. On a thread that is in a step of this session, or in this call
  /// (in a signal handler), it only begins: the step's end, or the outer call, goes on. Cancelled if `interrupted`
  /// (polled while it waits; null: never) says so: no step begins any more, but it has to be called again.
  Status close(const std::function<bool()>& interrupted = nullptr, Status reason = session_closed_error());
  bool closed() const;
  /// What a step is told that may not begin: the reason of the close.
  Status closed_error() const;

  /// Whether steps end at the first node that yields a NaN (1) or an infinity too (2). For those who run steps: `run`
  /// itself watches nothing.
  void watch_nan(int level) { nan_watch_ = level; }
  int watches_nan() const { return nan_watch_.load(std::memory_order_relaxed); }

  /// Steps that were begun.
  int64_t steps() const;
  /// Bytes of feeds that had to be copied or converted; counted by those who make tensors of the caller's values.
  int64_t feed_bytes_copied() const { return feed_bytes_copied_.load(std::memory_order_relaxed); }
  void add_feed_bytes_copied(int64_t bytes) { feed_bytes_copied_.fetch_add(bytes, std::memory_order_relaxed); }

  SessionCore& core() { return *core_; }
  Allocator& allocator() { return core_->allocator(); }
  ResourceManager& resources() { return *resources_; }
  const RefPtr<Graph>& graph() const { return graph_; }

 private:
  friend class Step;
  friend class PartialRun;
  friend class SessionFunctions;
  class Parts;
  /// A node, and the calls in whose functions it stands, each with the number of the function.
  using KernelKey = std::vector<std::pair<const Node*, int>>;
  ~Session() override;
  Result<std::shared_ptr<Kernel>> kernel_for(const SubgraphNode& node);
  StepServices services(Step& step, ResourceManager& step_resources, const RunSettings& settings, LoopWatch& watch);
  PoolParallel parallel(LoopWatch* watch) { return {ThreadPool::process(), parallel_.threads(), watch}; }
  Status run_admitted(Plan& plan, std::vector<Tensor>& feeds, std::vector<Tensor>& fetches, const RunSettings& settings,
                      Step& step);
  Result<RefPtr<Plan>> make_plan(const RunSignature& signature, const RunSettings& settings);
  /// What a step of a server's session says that was cut short; any other status as it is.
  Status in_own_words(Status status, const StepWatch& watch) const;
  /// What is done before anything is computed: functions become parts of the subgraph, branches that can not be taken
  /// go. The graph's lock is held. Fails as inline_functions.
  Status expand(Subgraph& subgraph);
  /// The plan of what passes have made of a graph; the graph's lock is held.
  Result<Program> program_of(Subgraph& subgraph, const RunSignature& signature);
  /// Values that plans have folded, of those nodes, as far as they are still to be had.
  std::unordered_map<const Node*, FoldedValues> known_values(const std::vector<const Node*>& nodes, int64_t version);
  void note_values(const std::unordered_map<const Node*, FoldedValues>& values, int64_t version);
  RefPtr<Plan> keep_plan(const std::vector<int64_t>& key, RefPtr<Plan> plan);
  Status place_new_nodes(const Subgraph& needed);
  /// In a forked child: steps of threads that do not exist here will not end. Called with `mutex_` held.
  void forget_steps_of_parent();
  /// All that steps use; none is left.
  void free_parts();

  const RefPtr<Graph> graph_;
  SessionOptions options_;  // its pools are let go by close, which joins threads that are this session's alone
  Placement placement_;     // guarded by the graph's lock
  const RefPtr<SessionCore> core_;
  PoolParallel parallel_;  // runs loops to their ends
  const std::shared_ptr<ResourceManager> resources_;

  mutable std::mutex mutex_;
  Status closed_;  // the reason of the close, once there was one
  int64_t steps_ = 0;
  std::atomic<int64_t> feed_bytes_copied_{0};
  std::atomic<int> nan_watch_{0};
  Step* running_ = nullptr;  // a list, so that a step allocates nothing
  ForkRenewal renewal_;      // of `running_`, under the mutex
  struct KeptPlan {
    RefPtr<Plan> plan;
    int64_t last_use;
  };
  std::map<std::vector<int64_t>, KeptPlan> plans_;
  int64_t plan_uses_ = 0;
  std::unordered_map<const Node*, std::weak_ptr<const std::vector<Tensor>>> folded_;
  int64_t folded_version_ = 0;  // of the graph's constants
  std::map<KernelKey, std::shared_ptr<Kernel>> stateful_kernels_;
  SessionFunctions functions_{*this};
};

/// A running step, inside its session's core and known to its session, so that close() can cancel it and wait.
class Step {
 public:
  explicit Step(Session& session, Cancellation* outer = nullptr, bool counts = true);
  ~Step();
  /// False if the session is closed: then nothing may run.
  bool admitted() const { return admitted_; }
  Cancellation& cancellation() { return cancellation_; }

 private:
  /// Called with the session's mutex held.
  void enlist();
  void delist();

  Session& session_;
  Cancellation* outer_;
  Cancellation::Token outer_token_ = -1;
  Step* const around_;  // on the same thread: this one was begun by a signal handler
  std::optional<SessionCore::Entry> inside_;
  bool admitted_ = false;
  bool closes_ = false;  // at its end: see Session::close
  Cancellation cancellation_;
  Step* previous_ = nullptr;  // in the session's list
  Step* next_ = nullptr;
  int generation_ = 0;  // of that list

  friend class Session;
  static thread_local Step* innermost_;
};

}  // namespace tinytf
