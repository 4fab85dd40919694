#include "python/numpy_tensor.h"

#include <limits>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include <cstring>

#include "base/dtype.h"
#include "io/wire.h"
#include "python/dlpack.h"
#include "python/errors.h"
#include "python/with_gil.h"
#include "tensor/registry_type.h"
#include "tensor/resource_handle.h"

namespace tinytf::python {

using pybind11::literals::operator""_a;

namespace {

/// Buffer over a NumPy array's memory. Usually read-only, since the array belongs to the caller.
class NumpyBuffer final : public Buffer {
 public:
  /// Takes over a reference to `array`.
  explicit NumpyBuffer(PyArrayObject* array, bool writable = false)
      : Buffer(PyArray_DATA(array), static_cast<size_t>(PyArray_NBYTES(array)), writable), array_(array) {}

 private:
  ~NumpyBuffer() override { give_up_reference(reinterpret_cast<PyObject*>(array_)); }
  PyArrayObject* array_;
};

int numpy_type(DType dtype) {
  switch (storage_type(dtype)) {
    case DType::kFloat: return NPY_FLOAT32;
    case DType::kDouble: return NPY_FLOAT64;
    case DType::kInt32: return NPY_INT32;
    case DType::kUint8: return NPY_UINT8;
    case DType::kInt16: return NPY_INT16;
    case DType::kInt8: return NPY_INT8;
    case DType::kComplex64: return NPY_COMPLEX64;
    case DType::kInt64: return NPY_INT64;
    case DType::kBool: return NPY_BOOL;
    case DType::kUint16: return NPY_UINT16;
    case DType::kComplex128: return NPY_COMPLEX128;
    case DType::kHalf: return NPY_FLOAT16;
    case DType::kUint32: return NPY_UINT32;
    case DType::kUint64: return NPY_UINT64;
    case DType::kString: return NPY_OBJECT;
    default: return -1;
  }
}

/// Whether NumPy's type for it is one that ml_dtypes adds.
bool is_added_type(DType dtype) { return dtype == DType::kBfloat16 || is_float8(dtype); }

/// NumPy's type for a dtype that `is_added_type`; borrowed. Imports ml_dtypes on first use.
PyArray_Descr* added_descr(DType dtype) {
  static PyObject* descrs[kStoredDTypeCount];
  PyObject*& descr = descrs[static_cast<int>(dtype)];
  if (descr == nullptr) {
    py::object type = py::module_::import("ml_dtypes").attr(std::string(dtype_name(dtype)).c_str());
    PyArray_Descr* converted = nullptr;
    if (!PyArray_DescrConverter(type.ptr(), &converted)) throw py::error_already_set();
    descr = reinterpret_cast<PyObject*>(converted);
  }
  return reinterpret_cast<PyArray_Descr*>(descr);
}

/// Returns a new reference; throws TypeError if NumPy has no such type.
PyArray_Descr* descr_of(DType dtype) {
  if (is_added_type(dtype)) {
    PyArray_Descr* descr = added_descr(dtype);
    Py_INCREF(descr);
    return descr;
  }
  const int type = numpy_type(dtype);
  if (type < 0)
    throw py::type_error(str_cat("Tensors of type ", dtype_name(dtype), " cannot be converted to NumPy arrays"));
  return PyArray_DescrFromType(type);
}

bool same_type(PyArrayObject* array, DType dtype) {
  PyArray_Descr* descr = PyArray_DESCR(array);
  if (is_added_type(dtype)) return descr == added_descr(dtype);
  const int wanted = numpy_type(dtype);
  if (descr->type_num == wanted) return PyArray_ISNOTSWAPPED(array);
  // long and long long are distinct type numbers of one size.
  return wanted >= 0 && wanted != NPY_OBJECT && PyArray_EquivTypenums(descr->type_num, wanted) &&
         PyArray_ISNOTSWAPPED(array);
}

Shape shape_of(PyArrayObject* array) {
  return Shape(Dims(PyArray_DIMS(array), PyArray_DIMS(array) + PyArray_NDIM(array)));
}

/// Steals a reference to a C-contiguous array of the right dtype.
Tensor adopt_array(PyArrayObject* array, DType dtype) {
  Shape shape = shape_of(array);
  return Tensor(dtype, std::move(shape), make_ref<NumpyBuffer>(array));
}

std::string string_element(PyObject* item) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_Check(item)) {
    PyBytes_AsStringAndSize(item, &data, &size);
    return std::string(data, static_cast<size_t>(size));
  }
  if (PyUnicode_Check(item)) {
    const char* text = PyUnicode_AsUTF8AndSize(item, &size);
    if (text == nullptr) throw py::error_already_set();
    return std::string(text, static_cast<size_t>(size));
  }
  throw py::type_error(str_cat("Unsupported object type ", Py_TYPE(item)->tp_name));
}

