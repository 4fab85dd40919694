#include "io/table_block.h"

#include "io/table_builder.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;

std::string block_of(int entries) {
  BlockBuilder block(16);
  for (int i = 0; i < entries; ++i) block.add(str_cat("key", 2000 + 2 * i), str_cat("value", i));
  return block.finish();
}

TINYTF_TEST(blocks_are_gone_through_and_sought) {
  for (const int entries : {1, 15, 16, 17, 100}) {
    BlockCursor cursor = BlockCursor::open(block_of(entries)).take();
    EXPECT(!cursor.valid());
    int count = 0;
    for (cursor.seek_to_first(); cursor.valid(); cursor.next(), ++count) {
      EXPECT_EQ(cursor.key(), str_cat("key", 2000 + 2 * count));
      EXPECT_EQ(cursor.value(), str_cat("value", count));
    }
    EXPECT_EQ(count, entries);
    EXPECT_OK(cursor.status());
    for (int i = 0; i < entries; ++i) {
      cursor.seek(str_cat("key", 2000 + 2 * i));
      EXPECT(cursor.valid() && cursor.value() == str_cat("value", i));
      cursor.seek(str_cat("key", 1999 + 2 * i));
      EXPECT(cursor.valid() && cursor.value() == str_cat("value", i));
    }
    cursor.seek("kez");
    EXPECT(!cursor.valid());
    cursor.seek("");
    EXPECT(cursor.valid() && cursor.value() == "value0");
  }
  BlockCursor empty = BlockCursor::open(hex("00000000 01000000")).take();
  empty.seek_to_first();
  EXPECT(!empty.valid());
}

TINYTF_TEST(damaged_blocks_are_read_within_their_bytes) {
  EXPECT_EQ(BlockCursor::open("abc").status().code(), Code::kDataLoss);
  EXPECT_EQ(BlockCursor::open(hex("00000000 02000000")).status().code(), Code::kDataLoss);
  EXPECT_EQ(BlockCursor::open(hex("ffffffff")).status().code(), Code::kDataLoss);
  const std::string whole = block_of(20);
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char byte : {'\0', '\x01', '\x7f', '\x80', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = byte;
      auto opened = BlockCursor::open(std::move(bytes));
      if (!opened.ok()) continue;
      BlockCursor& cursor = opened.value();
      int count = 0;
      for (cursor.seek_to_first(); cursor.valid() && count < 1000; cursor.next()) ++count;
      EXPECT(count < 1000);
      cursor.seek("key2020");
    }
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
