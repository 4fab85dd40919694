#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "runtime/plan.h"
#include "services/resource_manager.h"
#include "services/thread_pool.h"

namespace tinytf {

struct SessionOptions {
  int intra_op_threads = 0;  ///< 0: as many as the process's pool has
  bool fold_constants = true;
  bool eliminate_common_subexpressions = true;  ///< and drop what is only waited for
  size_t max_folded_bytes = size_t{10} << 20;
};

/// What a run is asked for; the order counts.
struct RunSignature {
  std::vector<Endpoint> feeds;
  std::vector<Endpoint> fetches;
  std::vector<Node*> targets;
};

/// Runs parts of a graph and keeps their state: variables, kernels of stateful ops, memory. `plan` and `run` may be
/// called by any number of threads; `close` cancels running steps and waits for them.
class Session : public RefCounted {
 public:
  Session(RefPtr<Graph> graph, SessionOptions options);

  /// The plan of a signature, compiled at first use. Plans stay valid when the graph grows.
  Result<RefPtr<Plan>> plan(const RunSignature& signature);

  /// Runs one step. Feeds are in the signature's order, of the right types, and are moved from. With `stats`, records
  /// there what every node did.
  Status run(Plan& plan, std::vector<Tensor>& feeds, std::vector<Tensor>& fetches, StepStats* stats = nullptr);

  /// Idempotent. Frees the session's resources; values that were handed out stay valid.
  void close();
  bool closed() const;

  Allocator& allocator() { return *allocator_; }
  ResourceManager& resources() { return resources_; }
  const RefPtr<Graph>& graph() const { return graph_; }

 private:
  friend class Step;
  ~Session() override;
  Result<std::shared_ptr<Kernel>> kernel_for(const Node& node);

  const RefPtr<Graph> graph_;
  const SessionOptions options_;
  const RefPtr<Allocator> allocator_;
  PoolParallel parallel_;
  ResourceManager resources_;

  mutable std::mutex mutex_;
  std::condition_variable idle_;
  bool closed_ = false;
  std::set<Cancellation*> running_;
  std::map<std::vector<int64_t>, RefPtr<Plan>> plans_;
  std::unordered_map<int, std::shared_ptr<Kernel>> stateful_kernels_;  // by node id
};

}  // namespace tinytf
