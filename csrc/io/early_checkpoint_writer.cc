#include "io/early_checkpoint_writer.h"

#include "base/dtype.h"
#include "io/atomic_file.h"
#include "io/slice_key.h"
#include "io/slice_proto.h"
#include "io/table_builder.h"
#include "io/tensor_proto.h"

namespace tinytf {

namespace {

constexpr size_t kMaxValue = INT32_MAX;

bool is_in_format(DType dtype) {
  return dtype == DType::kString || (dtype_size(dtype) > 0 && dtype != DType::kUint32 && dtype != DType::kUint64 &&
                                     dtype != DType::kBfloat16 && !is_float8(dtype));
}

}  // namespace

Status EarlyCheckpointWriter::add(const std::string& name, const ShapeAndSlice& where, Tensor value) {
  if (!is_in_format(value.dtype())) {
    return unimplemented("Saving data type ", dtype_name(value.dtype()), " not yet supported");
  }
  const auto [at, is_new] = tensors_.try_emplace(name, Saved{value.dtype(), where.shape, {}});
  Saved& saved = at->second;
  if (saved.shape != where.shape) {
    return internal_error("Mismatching shapes: existing tensor = ", saved.shape.to_string(), ", trying to add name ",
                          name, ", shape = ", where.shape.to_string());
  }
  if (saved.dtype != value.dtype()) {
    return internal_error("Mismatching types: existing type = ", dtype_name(saved.dtype), ", trying to add name ", name,
                          ", type = ", dtype_name(value.dtype()));
  }
  saved.slices.push_back(where.slice);
  values_.try_emplace(slice_key(name, where.slice), Value{&at->first, where.slice, std::move(value)});
  return Status();
}

std::string EarlyCheckpointWriter::meta() const {
  std::string out;
  WireWriter to(&out);
  to.nested(early::kMeta, [&] {
    for (const auto& [name, saved] : tensors_) {
      to.nested(early::kTensor, [&, &name = name, &saved = saved] {
        if (!name.empty()) to.bytes(early::kName, name);
        to.nested(early::kShape, [&] { write_shape(to, saved.shape); });
        to.int64(early::kType, static_cast<int64_t>(saved.dtype));
        for (const TensorSlice& slice : saved.slices) {
          to.nested(early::kSlice, [&] { write_slice(to, slice); });
        }
      });
    }
    to.nested(early::kVersions, [&] { to.int64(1, 1); });
  });
  return out;
}

Status EarlyCheckpointWriter::finish() {
  TINYTF_ASSIGN_OR_RETURN(const auto file, AtomicFile::create(path_));
  TableBuilder table(file->file());
  TINYTF_RETURN_IF_ERROR(table.add("", meta()));
  for (const auto& [key, value] : values_) {
    std::string out;
    WireWriter to(&out);
    Status status;
    to.nested(early::kData, [&, &value = value] {
      if (!value.name->empty()) to.bytes(early::kDataName, *value.name);
      to.nested(early::kDataSlice, [&] { write_slice(to, value.slice); });
      to.nested(early::kDataValue, [&] { status = write_elements(to, value.value); });
    });
    TINYTF_RETURN_IF_ERROR(status);
    if (out.size() > kMaxValue) {
      return invalid_argument("Tensor slice is too large to serialize (", out.size(), " bytes): ", *value.name);
    }
    TINYTF_RETURN_IF_ERROR(table.add(key, out));
  }
  TINYTF_RETURN_IF_ERROR(table.finish());
  return file->keep();
}

}  // namespace tinytf
