#include "io/tensor_proto.h"

#include <algorithm>
#include <cstring>

#include "base/dtype.h"
#include "io/text_list.h"
#include "tensor/written_form.h"

namespace tinytf {

namespace {

// Fields of TensorProto.
constexpr uint32_t kTensorDtype = 1, kTensorShape = 2, kTensorContent = 4;
// Fields of TensorShapeProto and of its dimensions.
constexpr uint32_t kDim = 2, kUnknownRank = 3, kSize = 1;

constexpr size_t kMaxContent = size_t{1} << 31;

/// The field of a TensorProto that holds the elements of a dtype one by one.
struct ElementField {
  uint32_t field = 0;  ///< 0 if there is none.
  WireType type = WireType::kVarint;
  int per_element = 1;  ///< Numbers per element; two for complex types.
};

ElementField element_field(DType dtype) {
  if (is_float8(dtype)) return {18, WireType::kBytes};
  switch (storage_type(dtype)) {
    case DType::kFloat: return {5, WireType::kFixed32};
    case DType::kDouble: return {6, WireType::kFixed64};
    case DType::kInt32:
    case DType::kInt16:
    case DType::kInt8:
    case DType::kUint16:
    case DType::kUint8: return {7};
    case DType::kString: return {8, WireType::kBytes};
    case DType::kComplex64: return {9, WireType::kFixed32, 2};
    case DType::kInt64: return {10};
    case DType::kBool: return {11};
    case DType::kComplex128: return {12, WireType::kFixed64, 2};
    case DType::kHalf:
    case DType::kBfloat16: return {13};
    case DType::kUint32: return {16};
    case DType::kUint64: return {17};
    default: return {};
  }
}

/// Whether tensors of two or more elements are usually written as raw memory.
bool is_type_of_memory(DType dtype) {
  switch (dtype) {
    case DType::kString:
    case DType::kBool:
    case DType::kHalf:
    case DType::kBfloat16:
    case DType::kComplex64:
    case DType::kComplex128:
    case DType::kUint16: return false;
    default: return true;
  }
}

bool is_usually_memory(const Tensor& elements, const Shape& shape) {
  const int64_t count = elements.num_elements();
  return count > 1 && count == shape.num_elements() && is_type_of_memory(elements.dtype());
}

template <class T>
void write_varints(WireWriter& to, const Tensor& elements) {
  for (int64_t i = 0; i < elements.num_elements(); ++i) {
    to.number(static_cast<uint64_t>(static_cast<int64_t>(elements.data<T>()[i])));
  }
}

template <class T>
void write_floats(WireWriter& to, const Tensor& elements, int per_element) {
  const T* numbers = static_cast<const T*>(elements.raw());
  for (int64_t i = 0; i < elements.num_elements() * per_element; ++i) to.fixed(numbers[i]);
}

void write_row(WireWriter& to, const Tensor& elements, int per_element) {
  switch (storage_type(elements.dtype())) {
    case DType::kFloat:
    case DType::kComplex64: return write_floats<float>(to, elements, per_element);
    case DType::kDouble:
    case DType::kComplex128: return write_floats<double>(to, elements, per_element);
    case DType::kInt32: return write_varints<int32_t>(to, elements);
    case DType::kInt16: return write_varints<int16_t>(to, elements);
    case DType::kInt8: return write_varints<int8_t>(to, elements);
    case DType::kUint8: return write_varints<uint8_t>(to, elements);
    case DType::kBool: return write_varints<bool>(to, elements);
    case DType::kInt64: return write_varints<int64_t>(to, elements);
    case DType::kUint32: return write_varints<uint32_t>(to, elements);
    case DType::kUint64: return write_varints<uint64_t>(to, elements);
    default: return write_varints<uint16_t>(to, elements);  // Also the bits of half and bfloat16.
  }
}

/// Stores a number as an element of `size` bytes, which may be narrower.
void store_elements(char* at, uint64_t bits, size_t size) { std::memcpy(at, &bits, size); }

/// The fields of a TensorProto, with its elements still serialized.
struct Fields {
  int32_t dtype = 0;
  MergedBytes shape;
  std::string_view content;
};

Result<Fields> read_fields(std::string_view bytes) {
  Fields found;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kTensorDtype, WireType::kVarint)) found.dtype = fields.int32();
    if (fields.is(kTensorShape, WireType::kBytes)) found.shape.add(fields.bytes());
    if (fields.is(kTensorContent, WireType::kBytes)) found.content = fields.bytes();
  }
  if (!fields.ok()) return invalid_argument("the TensorProto is damaged");
  return found;
}

