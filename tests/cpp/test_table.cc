#include "io/table.h"

#include "base/crc32c.h"
#include "io/fixed_int.h"
#include "io/table_builder.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;
using testing::TemporaryFolder;

/// A table with entries of more than 100 bytes, so that it has several blocks.
std::string table_bytes(const TemporaryFolder& folder, int entries) {
  auto file = WritableFile::create(folder / "t").take();
  TableBuilder table(*file);
  for (int i = 0; i < entries; ++i) {
    EXPECT_OK(table.add(str_cat("key", 100000 + i), std::string(100, static_cast<char>('a' + i % 26))));
  }
  EXPECT_OK(table.finish());
  EXPECT_OK(file->close());
  return testing::content(folder / "t");
}

Result<TableCursor> opened(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(auto table, Table::open(path));
  return TableCursor::open(std::move(table));
}

TINYTF_TEST(tables_of_many_blocks_are_read) {
  const TemporaryFolder folder;
  constexpr int kEntries = 7000;
  table_bytes(folder, kEntries);
  TableCursor cursor = opened(folder / "t").take();
  int count = 0;
  for (cursor.seek_to_first(); cursor.valid(); cursor.next(), ++count) {
    if (count % 500 == 0) EXPECT_EQ(cursor.key(), str_cat("key", 100000 + count));
  }
  EXPECT_EQ(count, kEntries);
  EXPECT_OK(cursor.status());
  for (int i = 0; i < kEntries; i += 77) {
    cursor.seek(str_cat("key", 100000 + i));
    EXPECT(cursor.valid());
    EXPECT_EQ(cursor.value()[0], static_cast<char>('a' + i % 26));
  }
  cursor.seek("kez");
  EXPECT(!cursor.valid());
  EXPECT_OK(cursor.status());
  table_bytes(folder, 0);
  TableCursor empty = opened(folder / "t").take();
  empty.seek_to_first();
  EXPECT(!empty.valid());
}

/// A table with one data block stored as `contents` with this compression kind.
std::string table_of(const std::string& contents, char kind) {
  std::string bytes = contents + kind;
  append_fixed(bytes, masked_crc32c(bytes.data(), bytes.size()));
  std::string handle;
  BlockHandle{0, contents.size()}.append_to(handle);
  BlockBuilder index(1);
  index.add("z", handle);
  const uint64_t index_at = bytes.size();
  std::string index_block = index.finish() + '\0';
  append_fixed(index_block, masked_crc32c(index_block.data(), index_block.size()));
  bytes += index_block;
  TableFooter footer;
  footer.index = footer.metaindex = {index_at, index_block.size() - kBlockTrailer};
  return bytes + footer.bytes();
}

TINYTF_TEST(compressed_blocks_are_read) {
  const TemporaryFolder folder;
  const std::string plain = hex("00 01 03 6b 616263 00000000 01000000");  // k -> abc
  const std::string compressed = hex("0f 38") + plain;
  testing::write(folder / "t", table_of(compressed, 1));
  TableCursor cursor = opened(folder / "t").take();
  cursor.seek("k");
  EXPECT(cursor.valid() && cursor.value() == "abc");
  testing::write(folder / "t", table_of(plain, 1));
  cursor = opened(folder / "t").take();
  cursor.seek("k");
  EXPECT_EQ(cursor.status().to_string(), "Data loss: corrupted compressed block contents");
  testing::write(folder / "t", table_of(plain, 2));
  cursor = opened(folder / "t").take();
  cursor.seek("k");
  EXPECT_EQ(cursor.status().to_string(), "Data loss: bad block type");
}

TINYTF_TEST(blocks_are_gone_through_once) {
  const TemporaryFolder folder;
  std::string bytes = hex("00 01 03 6b 616263 00000000 01000000") + '\0';  // k -> abc
  append_fixed(bytes, masked_crc32c(bytes.data(), bytes.size()));
  std::string handle;
  BlockHandle{0, bytes.size() - kBlockTrailer}.append_to(handle);
  BlockBuilder index(1);
  for (const char* key : {"x", "y", "z"}) index.add(key, handle);
  TableFooter footer;
  footer.index = footer.metaindex = {bytes.size(), 0};
  std::string index_block = index.finish();
  footer.index.size = footer.metaindex.size = index_block.size();
  index_block += '\0';
  append_fixed(index_block, masked_crc32c(index_block.data(), index_block.size()));
  testing::write(folder / "t", bytes + index_block + footer.bytes());
  TableCursor cursor = opened(folder / "t").take();
  int entries = 0;
  for (cursor.seek_to_first(); cursor.valid(); cursor.next()) ++entries;
  EXPECT_EQ(entries, 1);
  EXPECT_EQ(cursor.status().to_string(), "Data loss: bad block handle");
}

TINYTF_TEST(files_that_are_no_tables_are_errors_as_tensorflows) {
  const TemporaryFolder folder;
  testing::write(folder / "t", "short");
  EXPECT_EQ(opened(folder / "t").status().to_string(), "Data loss: file is too short to be an sstable");
  testing::write(folder / "t", std::string(100, 'x'));
  EXPECT_EQ(opened(folder / "t").status().to_string(), "Data loss: not an sstable (bad magic number)");
  testing::write(folder / "t", std::string(40, '\xff') + hex("57fb808b247547db"));
  EXPECT_EQ(opened(folder / "t").status().to_string(), "Data loss: bad block handle");
  TableFooter footer;
  footer.metaindex = footer.index = {0, UINT64_MAX};
  testing::write(folder / "t", footer.bytes());
  EXPECT_EQ(opened(folder / "t").status().to_string(), "Out of range: Read less bytes than requested");
  footer.metaindex = footer.index = {UINT64_MAX, 1};
  testing::write(folder / "t", footer.bytes());
  EXPECT_EQ(opened(folder / "t").status().code(), Code::kOutOfRange);
  EXPECT_EQ(opened(folder / "no").status().code(), Code::kNotFound);
}

TINYTF_TEST(every_damaged_byte_of_a_table_is_found) {
  const TemporaryFolder folder;
  const std::string whole = table_bytes(folder, 3);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
    testing::write(folder / "t", bytes);
    auto cursor = opened(folder / "t");
    if (!cursor.ok()) continue;
    TableCursor& table = cursor.value();
    table.seek_to_first();
    EXPECT_EQ(table.status().code(), Code::kDataLoss);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
