#include "io/table_format.h"

#include "io/fixed_int.h"
#include "io/wire.h"

namespace tinytf {

void append_varint(std::string& to, uint64_t value) { WireWriter(&to).number(value); }

bool take_varint32(std::string_view& from, uint32_t& value) {
  uint64_t number = 0;
  if (!take_varint(from, number) || number > UINT32_MAX) return false;
  value = static_cast<uint32_t>(number);
  return true;
}

void BlockHandle::append_to(std::string& to) const {
  append_varint(to, offset);
  append_varint(to, size);
}

bool BlockHandle::take(std::string_view& from, BlockHandle& handle) {
  return take_varint(from, handle.offset) && take_varint(from, handle.size);
}

std::string TableFooter::bytes() const {
  std::string out;
  metaindex.append_to(out);
  index.append_to(out);
  out.resize(kSize - sizeof kTableMagic, '\0');
  append_fixed(out, kTableMagic);
  return out;
}

}  // namespace tinytf
