#include "python/eager_dlpack.h"

#include <utility>

#include "base/str_cat.h"
#include "python/errors.h"
#include "python/export_list.h"

namespace tinytf::python {

namespace {

// DLPack's structures, https://dmlc.github.io/dlpack/latest/c_api.html.
struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};
struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  DLTensor dl_tensor;
};
constexpr uint64_t kReadOnly = 1;

bool dlpack_type(DType dtype, DLDataType* type) {
  enum : uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6 };
  const auto bits = static_cast<uint8_t>(8 * dtype_size(dtype));
  switch (dtype) {
    case DType::kFloat:
    case DType::kDouble:
    case DType::kHalf: *type = {kFloat, bits, 1}; return true;
    case DType::kBfloat16: *type = {kBfloat, bits, 1}; return true;
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64: *type = {kInt, bits, 1}; return true;
    case DType::kUint8:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64: *type = {kUInt, bits, 1}; return true;
    case DType::kComplex64:
    case DType::kComplex128: *type = {kComplex, bits, 1}; return true;
    case DType::kBool: *type = {kBool, 8, 1}; return true;
    default: return false;
  }
}

/// What a managed tensor refers to until its deleter is called, by whatever thread.
template <class Managed>
struct Package final : Export {
  Package(const Tensor& value, const TensorHandle& handle)
      : Export(ExportInfo::Kind::kDlpack, value, handle), shape(dims()), steps(strides(1)) {
    managed.dl_tensor = {
        const_cast<void*>(value.raw()), {/*kDLCPU*/ 1, 0}, value.rank(), {}, shape.data(), steps.data(), 0};
    dlpack_type(value.dtype(), &managed.dl_tensor.dtype);
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { static_cast<Package*>(self->manager_ctx)->release_anywhere(); };
  }
  Managed managed{};
  Dims shape, steps;
};

template <class Managed>
py::object packed(const Tensor& value, const TensorHandle& handle, const char* name, PyCapsule_Destructor unused) {
  ExportPtr<Package<Managed>> package(new Package<Managed>(value, handle));
  PyObject* capsule = PyCapsule_New(&package->managed, name, unused);
  if (capsule == nullptr) throw py::error_already_set();
  package.release();
  return py::reinterpret_steal<py::object>(capsule);
}

/// Whoever takes a capsule renames it and calls the deleter himself.
template <class Managed>
void drop_unused(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

constexpr const char* kOldName = "dltensor";
constexpr const char* kNewName = "dltensor_versioned";

}  // namespace

py::object export_dlpack(const Tensor& value, const TensorHandle& handle, bool versioned) {
  DLDataType type;
  if (!dlpack_type(value.dtype(), &type)) {
    PyErr_SetString(PyExc_BufferError,
                    str_cat("tensors of type ", dtype_name(value.dtype()), " have no DLPack form").c_str());
    throw py::error_already_set();
  }
  if (!versioned) {
    const Tensor copy = value_or_throw(value.clone(handle.core().allocator()));
    return packed<DLManagedTensor>(copy, handle, kOldName,
                                   [](PyObject* capsule) { drop_unused<DLManagedTensor>(capsule, kOldName); });
  }
  py::object capsule = packed<DLManagedTensorVersioned>(
      value, handle, kNewName, [](PyObject* taken) { drop_unused<DLManagedTensorVersioned>(taken, kNewName); });
  auto* managed = static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule.ptr(), kNewName));
  managed->major = 1;
  managed->minor = 0;
  managed->flags = kReadOnly;
  return capsule;
}

}  // namespace tinytf::python
