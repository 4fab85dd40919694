#include <random>

#include "base/crc32c.h"
#include "io/bundle_merge.h"
#include "io/bundle_writer.h"
#include "io/checkpoint_reader.h"
#include "io/early_checkpoint_writer.h"
#include "io/fixed_int.h"
#include "io/snappy.h"
#include "io/table_builder.h"
#include "tests/cpp/io_fixture.h"
#include "tests/stress/damage.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

using Entries = std::vector<std::pair<std::string, std::string>>;

Entries entries_of(const std::string& path) {
  Entries entries;
  TableCursor cursor = TableCursor::open(Table::open(path).take()).take();
  for (cursor.seek_to_first(); cursor.valid(); cursor.next()) entries.emplace_back(cursor.key(), cursor.value());
  return entries;
}

/// A table with valid checksums and arbitrary entries.
void write_table(const std::string& path, const Entries& entries) {
  auto file = WritableFile::create(path).take();
  TableBuilder table(*file);
  for (const auto& [key, value] : entries) EXPECT_OK(table.add(key, value));
  EXPECT_OK(table.finish());
  EXPECT_OK(file->close());
}

/// A table with one block of the given bytes and a valid checksum.
void write_block(const std::string& path, std::string contents, BlockKind kind) {
  std::string bytes;
  const auto append = [&](std::string block, BlockKind of_kind) {
    const BlockHandle handle{bytes.size(), block.size()};
    block.push_back(static_cast<char>(of_kind));
    append_fixed(block, masked_crc32c(block.data(), block.size()));
    bytes += block;
    return handle;
  };
  std::string handle;
  append(std::move(contents), kind).append_to(handle);
  BlockBuilder index(1);
  index.add("\xff\xff", handle);
  TableFooter footer;
  footer.metaindex = append(BlockBuilder(16).finish(), BlockKind::kPlain);
  footer.index = append(index.finish(), BlockKind::kPlain);
  write(path, bytes + footer.bytes());
}

/// Reads everything through all methods. The values read must not be larger than their bytes allow, even if entries
/// share them.
void read_all(const std::string& prefix, size_t file_bytes) {
  auto reader = CheckpointReader::open(prefix);
  if (!reader.ok()) return;
  static_cast<void>(reader.value()->debug_string().ok());
  const auto tensors = reader.value()->tensors();
  if (!tensors.ok()) return;
  SerialParallel serial;
  for (const auto& [name, saved] : tensors.value()) {
    const auto value = reader.value()->read(name, Allocator::process(), serial);
    if (value.ok()) EXPECT(static_cast<size_t>(value.value().num_elements()) <= 4 * file_bytes);
  }
}

void save(const std::string& prefix) {
  SerialParallel serial;
  auto writer = BundleWriter::create(prefix).take();
  EXPECT_OK(writer->add("numbers", tensor_of<float>({3}, {1, 2, 3}), serial));
  EXPECT_OK(writer->add("strings", strings_of({2}, {"one", "another"}), serial));
  for (const char* text : {"3 2 0,1:-", "3 2 1,2:0,1", "3 2 1,2:1,1"}) {
    const ShapeAndSlice where = parse_shape_and_slice(text).take();
    EXPECT_OK(writer->add_slice("parts", where, tensor_of<int16_t>(where.slice_shape, {1, 2}), serial));
  }
  EXPECT_OK(writer->finish());
}

TINYTF_TEST(damaged_checkpoints_are_read_within_their_bytes) {
  const TemporaryFolder folder;
  save(folder / "m");
  const std::string index = folder / "m.index", data = folder / "m.data-00000-of-00001";
  const std::string whole_index = content(index), whole_data = content(data);
  const Entries entries = entries_of(index);
  std::mt19937 random(1);
  for (int i = 0; i < rounds(300); ++i) {
    Entries damaged = entries;
    auto& [key, value] = damaged[random() % damaged.size()];
    damage(random() % 8 == 0 ? key : value, random);
    write_table(index, damaged);
    read_all(folder / "m", whole_index.size() + whole_data.size());
    static_cast<void>(merge_bundles({folder / "m"}, folder / "merged", false).ok());
    std::string bytes = whole_index;
    damage(bytes, random);
    write(index, bytes);
    write(data, whole_data);
    read_all(folder / "m", bytes.size() + whole_data.size());
    bytes = whole_data;
    damage(bytes, random);
    write(index, whole_index);
    write(data, bytes);
    read_all(folder / "m", whole_index.size() + bytes.size());
    write(data, whole_data);
  }
}

TINYTF_TEST(damaged_blocks_are_read_within_what_they_hold) {
  const TemporaryFolder folder;
  save(folder / "m");
  BlockBuilder builder(16);
  for (const auto& [key, value] : entries_of(folder / "m.index")) builder.add(key, value);
  const std::string block = builder.finish();
  std::string compressed;
  append_varint(compressed, block.size());
  for (size_t at = 0; at < block.size(); at += 60) {  // literals, and a copy of the preceding byte
    const std::string piece = block.substr(at, 60);
    compressed += static_cast<char>((piece.size() - 1) << 2);
    compressed += piece;
  }
  EXPECT(snappy_decoded(compressed).value() == block);
  std::mt19937 random(2);
  for (int i = 0; i < rounds(300); ++i) {
    for (const BlockKind kind : {BlockKind::kPlain, BlockKind::kSnappy}) {
      std::string bytes = kind == BlockKind::kPlain ? block : compressed;
      if (i > 0) damage(bytes, random);
      write_block(folder / "m.index", bytes, kind);
      read_all(folder / "m", 40 * bytes.size());
    }
  }
  for (int i = 0; i < rounds(20000); ++i) {
    std::string bytes = compressed;
    for (uint32_t more = random() % 3 + 1; more > 0; --more) damage(bytes, random);
    const auto decoded = snappy_decoded(bytes);
    if (decoded) EXPECT(decoded->size() <= 32 * bytes.size());
  }
}

TINYTF_TEST(damaged_early_checkpoints_are_read_within_their_bytes) {
  const TemporaryFolder folder;
  EarlyCheckpointWriter writer(folder / "m");
  const ShapeAndSlice first = parse_shape_and_slice("3 0,1").take(), second = parse_shape_and_slice("3 1,2").take();
  EXPECT_OK(writer.add("parts", first, tensor_of<float>({1}, {1})));
  EXPECT_OK(writer.add("parts", second, tensor_of<float>({2}, {2, 3})));
  EXPECT_OK(writer.add("s", {Shape({2}), TensorSlice::whole(1), Shape({2})}, strings_of({2}, {"one", "another"})));
  EXPECT_OK(writer.add("i", {Shape(), TensorSlice(), Shape()}, tensor_of<int64_t>({}, {-7})));
  EXPECT_OK(writer.finish());
  const std::string whole = content(folder / "m");
  const Entries entries = entries_of(folder / "m");
  std::mt19937 random(3);
  for (int i = 0; i < rounds(500); ++i) {
    Entries damaged = entries;
    auto& [key, value] = damaged[random() % 3 == 0 ? 0 : random() % damaged.size()];
    damage(random() % 8 == 0 ? key : value, random);
    write_table(folder / "m", damaged);
    read_all(folder / "m", content(folder / "m").size());
    std::string bytes = whole;
    damage(bytes, random);
    write(folder / "m", bytes);
    read_all(folder / "m", bytes.size());
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
