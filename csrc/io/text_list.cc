#include "io/text_list.h"

#include "io/wire.h"

namespace tinytf {

std::string text_list(const std::vector<std::string_view>& texts) {
  std::string list;
  WireWriter to(&list);
  for (const std::string_view text : texts) to.number(text.size());
  for (const std::string_view text : texts) list += text;
  return list;
}

Result<std::vector<std::string_view>> read_text_list(std::string_view bytes, int64_t count) {
  if (count > static_cast<int64_t>(bytes.size())) return invalid_argument("buffer size is too small for the shape");
  std::vector<uint64_t> sizes;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t size = 0;
    if (!take_varint(bytes, size)) return invalid_argument("buffer size is too small for the lengths of its strings");
    sizes.push_back(size);
  }
  std::vector<std::string_view> texts;
  for (const uint64_t size : sizes) {
    if (size > bytes.size()) return invalid_argument("buffer size is too small for its strings");
    texts.push_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return texts;
}

}  // namespace tinytf
