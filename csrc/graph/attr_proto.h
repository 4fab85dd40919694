#pragma once

#include <string>
#include <string_view>

#include "io/tensor_proto.h"
#include "io/wire.h"
#include "op/attr.h"

namespace tinytf {

// Conversion between attrs and TensorFlow's AttrValue message.

/// The set field of an AttrValue; its value is not parsed yet.
struct AttrContent {
  /// The field numbers of AttrValue.
  enum Field : uint32_t { kNone, kList, kString, kInt, kFloat, kBool, kType, kShape, kTensor, kPlaceholder, kFunc };

  Field field = kNone;
  uint64_t number = 0;
  MergedBytes bytes;

  /// The kind as declarations spell it, such as "int" or "list(float)". Also "list" for an empty list, "list of several
  /// kinds", "placeholder", and "" if no field is set.
  std::string kind() const;
};

/// Finds the field that is set, without parsing its value. InvalidArgument for bytes that are not an AttrValue.
Result<AttrContent> read_attr_content(std::string_view bytes);

/// Parses the content as a value of the declared kind; an empty list is valid for every list kind. InvalidArgument for
/// malformed or invalid values, Unimplemented for unknown dtypes, ResourceExhausted if memory runs out. The message
/// names the problem but not the attr, which the caller knows.
Result<AttrValue> read_attr(const AttrContent& content, AttrKind kind, bool is_list);
/// Parses the value of an undeclared attr. A list with items of several kinds is read as a list of the first kind
/// found, an empty list as a list of strings, and a placeholder as a string.
Result<AttrValue> read_attr(const AttrContent& content);

/// The attr for a tensor given as elements and a shape: a Tensor, or a CompactConstant if few elements stand for a
/// large tensor. Fails as CompactConstant::make does, and with ResourceExhausted if memory runs out.
Result<AttrValue> tensor_attr(TensorElements found);
/// Parses a TensorProto. Fails as read_tensor_elements does.
Result<AttrValue> read_tensor(std::string_view bytes);

/// Writes the fields of an AttrValue. Fails as write_tensor does.
Status write_attr(WireWriter& to, const AttrValue& value);

/// Writes a string field, which proto3 omits if it is empty.
inline void write_text(WireWriter& to, uint32_t field, std::string_view text) {
  if (!text.empty()) to.bytes(field, text);
}

}  // namespace tinytf
