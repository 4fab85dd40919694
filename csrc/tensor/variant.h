#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "base/ref_ptr.h"
#include "base/status.h"

namespace tinytf {

class Allocator;
struct Variant;

/// What an element of type `variant` may hold: lists of tensors, optional values, descriptions of datasets. Shared by
/// all elements that are copies of one another, so it does not change once it is in a tensor, except by a kernel that
/// takes over the tensor and finds that its element is the only owner.
class VariantValue : public RefCounted {
 public:
  /// TensorFlow's name of the type: "tensorflow::TensorList".
  virtual std::string type_name() const = 0;
  /// Short text for messages: "TensorList<float>[3]".
  virtual std::string debug_string() const = 0;
  /// What it holds, for figures; values that several share count for each.
  virtual int64_t bytes() const = 0;
  /// How many values lie within each other here, this one included; what recurses into values relies on a bound of it.
  virtual int depth() const { return 1; }
  /// What is added to it without effect. Unimplemented for types of which there is no sum.
  virtual Result<Variant> zeros_like(Allocator& allocator) const;
  /// The sum with another value, which may be of another type: InvalidArgument then. Unimplemented as zeros_like.
  virtual Result<Variant> plus(const VariantValue& other, Allocator& allocator) const;
};

/// Element of a tensor of type `variant`: a value of any type, or none.
struct Variant {
  RefPtr<const VariantValue> value;

  /// The value if it is a T, else null. Valid as long as the element, or a copy of it.
  template <class T>
  const T* get() const {
    static_assert(std::is_base_of_v<VariantValue, T>);
    return dynamic_cast<const T*>(value.get());
  }
  /// "TensorList<float>[3]"; "empty" for none.
  std::string debug_string() const { return value ? value->debug_string() : "empty"; }
};

}  // namespace tinytf
