#pragma once

#include "tensor/variant.h"

namespace tinytf::ops {

/// The second output of ops that make anonymous resources. In TensorFlow its end deletes the resource. Here the handle
/// owns the resource, so it is only a token that programs pass on.
class Deleter final : public VariantValue {
 public:
  std::string type_name() const override { return "tensorflow::ResourceDeleter"; }
  std::string debug_string() const override { return "ResourceDeleter"; }
  int64_t bytes() const override { return 0; }
};

}  // namespace tinytf::ops
