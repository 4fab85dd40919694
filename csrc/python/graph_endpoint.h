#pragma once

#include <pybind11/pybind11.h>

#include "graph/graph.h"

namespace tinytf::python {

/// pybind11 holder for intrusively counted objects.
template <class T>
class PyRef {
 public:
  PyRef() = default;
  explicit PyRef(T* object) : ref_(RefPtr<T>::adopt(object)) {}
  explicit PyRef(RefPtr<T> ref) : ref_(std::move(ref)) {}
  T* get() const { return ref_.get(); }
  T* operator->() const { return ref_.get(); }
  const RefPtr<T>& ref() const { return ref_; }

 private:
  RefPtr<T> ref_;
};

inline Node* node_from_id(Graph& graph, int id) {
  Node* node = graph.node(id);
  if (node == nullptr) throw pybind11::index_error("no node with this id");
  return node;
}

inline Endpoint endpoint_from_key(Graph& graph, int64_t key) {
  Node* node = node_from_id(graph, static_cast<int>(key >> 32));
  const int index = static_cast<int>(key & 0xFFFFFFFF);
  if (index < 0 || index >= node->num_outputs()) throw pybind11::index_error("no output with this index");
  return {node, index};
}

}  // namespace tinytf::python

PYBIND11_DECLARE_HOLDER_TYPE(T, tinytf::python::PyRef<T>)
