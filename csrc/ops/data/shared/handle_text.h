#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "tensor/resource_handle.h"

namespace tinytf::ops {

/// The handle as a serialized ResourceHandleProto.
std::string text_of_handle(const ResourceHandle& handle, std::string_view device);
/// The names in such a text; there is no resource yet. InvalidArgument with TensorFlow's text unless they are those of
/// a resource of this type.
Result<ResourceHandle> handle_of_text(std::string_view text, std::string_view type_name);

}  // namespace tinytf::ops
