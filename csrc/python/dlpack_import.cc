#include "base/checked.h"
#include "python/dlpack.h"
#include "python/errors.h"
#include "tensor/shape.h"

namespace tinytf::python {

namespace py = pybind11;

namespace {

/// Memory of a capsule, described for NumPy.
struct View {
  DType dtype = DType::kInvalid;
  Dims dims;
  Dims strides;  // In bytes; one per dimension.
  void* data = nullptr;
};

constexpr int kMaxRank = 32;  // Limit of NumPy 1 arrays.

/// Strides in bytes; C order if the tensor has none. InvalidArgument if an element would lie outside the address space.
Result<Dims> byte_strides(const DLTensor& tensor, const Shape& shape, int64_t element, uintptr_t begin) {
  Dims strides(static_cast<size_t>(shape.rank()), 0);
  Size next = element, low = 0, high = 0;
  for (int i = shape.rank(); i-- > 0;) {
    const int64_t dim = shape.dim(i);
    const Size stride = tensor.strides == nullptr ? next : Size(tensor.strides[i]) * element;
    next *= dim > 0 ? dim : 1;
    if (dim <= 1 || shape.num_elements() == 0) {  // Its index is always zero.
      strides[static_cast<size_t>(i)] = element;
      continue;
    }
    const Size last = stride * (dim - 1);
    if (!last.ok())
      return invalid_argument("DLPack tensor has stride ", tensor.strides[i], " in dimension ", i,
                              ", which is too large");
    (last.value() < 0 ? low : high) += last;
    strides[static_cast<size_t>(i)] = stride.value();
  }
  const Size from = Size(static_cast<int64_t>(begin)) + low, to = Size(static_cast<int64_t>(begin)) + high + element;
  if (shape.num_elements() > 0 && (!from.within(1, INT64_MAX) || !to.ok())) {
    return invalid_argument("DLPack tensor has elements at addresses beyond the address space");
  }
  return strides;
}

Result<View> view_of(const DLTensor& tensor) {
  View view;
  view.dtype = dtype_of_dlpack(tensor.dtype);
  if (tensor.device.device_type != kDlpackCpu) {
    return invalid_argument("DLPack tensor is not in the CPU's memory, but on a device of type ",
                            tensor.device.device_type);
  }
  if (view.dtype == DType::kInvalid) {
    return invalid_argument("DLPack tensor has an unsupported element type: code ", int{tensor.dtype.code}, ", ",
                            int{tensor.dtype.bits}, " bits, ", tensor.dtype.lanes, " lanes");
  }
  if (tensor.ndim < 0 || tensor.ndim > kMaxRank || (tensor.ndim > 0 && tensor.shape == nullptr)) {
    return invalid_argument("DLPack tensor has ", tensor.ndim,
                            " dimensions, which is out of range, or its shape pointer is null");
  }
  TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(Dims(tensor.shape, tensor.shape + tensor.ndim)));
  const auto element = static_cast<int64_t>(dtype_size(view.dtype));
  if (!(Size(shape.extent()) * element).ok()) {
    return invalid_argument("DLPack tensor of shape ", shape.to_string(), " has more than 2**63 - 1 bytes");
  }
  const auto start = reinterpret_cast<uintptr_t>(tensor.data);
  if (shape.num_elements() > 0 && (start == 0 || start + tensor.byte_offset < start)) {
    return invalid_argument("DLPack tensor of shape ", shape.to_string(), " has an invalid data pointer");
  }
  TINYTF_ASSIGN_OR_RETURN(view.strides, byte_strides(tensor, shape, element, start + tensor.byte_offset));
  view.dims = shape.dims();
  view.data = static_cast<char*>(tensor.data) + (shape.num_elements() > 0 ? tensor.byte_offset : 0);
  return view;
}

/// Owns the contents of a capsule: the deleter is called, with the GIL, when the last reference is dropped.
template <class Managed>
py::object owner_of(Managed* managed) {
  return py::capsule(managed, "tinytf.dlpack", [](PyObject* capsule) {
    auto* owned = static_cast<Managed*>(PyCapsule_GetPointer(capsule, "tinytf.dlpack"));
    py::error_scope kept;  // Preserves the pending exception of the code that drops the reference.
    if (owned->deleter != nullptr) owned->deleter(owned);
  });
}

/// A rejected capsule is left untouched: its producer still owns the contents.
template <class Managed>
py::object take(py::handle capsule) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), CapsuleName<Managed>::kFresh));
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
    if (managed->major != kDlpackMajor) {  // The layout of other major versions is unknown.
      throw StatusException(invalid_argument("DLPack tensor has version ", managed->major, ".", managed->minor,
                                             ", but only version ", kDlpackMajor, " is supported"));
    }
  }
  const View view = value_or_throw(view_of(managed->dl_tensor));
  py::object owner = owner_of(managed);
  if (PyCapsule_SetName(capsule.ptr(), CapsuleName<Managed>::kUsed) != 0) throw py::error_already_set();
  return array_of_memory(view.dtype, view.dims, view.strides, view.data, std::move(owner));
}

}  // namespace

py::object dlpack_to_array(py::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), CapsuleName<DLManagedTensor>::kFresh) != 0)
    return take<DLManagedTensor>(capsule);
  if (PyCapsule_IsValid(capsule.ptr(), CapsuleName<DLManagedTensorVersioned>::kFresh) != 0) {
    return take<DLManagedTensorVersioned>(capsule);
  }
  const char* name = PyCapsule_CheckExact(capsule.ptr()) ? PyCapsule_GetName(capsule.ptr()) : nullptr;
  PyErr_Clear();
  throw StatusException(invalid_argument("DLPack tensor must be a capsule with name \"dltensor\", got \"",
                                         name == nullptr ? Py_TYPE(capsule.ptr())->tp_name : name,
                                         "\". Note that a DLPack tensor may be consumed at most once."));
}

}  // namespace tinytf::python
