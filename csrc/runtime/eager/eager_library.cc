#include "runtime/eager/eager_library.h"

#include <utility>

namespace tinytf {

namespace {

FunctionLibrary functions_of(const Graph& graph) {
  const auto lock = graph.lock();
  return graph.functions();
}

}  // namespace

EagerFunction::EagerFunction(std::string name, RefPtr<Graph> graph) : name_(std::move(name)), graph_(std::move(graph)) {
  EagerLibrary& library = EagerLibrary::of_process();
  std::lock_guard lock(library.mutex_);
  library.all_.insert(this);
}

EagerFunction::~EagerFunction() {
  EagerLibrary& library = EagerLibrary::of_process();
  std::lock_guard lock(library.mutex_);
  library.all_.erase(this);
}

FunctionRuntime& EagerFunction::runtime(uint64_t session, int threads) {
  std::lock_guard lock(EagerLibrary::of_process().mutex_);
  RefPtr<FunctionRuntime>& runtime = runtimes_[session];
  if (!runtime) runtime = make_ref<FunctionRuntime>(graph_, CompileOptions(), threads);
  return *runtime;
}

EagerLibrary& EagerLibrary::of_process() {
  static EagerLibrary* const library = new EagerLibrary;  // Leaked: kernels may outlive every static object.
  return *library;
}

Status EagerLibrary::add(const std::string& name, RefPtr<Graph> graph) {
  auto function = make_ref<EagerFunction>(name, std::move(graph));
  for (;;) {
    const RefPtr<EagerFunction> known = find(name);
    if (known) {  // Compared without the lock, because graphs have locks of their own.
      FunctionLibrary functions = functions_of(*known->graph());
      TINYTF_RETURN_IF_ERROR(functions.add(functions_of(*function->graph())));
    }
    std::lock_guard lock(mutex_);
    const auto found = by_name_.find(name);
    if ((found == by_name_.end() ? nullptr : found->second.get()) != known.get()) continue;  // It has changed.
    RefPtr<EagerFunction>& kept = by_name_[name];
    if (!kept) kept = function;
    ++kept->owners_;
    return Status();
  }
}

void EagerLibrary::remove(const std::string& name) {
  RefPtr<EagerFunction> doomed;  // Destroyed after the lock is released.
  std::lock_guard lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || --found->second->owners_ > 0) return;
  doomed = std::move(found->second);
  doomed->has_left_.store(true, std::memory_order_relaxed);
  by_name_.erase(found);
}

RefPtr<EagerFunction> EagerLibrary::find(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? RefPtr<EagerFunction>() : found->second;
}

void EagerLibrary::end_session(uint64_t session) {
  std::vector<RefPtr<FunctionRuntime>> ended;
  {
    std::lock_guard lock(mutex_);
    for (EagerFunction* function : all_) {
      const auto found = function->runtimes_.find(session);
      if (found == function->runtimes_.end()) continue;
      ended.push_back(std::move(found->second));
      function->runtimes_.erase(found);
    }
  }
  for (const RefPtr<FunctionRuntime>& runtime : ended) runtime->clear();
}

std::vector<std::string> EagerLibrary::names() const {
  std::vector<std::string> names;
  std::lock_guard lock(mutex_);
  for (const auto& [name, function] : by_name_) names.push_back(name);
  return names;
}

size_t EagerLibrary::count() const {
  std::lock_guard lock(mutex_);
  return all_.size();
}

}  // namespace tinytf
