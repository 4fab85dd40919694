#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>

#include "base/stored_dtypes.h"
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

/// Names of capsules: as they are handed over, and once somebody has taken what is in them.
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

/// False for types that DLPack lacks.
bool dlpack_type(DType dtype, DLDataType* type);
/// kInvalid for types that tensors lack.
DType dtype_of_dlpack(DLDataType type);

/// A read-only array of the memory in a DLPack capsule, which it takes over; of a copy where the memory is not
/// contiguous or not aligned. InvalidArgument for capsules that were taken already, and for what is no tensor: they are
/// left alone.
pybind11::object dlpack_to_array(pybind11::handle capsule);

/// A read-only, aligned and C-contiguous ndarray: of this memory, which `owner` keeps alive, or of a copy. `strides`
/// are bytes, one per dimension; both sizes and strides were checked.
pybind11::object array_of_memory(DType dtype, const Dims& dims, const Dims& strides, void* data,
                                 pybind11::object owner);

}  // namespace tinytf::python
