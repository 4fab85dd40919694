#pragma once

#include <string>
#include <string_view>

#include "io/tensor_proto.h"
#include "io/wire.h"
#include "op/attr.h"

namespace tinytf {

// Attrs as TensorFlow's message AttrValue.

/// The content of an AttrValue, its value still as it is written.
struct AttrContent {
  /// The numbers of AttrValue's fields.
  enum Field : uint32_t { kNone, kList, kString, kInt, kFloat, kBool, kType, kShape, kTensor, kPlaceholder, kFunc };

  Field field = kNone;
  uint64_t number = 0;
  MergedBytes bytes;

  /// As declarations call it: "int", "list(float)"; also "list" of nothing, "list of several kinds", "placeholder", and
  /// "" for no content. What is damaged is of no kind that is declared.
  std::string kind() const;
};

/// Only goes as far as the content. InvalidArgument for bytes that are no AttrValue.
Result<AttrContent> read_attr_content(std::string_view bytes);

/// The value of a content of a declared kind; of any, the empty list. InvalidArgument for what is damaged or has no
/// sense, Unimplemented for types that there are not, ResourceExhausted where there is no memory; the text says what is
/// wrong, not where.
Result<AttrValue> read_attr(const AttrContent& content, AttrKind kind, bool is_list);
/// The value of an attr that no declaration names. Of a list with several kinds the first counts, an empty one is of
/// strings, and a placeholder is a string.
Result<AttrValue> read_attr(const AttrContent& content);

/// The value of elements that fill a shape: a tensor that is in their form, or a CompactConstant where a few elements
/// stand for very many. Fails as CompactConstant::make and for want of memory.
Result<AttrValue> tensor_attr(TensorElements found);
/// The value of a TensorProto. Fails as read_tensor_elements.
Result<AttrValue> read_tensor(std::string_view bytes);

/// Writes the fields of an AttrValue. Fails as write_tensor.
Status write_attr(WireWriter& to, const AttrValue& value);

}  // namespace tinytf
