#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "runtime/functions/function_runtime.h"

namespace tinytf {

/// A function that eager operations call, with the functions that it may call itself: a graph whose library has them
/// all. Kernels that call it keep it, also after it has left the library. Thread-safe.
class EagerFunction final : public RefCounted {
 public:
  EagerFunction(std::string name, RefPtr<Graph> graph);

  const std::string& name() const { return name_; }
  const RefPtr<Graph>& graph() const { return graph_; }
  /// Whether it has left the library, so that its name may mean another function.
  bool has_left() const { return has_left_.load(std::memory_order_relaxed); }
  /// Its runtime in a session, which has the state of its nodes. `session`: the id of the session's runners. `threads`:
  /// see FunctionRuntime. The function keeps the runtime until the session ends.
  FunctionRuntime& runtime(uint64_t session, int threads);

 private:
  friend class EagerLibrary;
  ~EagerFunction() override;

  const std::string name_;
  const RefPtr<Graph> graph_;
  std::atomic<bool> has_left_{false};
  int owners_ = 0;                                        // Guarded by the library's mutex.
  std::map<uint64_t, RefPtr<FunctionRuntime>> runtimes_;  // By session; guarded by the library's mutex.
};

/// The functions that the eager operations of all sessions may call, by name. A function stays as long as it has
/// owners, which are objects of the host. Thread-safe.
class EagerLibrary {
 public:
  /// The library of this process.
  static EagerLibrary& of_process();

  /// Adds an owner of a function. The library of `graph` has the function and those that it calls. InvalidArgument if
  /// the name belongs to a different function.
  Status add(const std::string& name, RefPtr<Graph> graph);
  /// Removes an owner; without any, the function leaves the library, and its name is free.
  void remove(const std::string& name);
  /// Null if there is no such function.
  RefPtr<EagerFunction> find(const std::string& name) const;
  /// Frees the state of functions in a session. None of its operations is running.
  void end_session(uint64_t session);

  std::vector<std::string> names() const;
  /// The number of functions that exist, also those that only kernels still keep.
  size_t count() const;

 private:
  friend class EagerFunction;

  mutable std::mutex mutex_;  // Held briefly, and together with no other lock.
  std::map<std::string, RefPtr<EagerFunction>> by_name_;
  std::set<EagerFunction*> all_;
};

}  // namespace tinytf
