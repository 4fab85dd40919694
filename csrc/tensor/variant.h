#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "base/ref_ptr.h"
#include "base/status.h"

namespace tinytf {

class Allocator;
struct Variant;

/// The value of an element of dtype `variant`: a list of tensors, an optional value or a dataset description. Copies of
/// an element share it, so it is immutable once it is in a tensor, except for a kernel that takes over the tensor and
/// finds that its element is the only owner.
class VariantValue : public RefCounted {
 public:
  /// TensorFlow's name of the type: "tensorflow::TensorList".
  virtual std::string type_name() const = 0;
  /// Short text for messages: "TensorList<float>[3]".
  virtual std::string debug_string() const = 0;
  /// Size of its contents in bytes, for statistics; shared contents count once for each owner.
  virtual int64_t bytes() const = 0;
  /// Nesting depth of variant values, including this one. It is bounded, because destruction and addition recurse into
  /// values.
  virtual int depth() const { return 1; }
  /// The neutral element of addition for this value. Unimplemented for types that have no sum.
  virtual Result<Variant> zeros_like(Allocator& allocator) const;
  /// The sum with another value. InvalidArgument if that has another type, Unimplemented for types that have no sum.
  virtual Result<Variant> plus(const VariantValue& other, Allocator& allocator) const;
};

/// Element of a tensor of dtype `variant`: a value of any type, or none.
struct Variant {
  RefPtr<const VariantValue> value;

  /// The value if it is a T, else null. Valid while this element or a copy of it exists.
  template <class T>
  const T* get() const {
    static_assert(std::is_base_of_v<VariantValue, T>);
    return dynamic_cast<const T*>(value.get());
  }
  /// The value's debug string, or "empty" if there is none.
  std::string debug_string() const { return value ? value->debug_string() : "empty"; }
};

}  // namespace tinytf
