#include "runtime/session/session.h"

#include <algorithm>
#include <new>

#include "op/guarded.h"
#include "runtime/step/execute.h"
#include "services/float_mode.h"

namespace tinytf {

namespace {

std::atomic<int64_t> next_step_id{1};

int64_t new_step_id() { return next_step_id.fetch_add(1, std::memory_order_relaxed); }

CoreOptions core_options() {
  CoreOptions options;
  options.lazy_reaper = true;  // Most sessions free no memory outside of their pools.
  return options;
}

}  // namespace

Status session_closed_error() { return Status(Code::kCancelled, "Session has been closed."); }

thread_local Step* Step::innermost_ = nullptr;

Step::Step(Session& session, Cancellation* outer, bool counts) : session_(session), around_(innermost_) {
  inside_.emplace(*session_.core_);
  if (*inside_) {
    std::lock_guard lock(session_.mutex_);
    session_.forget_steps_of_parent();
    admitted_ = session_.closed_.ok();
    if (admitted_) {
      enlist();
      session_.steps_ += counts;
    }
  }
  if (outer != nullptr) outer_.emplace(*outer, cancellation_);
  innermost_ = this;
}

Step::~Step() {
  outer_.reset();
  innermost_ = around_;
  if (!admitted_) return;
  {
    std::lock_guard lock(session_.mutex_);
    delist();
  }
  inside_.reset();
  if (closes_) (void)session_.close();  // Cannot fail without `interrupted`.
}

void Step::enlist() {
  generation_ = ForkGate::generation();
  next_ = session_.running_;
  if (next_ != nullptr) next_->previous_ = this;
  session_.running_ = this;
}

void Step::delist() {
  session_.forget_steps_of_parent();
  if (generation_ != ForkGate::generation()) return;  // Its neighbors exist only in the parent.
  (previous_ != nullptr ? previous_->next_ : session_.running_) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
}

/// Destroyed when the core's close frees the session's parts.
class Session::Parts final : public SessionParts {
 public:
  explicit Parts(Session& session) : session_(session) {}
  void stop_resources() override { session_.stop_resources(); }

 private:
  ~Parts() override { session_.free_parts(); }
  Session& session_;  // Closes its core before it is destroyed.
};

/// Background tasks are steps that the session does not count.
class Session::Background final : public BackgroundHost {
 public:
  explicit Background(RefPtr<WeakLink<Session>> session) : session_(std::move(session)) {}
  bool run(Cancellation& cancellation, FunctionRef<void(const KernelServices&)> work) override {
    const RefPtr<Session> session = session_->lock();
    if (!session) return false;
    Step step(*session, &cancellation, /*counts=*/false);
    if (step.admitted()) session->run_background(step, work);
    return step.admitted();
  }