Tensor strings_from_python(py::handle value) {
  auto array = py::reinterpret_steal<py::object>(PyArray_FromAny(value.ptr(), PyArray_DescrFromType(NPY_OBJECT), 0, 0,
                                                                 NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST, nullptr));
  if (!array) throw py::error_already_set();
  auto* raw = reinterpret_cast<PyArrayObject*>(array.ptr());
  Tensor tensor = value_or_throw(Tensor::allocate(Allocator::process(), DType::kString, shape_of(raw)));
  auto** items = static_cast<PyObject**>(PyArray_DATA(raw));
  for (int64_t i = 0; i < tensor.num_elements(); ++i) tensor.data<std::string>()[i] = string_element(items[i]);
  return tensor;
}

template <class T>
Tensor scalar_if_it_fits(PyObject* value) {
  if constexpr (std::is_same_v<T, bool>) {
    return PyBool_Check(value) ? Tensor::scalar<bool>(value == Py_True) : Tensor();
  } else if constexpr (std::is_integral_v<T>) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow != 0 || number != static_cast<long long>(static_cast<T>(number)) ||
        (std::is_unsigned_v<T> && number < 0)) {
      return Tensor();
    }
    return Tensor::scalar<T>(static_cast<T>(number));
  } else {
    const double number = PyFloat_Check(value) ? PyFloat_AS_DOUBLE(value) : PyLong_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      return Tensor();
    }
    // Integers that a float cannot hold exactly are left to NumPy's conversion, or its error.
    constexpr double kAllExact = std::is_same_v<T, float> ? 1 << 24 : std::numeric_limits<double>::infinity();
    if (!PyFloat_Check(value) && (number > kAllExact || number < -kAllExact)) return Tensor();
    return Tensor::scalar<T>(static_cast<T>(number));
  }
}

Tensor try_scalar(PyObject* value, DType dtype) {
  const bool is_float = PyFloat_CheckExact(value);
  if (!is_float && !PyLong_CheckExact(value) && !PyBool_Check(value)) return Tensor();
  if (is_float && dtype != DType::kFloat && dtype != DType::kDouble) return Tensor();
  switch (dtype) {
    case DType::kFloat: return scalar_if_it_fits<float>(value);
    case DType::kDouble: return scalar_if_it_fits<double>(value);
    case DType::kInt32: return scalar_if_it_fits<int32_t>(value);
    case DType::kInt64: return scalar_if_it_fits<int64_t>(value);
    case DType::kUint8: return scalar_if_it_fits<uint8_t>(value);
    case DType::kBool: return scalar_if_it_fits<bool>(value);
    default: return Tensor();
  }
}

