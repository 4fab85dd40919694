#include "ops/io/shared/variant_codec.h"

#include <utility>
#include <vector>

#include "io/tensor_proto.h"
#include "op/variant_forms.h"

namespace tinytf::ops {

namespace {

// Field numbers of VariantTensorDataProto and TensorProto.
constexpr uint32_t kTypeName = 1, kMetadata = 2, kTensors = 3;
constexpr uint32_t kDtype = 1, kShape = 2;

/// Reads a TensorProto that lists all its elements.
Result<Tensor> read_whole(std::string_view bytes) {
  Result<TensorElements> read = read_tensor_elements(bytes);
  if (!read.ok()) return damaged_variant();
  TensorElements found = read.take();
  if (found.elements.num_elements() != found.shape.num_elements()) return damaged_variant();
  return found.elements.reshaped(std::move(found.shape));
}

Status write_whole(WireWriter& to, const Tensor& tensor) {
  Status status;
  to.nested(kTensors, [&] {
    to.varint(kDtype, static_cast<uint64_t>(tensor.dtype()));
    to.nested(kShape, [&] { write_shape(to, tensor.shape()); });
    status = write_elements(to, tensor);
  });
  return status;
}

class Codec final : public VariantCodec {
 public:
  Result<std::string> encode(const Variant& value) const override {
    std::string out;
    WireWriter to(&out);
    if (!value.value) return out;
    const VariantForm* form = VariantForms::global().find(value.value->type_name());
    if (form == nullptr) return unimplemented("Values of type ", value.value->type_name(), " cannot be saved");
    const VariantParts parts = form->parts(*value.value);
    to.bytes(kTypeName, value.value->type_name());
    if (!parts.metadata.empty()) to.bytes(kMetadata, parts.metadata);
    for (const Tensor& tensor : parts.tensors) TINYTF_RETURN_IF_ERROR(write_whole(to, tensor));
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
    if (!fields.ok()) return damaged_variant();
    if (type_name.empty()) return Variant();
    const VariantForm* form = VariantForms::global().find(type_name);
    if (form == nullptr) return unimplemented("Values of type ", type_name, " cannot be restored");
    VariantParts parts{std::string(metadata), {}};
    for (std::string_view tensor : tensors) {
      TINYTF_ASSIGN_OR_RETURN(Tensor read, read_whole(tensor));
      parts.tensors.push_back(std::move(read));
    }
    return form->value(std::move(parts));
  }
};

const Codec codec;

}  // namespace

const VariantCodec& variant_codec() { return codec; }

}  // namespace tinytf::ops
