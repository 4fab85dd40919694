#include "tensor/variant.h"

namespace tinytf {

Result<Variant> VariantValue::zeros_like(Allocator&) const {
  return Status(Code::kUnimplemented,
                str_cat("No unary variant unary_op function found for unary variant op enum: 1 Variant type_name: ",
                        type_name(), " for device type: CPU"));
}

Result<Variant> VariantValue::plus(const VariantValue&, Allocator&) const {
  return Status(Code::kUnimplemented,
                str_cat("No unary variant binary_op function found for binary variant op enum: 1 Variant type_name: '",
                        type_name(), "' for device type: CPU"));
}

}  // namespace tinytf