 private:
  const RefPtr<WeakLink<Session>> session_;
};

Session::Session(RefPtr<Graph> graph, SessionOptions options)
    : graph_(std::move(graph)),
      options_(std::move(options)),
      placement_(options_.placement),
      core_(make_ref<SessionCore>(core_options())),
      parallel_(ThreadPool::process(),
                options_.intra_op_threads > 0 ? options_.intra_op_threads : ThreadPool::process().size()),
      resources_(options_.resources != nullptr ? options_.resources : std::make_shared<ResourceManager>()),
      functions_(make_ref<FunctionRuntime>(graph_, options_, parallel_.threads())),
      link_(make_ref<WeakLink<Session>>(*this)),
      background_(make_ref<Background>(link_)) {
  core_->operations().attach(make_ref<Parts>(*this));
}

Session::~Session() { (void)close(); }

void Session::destroy() noexcept {
  if (link_->cut()) {
    delete this;
  } else {
    unref();
  }
}

void Session::forget_steps_of_parent() {
  renewal_.run_if_due([this] { running_ = nullptr; });
}

Status Session::extend() {
  if (options_.place_pruned_graph) return Status();
  auto graph_lock = graph_->lock();
  return placement_.extend(*graph_);
}

Status Session::place_new_nodes(const Subgraph& needed) {
  if (!options_.place_pruned_graph) return placement_.extend(*graph_);
  std::vector<const Node*> nodes;
  nodes.reserve(needed.nodes.size());
  for (const SubgraphNode& node : needed.nodes) nodes.push_back(node.origin);
  return placement_.place(*graph_, nodes);
}

RefPtr<Plan> Session::keep_plan(const std::vector<int64_t>& key, RefPtr<Plan> plan) {
  // A program has a few dozen signatures. One that keeps making new ones does not need the old ones.
  constexpr size_t kMostPlans = 1000;
  RefPtr<Plan> doomed;  // Destroyed after the lock is released.
  std::lock_guard lock(mutex_);
  RefPtr<Plan> kept = plans_.try_emplace(key, KeptPlan{std::move(plan), 0}).first->second.plan;
  plans_[key].last_use = ++plan_uses_;
  if (plans_.size() > kMostPlans) {
    const auto oldest = std::min_element(plans_.begin(), plans_.end(), [](const auto& a, const auto& b) {
      return a.second.last_use < b.second.last_use;
    });
    doomed = std::move(oldest->second.plan);
    plans_.erase(oldest);
  }
  return kept;
}

Result<RefPtr<Plan>> Session::plan(const RunSignature& signature, const RunSettings& settings) {
  const SessionCore::Entry inside(*core_);
  if (!inside) return closed_error();
  const std::vector<int64_t> key = key_of(signature);
  {
    std::lock_guard lock(mutex_);
    if (!closed_.ok()) return closed_;
    auto found = plans_.find(key);
    if (found != plans_.end()) {
      found->second.last_use = ++plan_uses_;
      return found->second.plan;
    }
  }
  TINYTF_ASSIGN_OR_RETURN(RefPtr<Plan> made, make_plan(signature, settings));
  {
    std::lock_guard lock(mutex_);
    if (!closed_.ok()) return closed_;
  }
  return keep_plan(key, std::move(made));
}

Result<RefPtr<Plan>> Session::make_plan(const RunSignature& signature, const RunSettings& settings) {
  Step step(*this, settings.cancellation, /*counts=*/false);
  if (!step.admitted()) return closed_error();
  StepStopCheck stop_check(settings.timeout_ms > 0 ? settings.timeout_ms : options_.timeout_ms, settings.interrupt);
  StepLoops loops(stop_check, step.cancellation());
  PoolParallel parallel = this->parallel(&loops);
  auto plan =
      functions_->compiler().compile(signature, [this](const Subgraph& needed) { return place_new_nodes(needed); },
                                     functions_->kernels(), {&parallel, &loops, new_step_id()});
  if (!plan.ok() && !stop_check.ended().ok()) return stop_check.ended();
  return plan;
}

KernelServices Session::kernel_services(Step& step, ResourceManager& step_resources, const RunSettings& settings,
                                        LoopStopCheck& stop_check) {
  KernelServices services;
  services.allocator = settings.allocator != nullptr ? settings.allocator : &allocator();
  services.parallel = &parallel_;
  services.resources = settings.resources != nullptr ? settings.resources : resources_.get();
  services.step_resources = &step_resources;
  services.cancellation = &step.cancellation();
  services.observer = settings.observer;
  services.functions = functions_.get();
  services.stop_check = &stop_check;
  services.background = background_.get();
  services.step_id = new_step_id();
  return services;
}

void Session::run_background(Step& step, FunctionRef<void(const KernelServices&)> work) {
  ResourceManager step_resources;
  StepStopCheck stop_check(0, nullptr);
  StepLoops loops(stop_check, step.cancellation());
  PoolParallel parallel = this->parallel(&loops);
  KernelServices services = kernel_services(step, step_resources, RunSettings(), loops);
  services.parallel = &parallel;
  const FlushDenormals flush;
  const ScratchScope scratch(services.allocator);
  work(services);
}

[[gnu::always_inline]] inline Status Session::run_admitted(Plan& plan, std::vector<Tensor>& feeds,
                                                           std::vector<Tensor>& fetches, const RunSettings& settings,
                                                           Step& step) {
  const auto& pools = options_.inter_op_pools;
  if (settings.inter_op_pool < -1 || settings.inter_op_pool >= static_cast<int>(std::max<size_t>(pools.size(), 1))) {
    return invalid_argument("Invalid inter_op_thread_pool: ", settings.inter_op_pool);
  }
  StepThreads threads;
  if (settings.inter_op_pool >= 0 && options_.inter_op_threads >= 0) {
    threads.pool = pools.empty() ? &ThreadPool::process() : pools[settings.inter_op_pool].get();
    const bool limited = pools.empty() && options_.inter_op_threads > 0;
    threads.limit = limited ? options_.inter_op_threads : threads.pool->size();
    if (threads.limit == 1) threads.pool = nullptr;
  }
  ResourceManager step_resources;
  StepStopCheck stop_check(settings.timeout_ms > 0 ? settings.timeout_ms : options_.timeout_ms, settings.interrupt);
  StepLoops loops(stop_check, step.cancellation());
  PoolParallel parallel = this->parallel(&loops);
  StepServices services(kernel_services(step, step_resources, settings, loops));
  services.parallel = &parallel;
  const FlushDenormals flush;
  const ScratchScope scratch(services.allocator);
  auto slots = plan.take_slots();
  const Status status = execute(plan, services, *slots, threads, stop_check, feeds, fetches);
  plan.return_slots(std::move(slots));
  return options_.is_served ? in_own_words(status, stop_check) : status;
}

Status Session::run(Plan& plan, std::vector<Tensor>& feeds, std::vector<Tensor>& fetches, const RunSettings& settings) {
  if (feeds.size() != plan.program().feed_slots.size()) {
    return invalid_argument("Expected ", plan.program().feed_slots.size(), " feed tensors, but got ", feeds.size());
  }
  for (size_t i = 0; i < feeds.size(); ++i) {
    if (feeds[i].dtype() != plan.program().feed_types[i]) {
      return invalid_argument("Expects arg[", i, "] to be ", dtype_name(plan.program().feed_types[i]), " but ",
                              dtype_name(feeds[i].dtype()), " is provided");
    }
  }
  Step step(*this, settings.cancellation);
  if (!step.admitted()) return closed_error();
  return guarded([&] { return run_admitted(plan, feeds, fetches, settings, step); });
}

Status Session::in_own_words(Status status, const StepStopCheck& stop_check) const {
  if (status.code() == Code::kCancelled && closed()) {
    return Status(Code::kCancelled, "Step was cancelled by an explicit call to `Session::Close()`.");
  }
  const std::string& timed_out = stop_check.ended().message();
  if (status.code() != Code::kDeadlineExceeded || status.message().compare(0, timed_out.size(), timed_out) != 0) {
    return status;
  }
  return Status(Code::kDeadlineExceeded, "Operation timed out." + status.message().substr(timed_out.size()));
}

int64_t Session::steps() const {
  std::lock_guard lock(mutex_);
  return steps_;
}

bool Session::closed() const {
  std::lock_guard lock(mutex_);
  return !closed_.ok();
}

Status Session::closed_error() const {
  std::lock_guard lock(mutex_);
  return closed_.ok() ? usual_reason_ : closed_;
}

Status Session::close(const std::function<bool()>& interrupted, Status reason) {
  {
    std::lock_guard lock(mutex_);
    if (closed_.ok()) closed_ = reason.ok() ? usual_reason_ : std::move(reason);
    forget_steps_of_parent();
    // Cancellation callbacks run no nodes, so they do not need this lock.
    for (Step* step = running_; step != nullptr; step = step->next_) step->cancellation_.cancel();
    for (Step* step = Step::innermost_; step != nullptr; step = step->around_) {
      if (&step->session_ != this || !step->admitted_) continue;
      step->closes_ = true;
      return Status();
    }
  }
  const Status status = core_->close(-1, false, interrupted);
  // A close is in progress on this thread, and will complete.
  return status.code() == Code::kFailedPrecondition ? Status() : status;
}

void Session::stop_resources() {
  if (options_.resources == nullptr) resources_->stop_all();
}

void Session::free_parts() {
  std::map<std::vector<int64_t>, KeptPlan> plans;
  std::vector<std::shared_ptr<ThreadPool>> pools;
  {
    std::lock_guard lock(mutex_);
    plans.swap(plans_);
    pools.swap(options_.inter_op_pools);
  }
  pools.clear();
  functions_->clear();
  plans.clear();
  if (options_.resources == nullptr) resources_->clear();
}

}  // namespace tinytf