/// Converts a NumPy scalar of exactly this type; returns an invalid Tensor for other types.
Tensor try_numpy_scalar(PyObject* value, DType dtype) {
  const int wanted = numpy_type(dtype);
  if (wanted < 0 || wanted == NPY_OBJECT) return Tensor();
  PyArray_Descr* const descr = PyArray_DescrFromScalar(value);
  const bool is_wanted = descr != nullptr && PyArray_EquivTypenums(descr->type_num, wanted);
  Py_XDECREF(descr);
  if (!is_wanted) {
    PyErr_Clear();
    return Tensor();
  }
  auto tensor = Tensor::allocate(Allocator::process(), dtype, Shape());
  if (!tensor.ok()) return Tensor();
  PyArray_ScalarAsCtype(value, tensor.value().raw());
  return tensor.take();
}

}  // namespace

void init_numpy() {
  if (_import_array() < 0) throw py::error_already_set();
}

py::object numpy_dtype(DType dtype) {
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(descr_of(dtype)));
}

Tensor try_tensor_from_python(PyObject* value, DType dtype) {
  if (!PyArray_CheckExact(value)) {
    return PyArray_IsScalar(value, Generic) ? try_numpy_scalar(value, dtype) : try_scalar(value, dtype);
  }
  auto* array = reinterpret_cast<PyArrayObject*>(value);
  if (dtype == DType::kString || !PyArray_IS_C_CONTIGUOUS(array) || !same_type(array, dtype)) return Tensor();
  Py_INCREF(array);
  return adopt_array(array, dtype);
}

Tensor tensor_from_python(py::handle value, DType dtype) {
  if (dtype == DType::kString) return strings_from_python(value);
  PyObject* converted = PyArray_FromAny(value.ptr(), descr_of(dtype), 0, 0,
                                        NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_FORCECAST, nullptr);
  if (converted == nullptr) throw py::error_already_set();
  return adopt_array(reinterpret_cast<PyArrayObject*>(converted), dtype);
}

namespace {

/// A tensor's sizes as npy_intp, which on macOS is a different type than int64_t of the same size.
const npy_intp* sizes_of(const Tensor& tensor) {
  static_assert(sizeof(npy_intp) == sizeof(int64_t));
  return reinterpret_cast<const npy_intp*>(tensor.shape().dims().data());
}

/// Returns the new array for a tensor, or throws NumPy's error. NumPy refuses shapes whose sizes overflow even if they
/// have no elements; this throws TensorFlow's error instead.
py::object array_or_throw(PyObject* array, const Tensor& tensor) {
  if (array != nullptr) return py::reinterpret_steal<py::object>(array);
  py::error_already_set error;
  if (!error.matches(PyExc_ValueError)) throw error;
  throw_if_error(internal_error("Could not allocate ndarray of shape ", tensor.shape().to_string(),
                                ": NumPy says: ", std::string(py::str(error.value()))));
  return py::none();
}

py::object strings_to_python(const Tensor& tensor) {
  const auto* items = tensor.data<std::string>();
  if (tensor.rank() == 0) return py::bytes(items[0]);
  py::object array = array_or_throw(PyArray_SimpleNew(tensor.rank(), sizes_of(tensor), NPY_OBJECT), tensor);
  auto** out = static_cast<PyObject**>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    Py_XDECREF(out[i]);
    out[i] = PyBytes_FromStringAndSize(items[i].data(), static_cast<Py_ssize_t>(items[i].size()));
  }
  return array;
}

bool is_opaque(DType dtype) { return dtype == DType::kResource || dtype == DType::kVariant; }

/// A serialized ResourceHandleProto, without the type hash, which only TensorFlow's own processes can compute, and
/// without the dtype and shape of a variable.
std::string message_of(const ResourceHandle& handle) {
  constexpr int kDevice = 1, kContainer = 2, kName = 3, kTypeName = 5;
  std::string message;
  WireWriter writer(&message);
  writer.bytes(kDevice, "/job:localhost/replica:0/task:0/device:CPU:0");
  const auto text = [&](int field, const std::string& value) {
    if (!value.empty()) writer.bytes(field, value);
  };
  text(kContainer, handle.container);
  text(kName, handle.name);
  const bool is_class = handle.type_name.find("::") != std::string::npos;
  text(kTypeName, is_class ? registry_type_of(handle.type_name) : handle.type_name);
  return message;
}

