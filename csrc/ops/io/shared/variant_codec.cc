#include "ops/io/shared/variant_codec.h"

#include <vector>

#include "io/table_format.h"
#include "io/tensor_proto.h"
#include "ops/data_flow/shared/tensor_list.h"
#include "ops/tensor_value.h"

namespace tinytf::ops {

namespace {

// Field numbers of VariantTensorDataProto and TensorProto.
constexpr uint32_t kTypeName = 1, kMetadata = 2, kTensors = 3;
constexpr uint32_t kDtype = 1, kShape = 2;

Status damaged() { return Status(Code::kDataLoss, "the variant is damaged"); }

/// Encodes the indices of unset elements, the dtype, the maximum size, and the element shape.
std::string metadata_of(const TensorList& list) {
  std::string out, unset;
  uint64_t count = 0;
  for (int64_t i = 0; i < list.size(); ++i) {
    if (list.at(i).valid()) continue;
    append_varint(unset, static_cast<uint64_t>(i));
    ++count;
  }
  append_varint(out, count);
  out += unset;
  append_varint(out, static_cast<uint64_t>(list.dtype()));
  append_varint(out, static_cast<uint64_t>(list.spec().max_size));
  WireWriter to(&out);
  write_shape(to, list.spec().element_shape);
  return out;
}

struct Metadata {
  TensorList::Spec spec;
  std::vector<bool> is_unset;  // true for unset elements; ends at the last of them
  int64_t unset = 0;
};

Result<Metadata> read_metadata(std::string_view bytes, int64_t set) {
  Metadata found;
  uint64_t count = 0, number = 0;
  if (!take_varint(bytes, count) || count > bytes.size()) return damaged();
  found.unset = static_cast<int64_t>(count);
  for (uint64_t i = 0; i < count; ++i) {
    if (!take_varint(bytes, number) || number >= static_cast<uint64_t>(set) + count) return damaged();
    if (number < found.is_unset.size()) return damaged();  // indices must increase
    found.is_unset.resize(number + 1);
    found.is_unset[number] = true;
  }
  uint64_t most = 0;
  if (!take_varint(bytes, number) || number > INT32_MAX || !take_varint(bytes, most)) return damaged();
  const auto dtype = dtype_of_number(static_cast<int64_t>(number));
  auto shape = read_shape(bytes);
  if (!dtype || !shape.ok()) return damaged();
  found.spec = {*dtype, shape.take(), static_cast<int64_t>(most)};
  return found;
}

/// Reads a TensorProto that lists all its elements.
Result<Tensor> read_whole(std::string_view bytes, DType dtype) {
  TINYTF_ASSIGN_OR_RETURN(TensorElements found, read_tensor_elements(bytes));
  if (found.elements.dtype() != dtype || found.elements.num_elements() != found.shape.num_elements()) return damaged();
  return found.elements.reshaped(std::move(found.shape));
}

Status write_tensor(WireWriter& to, const Tensor& tensor) {
  Status status;
  to.nested(kTensors, [&] {
    to.varint(kDtype, static_cast<uint64_t>(tensor.dtype()));
    to.nested(kShape, [&] { write_shape(to, tensor.shape()); });
    status = write_elements(to, tensor);
  });
  return status;
}

Result<Variant> decode_tensor(const std::vector<std::string_view>& tensors) {
  if (tensors.size() != 1) return damaged();
  Result<TensorElements> found = read_tensor_elements(tensors[0]);
  if (!found.ok()) return damaged();
  auto tensor = read_whole(tensors[0], found.value().elements.dtype());
  if (!tensor.ok()) return damaged();
  return TensorValue::of(tensor.take());
}

class Codec final : public VariantCodec {
 public:
  Result<std::string> encode(const Variant& value) const override {
    std::string out;
    WireWriter to(&out);
    if (!value.value) return out;
    if (const auto* tensor = value.get<TensorValue>(); tensor != nullptr) {
      to.bytes(kTypeName, TensorValue::kTypeName);
      TINYTF_RETURN_IF_ERROR(write_tensor(to, tensor->tensor()));
      return out;
    }
    const auto* list = value.get<TensorList>();
    if (list == nullptr) return unimplemented("Values of type ", value.value->type_name(), " cannot be saved");
    to.bytes(kTypeName, TensorList::kTypeName);
    to.bytes(kMetadata, metadata_of(*list));
    Status status;
    for (int64_t i = 0; i < list->size() && status.ok(); ++i) {
      if (list->at(i).valid()) status = write_tensor(to, list->at(i));
    }
    TINYTF_RETURN_IF_ERROR(status);
    return out;
  }

  Result<Variant> decode(std::string_view bytes) const override {
    std::string_view type_name, metadata;
    std::vector<std::string_view> tensors;
    WireReader fields(bytes);
    while (fields.next()) {
      if (fields.is(kTypeName, WireType::kBytes)) type_name = fields.bytes();
      if (fields.is(kMetadata, WireType::kBytes)) metadata = fields.bytes();
      if (fields.is(kTensors, WireType::kBytes)) tensors.push_back(fields.bytes());
    }
    if (!fields.ok()) return damaged();
    if (type_name.empty()) return Variant();
    if (type_name == TensorValue::kTypeName) return decode_tensor(tensors);
    if (type_name != TensorList::kTypeName) return unimplemented("Values of type ", type_name, " cannot be restored");
    TINYTF_ASSIGN_OR_RETURN(Metadata known, read_metadata(metadata, static_cast<int64_t>(tensors.size())));
    const DType dtype = known.spec.dtype;
    const int64_t size = known.unset + static_cast<int64_t>(tensors.size());
    if (size > TensorList::kMaxSize) return damaged();
    auto list = make_ref<TensorList>(std::move(known.spec), size);
    size_t next = 0;
    for (int64_t i = 0; i < size; ++i) {
      if (static_cast<size_t>(i) < known.is_unset.size() && known.is_unset[static_cast<size_t>(i)]) continue;
      auto element = read_whole(tensors[next++], dtype);
      if (!element.ok()) return damaged();
      TINYTF_RETURN_IF_ERROR(list->set(i, element.take()));
    }
    return Variant{std::move(list)};
  }
};

const Codec codec;

}  // namespace

const VariantCodec& variant_codec() { return codec; }

}  // namespace tinytf::ops
