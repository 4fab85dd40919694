#include "io/tensor_content.h"

#include <string>
#include <utility>
#include <vector>

#include "io/tensor_proto.h"
#include "io/text_list.h"

namespace tinytf {

namespace {

// Fields of TensorProto.
constexpr uint32_t kDtype = 1, kShape = 2, kContent = 4;

void write_head(WireWriter& to, const Tensor& value) {
  to.varint(kDtype, static_cast<uint64_t>(value.dtype()));
  to.nested(kShape, [&] { write_shape(to, value.shape()); });
}

std::vector<std::string_view> views_of(const std::string* texts, int64_t count) {
  return std::vector<std::string_view>(texts, texts + count);
}

Result<Tensor> read_variants(std::string_view shape_bytes, std::string_view content, const VariantCodec& codec) {
  TINYTF_ASSIGN_OR_RETURN(const PartialShape partial, read_shape(shape_bytes));
  if (!partial.fully_defined()) return invalid_argument("the shape of the tensor is not fully defined");
  TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(partial.dims()));
  TINYTF_ASSIGN_OR_RETURN(const auto messages, read_text_list(content, shape.num_elements()));
  TINYTF_ASSIGN_OR_RETURN(Tensor value, Tensor::allocate(Allocator::process(), DType::kVariant, shape));
  for (size_t i = 0; i < messages.size(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(value.data<Variant>()[i], codec.decode(messages[i]));
  }
  return value;
}

}  // namespace

Status write_tensor_content(WireWriter& to, const Tensor& value, const VariantCodec& codec) {
  const int64_t count = value.num_elements();
  if (value.dtype() == DType::kString) {
    write_head(to, value);
    if (count > 0) to.bytes(kContent, text_list(views_of(value.data<std::string>(), count)));
    return Status();
  }
  if (value.dtype() != DType::kVariant) return write_tensor_memory(to, value);
  std::vector<std::string> messages;
  for (int64_t i = 0; i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(std::string message, codec.encode(value.data<Variant>()[i]));
    messages.push_back(std::move(message));
  }
  write_head(to, value);
  if (count > 0) to.bytes(kContent, text_list(views_of(messages.data(), count)));
  return Status();
}

Result<Tensor> read_tensor_content(std::string_view bytes, const VariantCodec& codec) {
  int32_t dtype = 0;
  MergedBytes shape;
  std::string_view content;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kDtype, WireType::kVarint)) dtype = fields.int32();
    if (fields.is(kShape, WireType::kBytes)) shape.add(fields.bytes());
    if (fields.is(kContent, WireType::kBytes)) content = fields.bytes();
  }
  if (!fields.ok()) return invalid_argument("the TensorProto is damaged");
  if (dtype == static_cast<int32_t>(DType::kVariant)) return read_variants(shape.view(), content, codec);
  TINYTF_ASSIGN_OR_RETURN(TensorElements found, read_tensor_elements(bytes));
  if (found.elements.num_elements() != found.shape.num_elements()) {
    return invalid_argument("the TensorProto lacks elements of shape ", found.shape.to_string());
  }
  return found.elements.reshaped(std::move(found.shape));
}

}  // namespace tinytf