/// Whether it is the handle of a step's TensorArray or stack: two elements, as the shape functions declare, and the
/// second one is empty. In TensorFlow these handles are scalars, whatever the shape functions declare.
bool is_step_handle(const Tensor& tensor) {
  if (tensor.rank() != 1 || tensor.num_elements() != 2) return false;
  const ResourceHandle& second = tensor.data<ResourceHandle>()[1];
  return second.name.empty() && second.type_name.empty();
}

/// Resources and variants have no NumPy form. As in TensorFlow, one resource becomes the bytes of a message as an array
/// of records with one field, several are InvalidArgument, and variants are Internal errors.
py::object opaque_to_python(const Tensor& tensor) {
  if (tensor.dtype() == DType::kVariant) {
    throw_if_error(internal_error("Tensorflow type 21 not convertible to numpy dtype."));
  }
  if (tensor.rank() > 0 && !is_step_handle(tensor)) {
    throw_if_error(
        invalid_argument("Unexpected non-scalar DT_RESOURCE tensor seen (shape: ", tensor.shape().to_string(), ")."));
  }
  py::list fields;
  fields.append(py::make_tuple("resource", "u1"));
  const std::string message = message_of(tensor.data<ResourceHandle>()[0]);
  return py::module_::import("numpy").attr("frombuffer")(py::bytes(message), fields).attr("copy")();
}

constexpr size_t kCheaperToCopy = 256;  // Bytes; a capsule costs more than copying these.
constexpr const char* kBufferCapsule = "tinytf.buffer";

/// Returns an array of the tensor's memory, which the array keeps alive. Not for strings.
py::object array_over(const Tensor& tensor, int flags) {
  py::object result =
      array_or_throw(PyArray_NewFromDescr(&PyArray_Type, descr_of(tensor.dtype()), tensor.rank(), sizes_of(tensor),
                                          nullptr, const_cast<void*>(tensor.raw()), flags, nullptr),
                     tensor);
  Buffer* buffer = RefPtr<Buffer>(tensor.buffer()).release();
  py::capsule owner(buffer, kBufferCapsule, [](PyObject* capsule) {
    static_cast<Buffer*>(PyCapsule_GetPointer(capsule, kBufferCapsule))->unref();
  });
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(result.ptr()), owner.release().ptr()) < 0)
    throw py::error_already_set();
  return result;
}

}  // namespace

py::object tensor_to_array(const Tensor& tensor) {
  if (tensor.dtype() == DType::kString && tensor.rank() > 0) return strings_to_python(tensor);
  if (is_opaque(tensor.dtype())) return opaque_to_python(tensor);
  if (tensor.dtype() == DType::kString) {
    py::object array = py::module_::import("numpy").attr("array")(strings_to_python(tensor), "dtype"_a = "O");
    return array;
  }
  py::object array = array_or_throw(PyArray_NewFromDescr(&PyArray_Type, descr_of(tensor.dtype()), tensor.rank(),
                                                         sizes_of(tensor), nullptr, nullptr, 0, nullptr),
                                    tensor);
  if (tensor.bytes() > 0)
    std::memcpy(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())), tensor.raw(), tensor.bytes());
  return array;
}

