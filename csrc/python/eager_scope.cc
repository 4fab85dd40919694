#include "python/eager_scope.h"

#include <algorithm>

#include "python/bindings.h"
#include "python/context_frame.h"
#include "python/eager_tensor_object.h"
#include "python/graph_endpoint.h"

namespace tinytf::python {

namespace {

int64_t checked_id(PyObject* tensor) {
  if (!is_eager_tensor(tensor)) throw py::type_error("the members of a scope must be eager tensors");
  return as_eager_tensor(tensor)->id;
}

/// Returns the referent of a weak reference, or None.
py::object behind(const py::object& reference) { return reference(); }

}  // namespace

void TensorScope::attach(PyObject* tensor) {
  const int64_t id = checked_id(tensor);
  if (members_.size() >= next_sweep_) next_sweep_ = std::max<size_t>(64, 2 * size());
  auto reference = py::reinterpret_steal<py::object>(PyWeakref_NewRef(tensor, nullptr));
  if (!reference) throw py::error_already_set();
  members_.emplace(id, Member{std::move(reference), false});
}

bool TensorScope::retain(PyObject* tensor) {
  const auto found = members_.find(checked_id(tensor));
  if (found == members_.end()) return false;
  found->second.retained = true;
  return true;
}

const char* TensorScope::remove(PyObject* tensor) {
  const auto found = members_.find(checked_id(tensor));
  if (found == members_.end()) return "";
  const bool retained = found->second.retained;
  members_.erase(found);
  return retained ? "retained" : "owned";
}

py::list TensorScope::take() {
  std::unordered_map<int64_t, Member> members;
  members.swap(members_);
  py::list alive;
  for (const auto& [id, member] : members) {
    py::object tensor = behind(member.reference);
    if (!tensor.is_none()) alive.append(tensor);
  }
  return alive;
}

size_t TensorScope::size() {
  for (auto it = members_.begin(); it != members_.end();) {
    it = behind(it->second.reference).is_none() ? members_.erase(it) : ++it;
  }
  return members_.size();
}

void join_scope(PyObject* tensor) {
  SessionCore& core = as_eager_tensor(tensor)->handle->core();
  TensorScope* innermost = nullptr;
  for_each_frame([&](ContextFrame& frame) {
    if (frame.kind == FrameKind::kScope) {
      auto* scope = py::handle(frame.what).cast<TensorScope*>();
      if (scope->open() && &scope->core() == &core) innermost = scope;
    }
    return innermost == nullptr;
  });
  if (innermost != nullptr) innermost->attach(tensor);
}

void bind_eager_scope(py::module_& m) {
  py::class_<TensorScope>(m, "TensorScope", "The tensors whose values are freed at the end of a scope.")
      .def(py::init([](SessionCore& core) { return std::make_unique<TensorScope>(core); }), py::arg("core"))
      .def(
          "enter", [](py::handle self) { return enter(FrameKind::kScope, self); },
          "From now on, tensors created in the calling context become members. Returns a frame for leave_frame.")
      .def("close", &TensorScope::close, "From now on, no tensor becomes a member.")
      .def("attach", [](TensorScope& scope, py::handle tensor) { scope.attach(tensor.ptr()); })
      .def("retain", [](TensorScope& scope, py::handle tensor) { return scope.retain(tensor.ptr()); })
      .def("remove", [](TensorScope& scope, py::handle tensor) { return scope.remove(tensor.ptr()); })
      .def("take", &TensorScope::take)
      .def("size", &TensorScope::size);
}

}  // namespace tinytf::python
