#pragma once

#include <pybind11/pybind11.h>

#include <unordered_map>
#include <vector>

#include "python/eager_tensor.h"

namespace tinytf::python {

/// Tensors whose values end with a scope. Keeps none of them alive. With the GIL held.
class __attribute__((visibility("hidden"))) TensorScope {
 public:
  explicit TensorScope(SessionCore& core) : core_(RefPtr<SessionCore>::share(&core)) {}
  ~TensorScope();
  TensorScope(const TensorScope&) = delete;
  TensorScope& operator=(const TensorScope&) = delete;

  SessionCore& core() { return *core_; }
  /// Tensors that this thread makes in the scope's session become members from now on, until `pop`.
  void push();
  void pop();
  void attach(PyObject* tensor);
  /// A member that survives its removal; false if it is none.
  bool retain(PyObject* tensor);
  /// "owned" or "retained" for what was a member, else "".
  const char* remove(PyObject* tensor);
  /// Members that are alive, which are none afterwards.
  py::list take();
  size_t size();

 private:
  struct Member {
    py::object reference;  // a weak one
    bool retained;
  };
  const RefPtr<SessionCore> core_;
  std::unordered_map<int64_t, Member> members_;
  size_t next_sweep_ = 64;  // members that are gone are forgotten when there are so many entries
};

/// Scopes of this thread, innermost last.
extern thread_local std::vector<TensorScope*> open_scopes;

/// Makes a new tensor a member of this thread's innermost scope of its session.
void join_scope(PyObject* tensor);

}  // namespace tinytf::python
