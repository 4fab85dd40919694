#include "io/table_format.h"

#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;

TINYTF_TEST(table_footers_stand_as_tensorflow_writes_them) {
  TableFooter footer;
  footer.metaindex = {126, 8};
  footer.index = {139, 14};
  EXPECT_EQ(footer.bytes(), hex("7e 08 8b01 0e") + std::string(35, '\0') + hex("57fb808b247547db"));
}

TINYTF_TEST(block_handles_come_back) {
  for (const uint64_t number : {uint64_t{0}, uint64_t{127}, uint64_t{128}, UINT64_MAX}) {
    std::string bytes;
    BlockHandle{number, 7}.append_to(bytes);
    std::string_view rest = bytes;
    BlockHandle handle;
    EXPECT(BlockHandle::take(rest, handle) && rest.empty());
    EXPECT_EQ(handle.offset, number);
    EXPECT_EQ(handle.size, 7u);
    rest = std::string_view(bytes).substr(0, bytes.size() - 1);
    EXPECT(!BlockHandle::take(rest, handle));
  }
}

TINYTF_TEST(varints_of_32_bits_are_no_larger) {
  uint32_t value = 0;
  std::string bytes = hex("ffffffff0f"), larger = hex("8080808010");
  std::string_view rest = bytes;
  EXPECT(take_varint32(rest, value));
  EXPECT_EQ(value, UINT32_MAX);
  rest = larger;
  EXPECT(!take_varint32(rest, value));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