py::object tensor_to_python(Tensor tensor) {
  if (tensor.dtype() == DType::kString) return strings_to_python(tensor);
  if (is_opaque(tensor.dtype())) return opaque_to_python(tensor);
  if (tensor.rank() == 0) {
    PyArray_Descr* descr = descr_of(tensor.dtype());
    PyObject* scalar = PyArray_Scalar(tensor.raw(), descr, nullptr);
    Py_DECREF(descr);
    if (scalar == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(scalar);
  }
  if (!tensor.writable_in_place() || tensor.bytes() <= kCheaperToCopy) return tensor_to_array(tensor);
  return array_over(tensor, NPY_ARRAY_CARRAY);
}

py::object tensor_to_argument(const Tensor& tensor, bool may_change) {
  if (tensor.rank() == 0 || tensor.dtype() == DType::kString || is_opaque(tensor.dtype()))
    return tensor_to_python(tensor);
  if (may_change && tensor.bytes() > kCheaperToCopy) return array_over(tensor, NPY_ARRAY_CARRAY);
  return tensor_to_array(tensor);
}

py::object readonly_view(const Tensor& tensor, py::object owner) {
  py::object result =
      array_or_throw(PyArray_NewFromDescr(&PyArray_Type, descr_of(tensor.dtype()), tensor.rank(), sizes_of(tensor),
                                          nullptr, const_cast<void*>(tensor.raw()), NPY_ARRAY_CARRAY_RO, nullptr),
                     tensor);
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(result.ptr()), owner.release().ptr()) < 0)
    throw py::error_already_set();
  return result;
}

py::object array_of_memory(DType dtype, const Dims& dims, const Dims& strides, void* data, py::object owner) {
  auto array = py::reinterpret_steal<py::object>(
      PyArray_NewFromDescr(&PyArray_Type, descr_of(dtype), static_cast<int>(dims.size()),
                           const_cast<int64_t*>(dims.data()), const_cast<int64_t*>(strides.data()), data, 0, nullptr));
  if (!array) throw py::error_already_set();
  auto* raw = reinterpret_cast<PyArrayObject*>(array.ptr());
  if (PyArray_SetBaseObject(raw, owner.release().ptr()) < 0) throw py::error_already_set();
  PyArray_UpdateFlags(raw, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_ALIGNED);
  auto result = py::reinterpret_steal<py::object>(PyArray_FromArray(raw, nullptr, NPY_ARRAY_CARRAY_RO));
  if (!result) throw py::error_already_set();
  PyArray_CLEARFLAGS(reinterpret_cast<PyArrayObject*>(result.ptr()), NPY_ARRAY_WRITEABLE);
  return result;
}

py::object shape_to_python(const PartialShape& shape) {
  if (!shape.known_rank()) return py::none();
  py::tuple dims(shape.rank());
  for (int i = 0; i < shape.rank(); ++i) {
    dims[i] = shape.dim(i) < 0 ? py::object(py::none()) : py::object(py::int_(shape.dim(i)));
  }
  return dims;
}

PartialShape shape_from_python(py::handle shape) {
  if (shape.is_none()) return PartialShape();
  PartialShape result = PartialShape::scalar();
  for (py::handle dim : shape) {
    const int64_t size = dim.is_none() ? kUnknownDim : dim.cast<int64_t>();
    result.add_dim(size < 0 ? kUnknownDim : size);
  }
  return result;
}