Result<Tensor> read_string_memory(std::string_view content, const Shape& shape) {
  TINYTF_ASSIGN_OR_RETURN(const auto texts, read_text_list(content, shape.num_elements()));
  TINYTF_ASSIGN_OR_RETURN(Tensor value, Tensor::allocate(Allocator::process(), DType::kString, shape));
  for (size_t i = 0; i < texts.size(); ++i) value.data<std::string>()[i] = texts[i];
  return value;
}

Result<Tensor> read_memory(DType dtype, std::string_view content, const Shape& shape) {
  if (dtype == DType::kString) return read_string_memory(content, shape);
  const Size wanted = Size(shape.num_elements()) * static_cast<int64_t>(dtype_size(dtype));
  if (wanted.value() != static_cast<int64_t>(content.size())) {
    return invalid_argument("buffer size of ", content.size(), " bytes does not fit ", dtype_name(dtype), " of shape ",
                            shape.to_string());
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor value, Tensor::allocate(Allocator::process(), dtype, shape));
  if (!content.empty()) std::memcpy(value.raw(), content.data(), content.size());
  return value;
}

/// Writes the form that read_memory reads.
Status write_content(WireWriter& to, const Tensor& value) {
  if (value.dtype() == DType::kString) {
    const std::string* const texts = value.data<std::string>();
    to.bytes(kTensorContent, text_list({texts, texts + value.num_elements()}));
    return Status();
  }
  if (value.bytes() >= kMaxContent) {
    return invalid_argument("Cannot create a tensor proto whose content is larger than 2GB.");
  }
  to.bytes(kTensorContent, {static_cast<const char*>(value.raw()), value.bytes()});
  return Status();
}

/// Calls use(bits, text) for each number or string of a field. Returns false if the message is damaged.
template <class Use>
bool each_element(std::string_view bytes, ElementField from, Use use) {
  WireReader fields(bytes);
  while (fields.next()) {
    if (from.type != WireType::kBytes) {
      fields.numbers(from.field, from.type, [&](uint64_t bits) { use(bits, std::string_view()); });
    } else if (fields.is(from.field, WireType::kBytes)) {
      use(0, fields.bytes());
    }
  }
  return fields.ok();
}

}  // namespace

std::optional<DType> dtype_of_number(int64_t number) {
  const int64_t base = number > kRefOffset ? number - kRefOffset : number;
  if (base < 1 || base >= kStoredDTypeCount) return std::nullopt;
  return static_cast<DType>(base);
}

void write_shape(WireWriter& to, const PartialShape& shape) {
  if (!shape.known_rank()) return to.varint(kUnknownRank, 1);
  for (const int64_t size : shape.dims()) {
    to.nested(kDim, [&] {
      if (size != 0) to.int64(kSize, size < 0 ? -1 : size);
    });
  }
}

Result<PartialShape> read_shape(std::string_view bytes) {
  Dims dims;
  bool unknown_rank = false;
  WireReader fields(bytes);
  bool ok = true;
  while (fields.next()) {
    if (fields.is(kUnknownRank, WireType::kVarint)) unknown_rank = fields.number() != 0;
    if (!fields.is(kDim, WireType::kBytes)) continue;
    int64_t size = 0;
    WireReader dim(fields.bytes());
    while (dim.next()) {
      if (dim.is(kSize, WireType::kVarint)) size = dim.int64();
    }
    ok &= dim.ok();
    dims.push_back(size < 0 ? kUnknownDim : size);
  }
  if (!ok || !fields.ok()) return invalid_argument("the TensorShapeProto is damaged");
  return unknown_rank ? PartialShape() : PartialShape(std::move(dims));
}

Status write_tensor(WireWriter& to, const Tensor& elements, const Shape& shape) {
  const DType dtype = elements.dtype();
  const ElementField field = element_field(dtype);
  if (field.field == 0)
    return invalid_argument("Values of type ", dtype_name(dtype), " cannot be stored in a TensorProto");
  to.varint(kTensorDtype, static_cast<uint64_t>(dtype));
  to.nested(kTensorShape, [&] { write_shape(to, shape); });
  return is_usually_memory(elements, shape) ? write_content(to, elements) : write_elements(to, elements);
}

Status write_as_formed(WireWriter& to, const Tensor& value) {
  const WrittenForm* form = written_form(value);
  if (form == nullptr) return write_tensor(to, value, value.shape());
  to.varint(kTensorDtype, static_cast<uint64_t>(value.dtype()));
  to.nested(kTensorShape, [&] { write_shape(to, value.shape()); });
  if (form->as_memory) return write_content(to, value);
  TINYTF_ASSIGN_OR_RETURN(const Tensor elements, value.view(0, Shape({form->elements})));
  return write_elements(to, elements);
}

