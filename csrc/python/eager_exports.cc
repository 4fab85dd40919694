#include "python/eager_exports.h"

#include <memory>
#include <vector>

#include "python/eager_tensor.h"
#include "python/errors.h"
#include "python/numpy_tensor.h"

namespace tinytf::python {

namespace {

/// Memory that somebody outside holds. It may outlive its tensor and its session; released with or without the GIL.
class Export {
 public:
  Export(const Tensor& value, SessionCore& core)
      : buffer_(value.buffer()), core_(RefPtr<SessionCore>::share(&core)), bytes_(value.bytes()) {
    core_->note_export(bytes_);
  }
  ~Export() { core_->note_unexport(bytes_); }
  Export(const Export&) = delete;
  Export& operator=(const Export&) = delete;

 private:
  const RefPtr<Buffer> buffer_;
  const RefPtr<SessionCore> core_;
  const int64_t bytes_;
};

py::capsule export_capsule(const Tensor& value, SessionCore& core) {
  return py::capsule(new Export(value, core), [](void* kept) { delete static_cast<Export*>(kept); });
}

/// As struct and memoryview write it; null if they know no such type.
const char* format_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat: return "f";
    case DType::kDouble: return "d";
    case DType::kHalf: return "e";
    case DType::kInt8: return "b";
    case DType::kUint8: return "B";
    case DType::kInt16: return "h";
    case DType::kUint16: return "H";
    case DType::kInt32: return "i";
    case DType::kUint32: return "I";
    case DType::kInt64: return "l";
    case DType::kUint64: return "L";
    case DType::kBool: return "?";
    case DType::kComplex64: return "Zf";
    case DType::kComplex128: return "Zd";
    default: return nullptr;
  }
}

/// What a Py_buffer refers to until it is released.
struct View {
  View(const Tensor& value, SessionCore& core) : kept(value, core) {
    const Py_ssize_t item = static_cast<Py_ssize_t>(dtype_size(value.dtype()));
    shape.assign(value.shape().dims().begin(), value.shape().dims().end());
    strides.resize(shape.size());
    Py_ssize_t stride = item;
    for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i] = stride;
  }
  Export kept;
  std::vector<Py_ssize_t> shape, strides;
};

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

template <class Managed>
struct Package {
  Package(const Tensor& value, SessionCore& core) : kept(value, core) {
    shape.assign(value.shape().dims().begin(), value.shape().dims().end());
    strides.resize(shape.size());
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i] = stride;
    managed.dl_tensor = {
        const_cast<void*>(value.raw()), {/*kDLCPU*/ 1, 0}, value.rank(), {}, shape.data(), strides.data(), 0};
    dlpack_type(value.dtype(), &managed.dl_tensor.dtype);
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { delete static_cast<Package*>(self->manager_ctx); };
  }
  Managed managed{};
  Export kept;
  std::vector<int64_t> shape, strides;
};

template <class Managed>
py::object packed(const Tensor& value, SessionCore& core, const char* name, PyCapsule_Destructor unused) {
  auto package = std::make_unique<Package<Managed>>(value, core);
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

py::object export_array(const Tensor& value, SessionCore& core) {
  if (value.rank() == 0 || value.dtype() == DType::kString || value.dtype() == DType::kResource) {
    return tensor_to_python(value);
  }
  return readonly_view(value, export_capsule(value, core));
}

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  view->obj = nullptr;
  PyObject* done = guarded([&] {
    EagerTensorObject* self = as_eager_tensor(object);
    const Tensor value = value_of(self, nullptr);
    const char* format = format_of(value.dtype());
    if (format == nullptr) {
      PyErr_SetString(PyExc_BufferError,
                      str_cat("tensors of type ", dtype_name(value.dtype()), " have no buffer").c_str());
      throw py::error_already_set();
    }
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
      PyErr_SetString(PyExc_BufferError, "tensors are read-only");
      throw py::error_already_set();
    }
    auto kept = std::make_unique<View>(value, self->handle->core());
    view->buf = const_cast<void*>(value.raw());
    view->len = static_cast<Py_ssize_t>(value.bytes());
    view->readonly = 1;
    view->itemsize = static_cast<Py_ssize_t>(dtype_size(value.dtype()));
    view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
    view->ndim = (flags & PyBUF_ND) != 0 ? value.rank() : 1;
    view->shape = (flags & PyBUF_ND) != 0 ? kept->shape.data() : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? kept->strides.data() : nullptr;
    view->suboffsets = nullptr;
    view->internal = kept.release();
    Py_INCREF(object);
    view->obj = object;
    return object;
  });
  return done != nullptr ? 0 : -1;
}

void release_buffer(PyObject*, Py_buffer* view) { delete static_cast<View*>(view->internal); }

py::object export_dlpack(const Tensor& value, SessionCore& core, bool versioned) {
  DLDataType type;
  if (!dlpack_type(value.dtype(), &type)) {
    PyErr_SetString(PyExc_BufferError,
                    str_cat("tensors of type ", dtype_name(value.dtype()), " have no DLPack form").c_str());
    throw py::error_already_set();
  }
  if (!versioned) {
    const Tensor copy = value_or_throw(value.clone(core.allocator()));
    return packed<DLManagedTensor>(copy, core, kOldName,
                                   [](PyObject* capsule) { drop_unused<DLManagedTensor>(capsule, kOldName); });
  }
  py::object capsule = packed<DLManagedTensorVersioned>(
      value, core, kNewName, [](PyObject* taken) { drop_unused<DLManagedTensorVersioned>(taken, kNewName); });
  auto* managed = static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule.ptr(), kNewName));
  managed->major = 1;
  managed->minor = 0;
  managed->flags = kReadOnly;
  return capsule;
}

}  // namespace tinytf::python