namespace {

DType dtype_of_added(const PyArray_Descr* descr) {
  for (DType dtype :
       {DType::kBfloat16, kFloat8E5m2, kFloat8E4m3fn, kFloat8E4m3fnuz, kFloat8E4m3b11fnuz, kFloat8E5m2fnuz}) {
    if (descr == added_descr(dtype)) return dtype;
  }
  return DType::kInvalid;
}

/// Returns kInvalid for types that tensors lack.
DType dtype_of_array(PyArrayObject* array) {
  const PyArray_Descr* descr = PyArray_DESCR(array);
  if (PyTypeNum_ISUSERDEF(descr->type_num)) return dtype_of_added(descr);
  static constexpr DType kNumbers[] = {
      DType::kFloat,  DType::kDouble,    DType::kHalf,       DType::kInt8,   DType::kInt16,
      DType::kInt32,  DType::kInt64,     DType::kUint8,      DType::kUint16, DType::kUint32,
      DType::kUint64, DType::kComplex64, DType::kComplex128, DType::kBool,
  };
  for (DType dtype : kNumbers) {
    if (PyArray_EquivTypenums(descr->type_num, numpy_type(dtype))) return dtype;
  }
  const bool is_text = PyTypeNum_ISSTRING(descr->type_num) || descr->type_num == NPY_OBJECT;
  return is_text ? DType::kString : DType::kInvalid;
}

Status unsupported_type(int type_num) {
  switch (type_num) {
    case NPY_LONGDOUBLE: return internal_error("Unsupported numpy type: NPY_LONGDOUBLE");
    case NPY_CLONGDOUBLE: return internal_error("Unsupported numpy type: NPY_CLONGDOUBLE");
    case NPY_DATETIME: return internal_error("Unsupported numpy type: NPY_DATETIME");
    case NPY_TIMEDELTA: return internal_error("Unsupported numpy type: NPY_TIMEDELTA");
    default: return internal_error("Unsupported numpy data type");
  }
}

Result<Tensor> strings_or_error(py::handle value) {
  try {
    return strings_from_python(value);
  } catch (const py::type_error& error) {  // An element is not text.
    return internal_error(error.what());
  } catch (const StatusException& error) {
    return error.status();
  }
}

/// Whether the array is read-only, or its memory can be changed only through the caller's one reference.
bool is_safe_to_share(PyArrayObject* array) {
  if (!PyArray_ISWRITEABLE(array)) return true;
  PyObject* owner = reinterpret_cast<PyObject*>(array);
  while (owner != nullptr && Py_REFCNT(owner) == 1 && PyArray_CheckExact(owner)) {
    auto* viewed = reinterpret_cast<PyArrayObject*>(owner);
    owner = PyArray_BASE(viewed);
    if (owner == nullptr) return PyArray_CHKFLAGS(viewed, NPY_ARRAY_OWNDATA);
  }
  return Py_REFCNT(owner) == 1 && PyCapsule_IsValid(owner, kBufferCapsule);
}

}  // namespace

Result<Tensor> tensor_from_result(py::object value, Allocator& allocator) {
  // Returns the array itself if it already has the wanted form. Otherwise it may call methods of the value.
  constexpr int kWanted = NPY_ARRAY_CARRAY_RO | NPY_ARRAY_NOTSWAPPED;
  auto owned = py::reinterpret_steal<py::object>(
      staying_at_exit([&value] { return PyArray_CheckFromAny(value.ptr(), nullptr, 0, 0, kWanted, nullptr); }));
  if (!owned) throw py::error_already_set();
  auto* array = reinterpret_cast<PyArrayObject*>(owned.ptr());
  const DType dtype = dtype_of_array(array);
  if (dtype == DType::kInvalid) return unsupported_type(PyArray_TYPE(array));
  // Reads the value, as a fixed-width array may have cut zeros.
  if (dtype == DType::kString) return strings_or_error(value);
  value = py::object();
  // Bytes; releasing the array later, under a lock, costs more than copying these.
  constexpr npy_intp kCheaperToCopy = 4096;
  if (PyArray_NBYTES(array) > kCheaperToCopy && !allocator.is_limited() && is_safe_to_share(array)) {
    const bool is_ours = Py_REFCNT(array) == 1 && PyArray_CHKFLAGS(array, NPY_ARRAY_OWNDATA | NPY_ARRAY_WRITEABLE);
    return Tensor(dtype, shape_of(array),
                  make_ref<NumpyBuffer>(reinterpret_cast<PyArrayObject*>(owned.release().ptr()), is_ours));
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor copy, Tensor::allocate(allocator, dtype, shape_of(array)));
  if (copy.bytes() > 0) std::memcpy(copy.raw(), PyArray_DATA(array), copy.bytes());
  return copy;
}

}  // namespace tinytf::python
