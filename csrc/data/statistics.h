#pragma once

#include <string_view>

#include "base/ref_ptr.h"

namespace tinytf::data {

/// Collects what the stages of a pipeline measure. Thread-safe.
class Statistics : public RefCounted {
 public:
  virtual void add_to_histogram(std::string_view name, double value) = 0;
  virtual void set_scalar(std::string_view name, float value) = 0;
};

}  // namespace tinytf::data
