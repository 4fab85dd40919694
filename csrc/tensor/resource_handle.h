#pragma once

#include <string>

#include "base/ref_ptr.h"

namespace tinytf {

/// Something stateful that lives in a resource manager and that handles refer to: variables, queues, tables.
class Resource : public RefCounted {
 public:
  /// Short text for messages: "Var<float>[2,3]".
  virtual std::string debug_string() const = 0;
  /// Whether it comes to the same in which order its elements are written.
  virtual bool takes_any_order() const { return false; }
};

/// Element of a tensor of type `resource`. The reference keeps the resource alive while a handle to it exists.
struct ResourceHandle {
  std::string container;
  std::string name;
  std::string type_name;
  RefPtr<Resource> resource;
};

}  // namespace tinytf
