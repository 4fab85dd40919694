#include "python/eager_exports.h"

#include <utility>

#include "python/eager_tensor.h"
#include "python/errors.h"
#include "python/export_list.h"
#include "python/numpy_tensor.h"

namespace tinytf::python {

namespace {

constexpr const char* kCapsule = "tinytf.export";

/// Format code of struct and memoryview; null if they have none for the dtype.
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

/// Py_buffer wants Py_ssize_t, which on macOS is a different type than int64_t of the same size.
using Sizes = InlinedVector<Py_ssize_t, 4>;
Sizes sizes(const Dims& dims) { return Sizes(dims.begin(), dims.end()); }

/// Memory behind a Py_buffer until it is released.
struct View final : Export {
  View(const Tensor& value, const TensorHandle& handle)
      : Export(ExportInfo::Kind::kBuffer, value, handle),
        shape(sizes(dims())),
        steps(sizes(strides(static_cast<int64_t>(dtype_size(value.dtype()))))) {}
  Sizes shape, steps;
};

}  // namespace

py::object export_array(const Tensor& value, const TensorHandle& handle) {
  if (value.rank() == 0 || dtype_size(value.dtype()) == 0) {
    return tensor_to_python(value);
  }
  ExportPtr<> kept(new Export(ExportInfo::Kind::kArray, value, handle));
  auto owner = py::reinterpret_steal<py::object>(PyCapsule_New(kept.get(), kCapsule, [](PyObject* capsule) {
    static_cast<Export*>(PyCapsule_GetPointer(capsule, kCapsule))->release();
  }));
  if (!owner) throw py::error_already_set();
  kept.release();
  return readonly_view(value, std::move(owner));
}

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  view->obj = nullptr;
  PyObject* done = guarded([&] {
    EagerTensorObject* self = as_eager_tensor(object);
    const Tensor value = value_of(self, nullptr);
    const char* format = format_of(value.dtype());
    if (format == nullptr) {
      PyErr_SetString(PyExc_BufferError, str_cat("tensors of type ", dtype_name(value.dtype()),
                                                 " cannot be exported through the buffer protocol")
                                             .c_str());
      throw py::error_already_set();
    }
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
      PyErr_SetString(PyExc_BufferError, "tensors are read-only");
      throw py::error_already_set();
    }
    ExportPtr<View> kept(new View(value, *self->handle));
    view->buf = const_cast<void*>(value.raw());
    view->len = static_cast<Py_ssize_t>(value.bytes());
    view->readonly = 1;
    view->itemsize = static_cast<Py_ssize_t>(dtype_size(value.dtype()));
    view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
    view->ndim = (flags & PyBUF_ND) != 0 ? value.rank() : 1;
    view->shape = (flags & PyBUF_ND) != 0 ? kept->shape.data() : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? kept->steps.data() : nullptr;
    view->suboffsets = nullptr;
    view->internal = kept.release();
    Py_INCREF(object);
    view->obj = object;
    return object;
  });
  return done != nullptr ? 0 : -1;
}

void release_buffer(PyObject*, Py_buffer* view) { static_cast<View*>(view->internal)->release(); }

}  // namespace tinytf::python
