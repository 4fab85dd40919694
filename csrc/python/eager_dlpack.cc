#include "python/eager_dlpack.h"

#include <utility>

#include "base/str_cat.h"
#include "python/dlpack.h"
#include "python/errors.h"
#include "python/export_list.h"

namespace tinytf::python {

namespace {

/// Memory behind a managed tensor. Lives until the deleter is called, on any thread.
template <class Managed>
struct Package final : Export {
  Package(const Tensor& value, const TensorHandle& handle)
      : Export(ExportInfo::Kind::kDlpack, value, handle), shape(dims()), steps(strides(1)) {
    managed.dl_tensor = {
        const_cast<void*>(value.raw()), {kDlpackCpu, 0}, value.rank(), {}, shape.data(), steps.data(), 0};
    dlpack_type(value.dtype(), &managed.dl_tensor.dtype);
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { static_cast<Package*>(self->manager_ctx)->release_anywhere(); };
  }
  Managed managed{};
  Dims shape, steps;
};

/// Capsule destructor. A consumer renames the capsule and calls the deleter itself, so only unconsumed capsules are
/// released here.
template <class Managed>
void drop_unused(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, CapsuleName<Managed>::kFresh) == 0) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, CapsuleName<Managed>::kFresh));
  managed->deleter(managed);
}

template <class Managed>
py::object packed(const Tensor& value, const TensorHandle& handle) {
  ExportPtr<Package<Managed>> package(new Package<Managed>(value, handle));
  PyObject* capsule = PyCapsule_New(&package->managed, CapsuleName<Managed>::kFresh, drop_unused<Managed>);
  if (capsule == nullptr) throw py::error_already_set();
  package.release();
  return py::reinterpret_steal<py::object>(capsule);
}

}  // namespace

py::object export_dlpack(const Tensor& value, const TensorHandle& handle, bool versioned) {
  DLDataType type;
  if (!dlpack_type(value.dtype(), &type)) {
    PyErr_SetString(
        PyExc_BufferError,
        str_cat("tensors of type ", dtype_name(value.dtype()), " cannot be exported through DLPack").c_str());
    throw py::error_already_set();
  }
  if (!versioned) {
    const Tensor copy = value_or_throw(value.clone(handle.core().allocator()));
    return packed<DLManagedTensor>(copy, handle);
  }
  py::object capsule = packed<DLManagedTensorVersioned>(value, handle);
  auto* managed = static_cast<DLManagedTensorVersioned*>(
      PyCapsule_GetPointer(capsule.ptr(), CapsuleName<DLManagedTensorVersioned>::kFresh));
  managed->major = kDlpackMajor;
  managed->minor = 0;
  managed->flags = kDlpackReadOnly;
  return capsule;
}

}  // namespace tinytf::python
