#pragma once

#include <string_view>

#include "io/variant_bytes.h"
#include "io/wire.h"

namespace tinytf {

// TensorProtos that have all elements as memory, those of strings and variants included.

/// Writes the fields of such a TensorProto. InvalidArgument for resources; fails as `codec` does for variants.
Status write_tensor_content(WireWriter& to, const Tensor& value, const VariantCodec& codec);
/// Reads a TensorProto that has all its elements, in any form. InvalidArgument for malformed bytes and for fewer
/// elements; Unimplemented for other dtypes; else fails as `codec` does.
Result<Tensor> read_tensor_content(std::string_view bytes, const VariantCodec& codec);

}  // namespace tinytf
