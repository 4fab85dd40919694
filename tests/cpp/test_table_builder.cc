#include "io/table_builder.h"

#include "io/table.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;
using testing::TemporaryFolder;

TINYTF_TEST(separators_are_short) {
  EXPECT_EQ(key_between("abcd", "abzz"), "abd");
  EXPECT_EQ(key_between("abcd", "abdd"), "abcd");  // there is no key between
  EXPECT_EQ(key_between("ab", "abc"), "ab");
  EXPECT_EQ(key_between("a\xff"
                        "b",
                        "b"),
            "a\xff"
            "b");
  EXPECT_EQ(key_between("a\xff", "c"), "b");
  EXPECT_EQ(key_between("", "a"), "");
  EXPECT_EQ(key_behind("abc"), "b");
  EXPECT_EQ(key_behind("\xff\xff"
                       "a"),
            "\xff\xff"
            "b");
  EXPECT_EQ(key_behind("\xff\xff"), "\xff\xff");
  EXPECT_EQ(key_behind(""), "");
}

TINYTF_TEST(blocks_share_prefixes_but_at_restarts) {
  BlockBuilder block(2);
  EXPECT(block.empty());
  EXPECT_EQ(block.size(), 8u);
  block.add("aa", "1");
  block.add("ab", "2");
  block.add("ac", "3");
  const size_t size = block.size();
  const std::string bytes = block.finish();
  EXPECT_EQ(bytes, hex("00 02 01 6161 31  01 01 01 62 32  00 02 01 6163 33  00000000 0b000000 02000000"));
  EXPECT_EQ(size, bytes.size());
  EXPECT_EQ(block.finish(), hex("00000000 01000000"));
}

TINYTF_TEST(tables_are_tensorflows_byte_for_byte) {
  const TemporaryFolder folder;
  auto file = WritableFile::create(folder / "t").take();
  TableBuilder table(*file);
  EXPECT_OK(table.add("", hex("08011a020801")));
  EXPECT_OK(table.add("v", hex("08 01 12 04 12 02 08 01 28 04 35 81 a5 da 2b")));
  EXPECT_OK(table.finish());
  EXPECT_OK(file->close());
  EXPECT_EQ(testing::content(folder / "t"),
            hex("000006 08011a020801  00010f 76 080112041202080128043581a5da2b  00000000 01000000 00 5fa41f4d"
                "00000000 01000000 00 c0f2a1b0  000102 77 0024 00000000 01000000 00 9460b2cd  2908360e") +
                std::string(36, '\0') + hex("57fb808b247547db"));
}

TINYTF_TEST(blocks_end_where_tensorflows_end) {
  const TemporaryFolder folder;
  auto file = WritableFile::create(folder / "t").take();
  TableBuilder table(*file);
  EXPECT_OK(table.add("a", "first"));
  EXPECT_OK(table.add(std::string(600000, 'b'), "large"));  // in a separate block
  EXPECT_OK(table.add("c", "last"));
  EXPECT_OK(table.finish());
  EXPECT_OK(file->close());
  const auto read = Table::open(folder / "t").take();
  auto index = read->block(read->index()).take();
  std::vector<size_t> keys;
  for (index.seek_to_first(); index.valid(); index.next()) keys.push_back(index.key().size());
  EXPECT(keys == std::vector<size_t>({1, 600000, 1}));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
