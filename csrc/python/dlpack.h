#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>

#include "base/dtype.h"
#include "tensor/shape.h"

namespace tinytf::python {

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

/// Capsule names: before and after a consumer has taken the contents.
template <class Managed>
struct CapsuleName;
template <>
struct CapsuleName<DLManagedTensor> {
  static constexpr const char* kFresh = "dltensor";
  static constexpr const char* kUsed = "used_dltensor";
};
template <>
struct CapsuleName<DLManagedTensorVersioned> {
  static constexpr const char* kFresh = "dltensor_versioned";
  static constexpr const char* kUsed = "used_dltensor_versioned";
};

inline constexpr uint32_t kDlpackMajor = 1;
inline constexpr uint64_t kDlpackReadOnly = 1;
inline constexpr int32_t kDlpackCpu = 1;

/// Returns false for dtypes that DLPack lacks.
bool dlpack_type(DType dtype, DLDataType* type);
/// Returns kInvalid for types that tensors lack.
DType dtype_of_dlpack(DLDataType type);

/// Takes over the memory of a DLPack capsule and returns a read-only array of it, or of a copy if the memory is not
/// contiguous or not aligned. Throws InvalidArgument, and leaves the capsule alone, if it was consumed already or is
/// not a tensor.
pybind11::object dlpack_to_array(pybind11::handle capsule);

/// Returns a read-only, aligned and C-contiguous ndarray: of this memory, which `owner` keeps alive, or of a copy.
/// `strides` are in bytes, one per dimension. The caller must have checked sizes and strides.
pybind11::object array_of_memory(DType dtype, const Dims& dims, const Dims& strides, void* data,
                                 pybind11::object owner);

}  // namespace tinytf::python
