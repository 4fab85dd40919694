#include "ops/data/shared/handle_text.h"

#include "io/wire.h"

namespace tinytf::ops {

namespace {

// Fields of TensorFlow's ResourceHandleProto.
constexpr uint32_t kDeviceField = 1, kContainerField = 2, kNameField = 3, kTypeNameField = 5;

}  // namespace

std::string text_of_handle(const ResourceHandle& handle, std::string_view device) {
  std::string text;
  WireWriter fields(&text);
  fields.bytes(kDeviceField, device);
  fields.bytes(kContainerField, handle.container);
  fields.bytes(kNameField, handle.name);
  fields.bytes(kTypeNameField, handle.type_name);
  return text;
}

Result<ResourceHandle> handle_of_text(std::string_view text, std::string_view type_name) {
  ResourceHandle handle;
  WireReader fields(text);
  while (fields.next()) {
    if (fields.is(kContainerField, WireType::kBytes)) handle.container = fields.text();
    if (fields.is(kNameField, WireType::kBytes)) handle.name = fields.text();
    if (fields.is(kTypeNameField, WireType::kBytes)) handle.type_name = fields.text();
  }
  if (fields.ok() && handle.type_name == type_name) return handle;
  return invalid_argument("Could not parse string_handle as a valid ResourceHandle");
}

}  // namespace tinytf::ops
