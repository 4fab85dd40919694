#pragma once

#include <string>

#include "base/ref_ptr.h"

namespace tinytf {

/// A stateful object in a resource manager to which handles refer: a variable, queue or table.
class Resource : public RefCounted {
 public:
  /// Short text for messages: "Var<float>[2,3]".
  virtual std::string debug_string() const = 0;
  /// Whether the order in which its elements are written does not matter.
  virtual bool takes_any_order() const { return false; }
  /// Ends the resource's background work: when this returns, none runs, and none begins later. Called before a resource
  /// goes with its session or its container; handles may still refer to it. Idempotent and thread-safe. It may wait for
  /// functions of the program, so the caller holds no lock, nor the lock of the host language.
  virtual void stop() {}
};

/// Element of a tensor of dtype `resource`. It keeps the resource alive.
struct ResourceHandle {
  std::string container;
  std::string name;
  std::string type_name;
  RefPtr<Resource> resource;
};

}  // namespace tinytf
