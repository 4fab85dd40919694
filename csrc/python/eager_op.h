#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "base/inlined_vector.h"
#include "op/op_def.h"
#include "python/eager_tensor_object.h"
#include "python/errors.h"
#include "python/frozen_attrs.h"
#include "runtime/eager/kernel_cache.h"

namespace tinytf::python {

/// Input tensors of one operation. Tensors from lists are owned, since another thread may change the list; the others
/// are borrowed from the caller.
struct EagerInputs {
  EagerInputs() = default;
  ~EagerInputs() {
    for (PyObject* item : owned) Py_DECREF(item);
  }
  EagerInputs(const EagerInputs&) = delete;
  EagerInputs& operator=(const EagerInputs&) = delete;

  int count() const { return static_cast<int>(tensors.size()); }
  DType dtype(int i) const { return tensors[i]->handle->dtype(); }
  const InlinedVector<int, 4>& groups() const { return lengths; }

  InlinedVector<EagerTensorObject*, 6> tensors;
  /// Number of tensors per declared input, 1 for one that is not a list; empty for ops without list inputs.
  InlinedVector<int, 4> lengths;
  InlinedVector<PyObject*, 1> owned;
};

/// An op in eager execution, with a cache of the kernels for its variants. Requires the GIL.
class __attribute__((visibility("hidden"))) EagerOp {
 public:
  explicit EagerOp(const OpDef& def) : kernels_(def) {}

  /// Collects the inputs; returns false if one of them is not an eager tensor.
  bool flatten(PyObject* inputs, EagerInputs& flat) const;
  /// Returns the cached kernel; null if there is none, or if `attrs`, as the program passed them, cannot be compared
  /// cheaply.
  EagerKernel* find(const EagerInputs& inputs, PyObject* attrs) const {
    return kernels_.find(inputs, [attrs](const FrozenAttrs& kept) { return same_attrs(kept, attrs); });
  }
  /// Same as EagerKernelCache::make; the kernel is cached if `attrs` can be compared cheaply.
  RefPtr<EagerKernel> make(const EagerInputs& inputs, AttrMap checked, PyObject* attrs) {
    const auto freeze_attrs = [attrs](FrozenAttrs* kept) { return freeze(attrs, *kept); };
    return value_or_throw(kernels_.make(inputs, std::move(checked), freeze_attrs));
  }
  /// Returns the cached kernel, or a new one with the attrs that `checked()` returns.
  template <class Checked>
  RefPtr<EagerKernel> find_or_make(const EagerInputs& inputs, PyObject* attrs, Checked checked) {
    if (EagerKernel* kept = find(inputs, attrs)) return RefPtr<EagerKernel>::share(kept);
    return make(inputs, checked(), attrs);
  }

  const OpDef& def() const { return kernels_.def(); }
  size_t kept_sequences() const { return kernels_.kept_sequences(); }

 private:
  EagerKernelCache<FrozenAttrs> kernels_;
};

}  // namespace tinytf::python