Status write_tensor_memory(WireWriter& to, const Tensor& value) {
  const DType dtype = value.dtype();
  const ElementField field = element_field(dtype);
  if (field.field == 0)
    return invalid_argument("Values of type ", dtype_name(dtype), " cannot be stored in a TensorProto");
  to.varint(kTensorDtype, static_cast<uint64_t>(dtype));
  to.nested(kTensorShape, [&] { write_shape(to, value.shape()); });
  if (dtype == DType::kString) return write_elements(to, value);
  if (value.num_elements() > 0) to.bytes(kTensorContent, {static_cast<const char*>(value.raw()), value.bytes()});
  return Status();
}

Status write_elements(WireWriter& to, const Tensor& value) {
  const ElementField field = element_field(value.dtype());
  if (field.field == 0) {
    return invalid_argument("Values of type ", dtype_name(value.dtype()), " cannot be stored in a TensorProto");
  }
  if (value.dtype() == DType::kString) {
    for (int64_t i = 0; i < value.num_elements(); ++i) to.bytes(field.field, value.data<std::string>()[i]);
  } else if (is_float8(value.dtype())) {
    if (value.num_elements() > 0) to.bytes(field.field, {static_cast<const char*>(value.raw()), value.bytes()});
  } else if (value.num_elements() > 0) {
    to.nested(field.field, [&] { write_row(to, value, field.per_element); });
  }
  return Status();
}

Result<Tensor> read_elements(std::string_view bytes, DType dtype, int64_t most) {
  const ElementField from = element_field(dtype);
  if (from.field == 0)
    return invalid_argument("Values of type ", dtype_name(dtype), " cannot be stored in a TensorProto");
  int64_t numbers = 0;
  std::string_view float8;
  const auto count_one = [&](uint64_t, std::string_view text) { ++numbers, float8 = text; };
  if (!each_element(bytes, from, count_one)) return invalid_argument("the TensorProto is damaged");
  if (is_float8(dtype)) numbers = static_cast<int64_t>(float8.size());
  const int64_t count = std::min(numbers / from.per_element, most);
  TINYTF_ASSIGN_OR_RETURN(Tensor elements, Tensor::allocate(Allocator::process(), dtype, Shape({count})));
  if (is_float8(dtype)) {
    if (count > 0) std::memcpy(elements.raw(), float8.data(), static_cast<size_t>(count));
    return elements;
  }
  const size_t size = dtype_size(dtype) / from.per_element;
  char* at = static_cast<char*>(elements.raw());
  int64_t left = count * from.per_element;
  each_element(bytes, from, [&](uint64_t bits, std::string_view text) {
    if (left == 0) return;
    if (dtype == DType::kString) {
      elements.data<std::string>()[count - left] = text;
    } else {
      store_elements(at, dtype == DType::kBool ? bits != 0 : bits, size);
      at += size;
    }
    --left;
  });
  return elements;
}

Result<TensorElements> read_tensor_elements(std::string_view bytes) {
  TINYTF_ASSIGN_OR_RETURN(const Fields fields, read_fields(bytes));
  const auto number = dtype_of_number(fields.dtype);
  if (!number) return unimplemented("Cannot convert value ", fields.dtype, " to a TensorFlow DType.");
  const DType dtype = *number;
  if (element_field(dtype).field == 0) return unimplemented("Unsupported tensor type: ", fields.dtype);
  TINYTF_ASSIGN_OR_RETURN(const PartialShape partial, read_shape(fields.shape.view()));
  if (!partial.fully_defined()) {
    return invalid_argument("the shape of the tensor is not fully defined: ",
                            partial.known_rank() ? partial.to_string() : "unknown rank");
  }
  Shape shape(partial.dims());
  if (shape.num_elements() < 0) return invalid_argument("Shape ", shape.to_string(), " has too many elements");
  TINYTF_RETURN_IF_ERROR(shape.check());
  auto elements = fields.content.empty() ? read_elements(bytes, dtype, shape.num_elements())
                                         : read_memory(dtype, fields.content, shape);
  if (!elements.ok()) return elements.status();
  const int64_t count = elements.value().num_elements();
  return TensorElements{elements.value().reshaped(Shape({count})), std::move(shape), !fields.content.empty()};
}

bool TensorElements::in_usual_form() const {
  return elements.num_elements() == shape.num_elements() && as_memory == is_usually_memory(elements, shape);
}

}  // namespace tinytf
