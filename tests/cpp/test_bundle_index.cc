#include "io/bundle_index.h"

#include "base/crc32c.h"
#include "io/bundle_writer.h"
#include "io/fixed_int.h"
#include "io/table_builder.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;
using testing::TemporaryFolder;
using testing::tensor_of;

SerialParallel serial;

void save(const std::string& prefix, const std::vector<std::string>& names) {
  auto writer = BundleWriter::create(prefix).take();
  for (const std::string& name : names) EXPECT_OK(writer->add(name, tensor_of<float>({1}, {1}), serial));
  EXPECT_OK(writer->finish());
}

TINYTF_TEST(entries_are_found_by_name) {
  const TemporaryFolder folder;
  save(folder / "m", {"b", "a", "a/b"});
  BundleIndex index = BundleIndex::open(folder / "m").take();
  EXPECT_EQ(index.header().data_files, 1);
  EXPECT_EQ(index.find("a/b").value().offset, 8);
  EXPECT_EQ(index.find("a").value().offset, 4);
  EXPECT_EQ(index.find("c").status().to_string(), "Not found: Key c not found in checkpoint");
  EXPECT_EQ(index.find("").status().code(), Code::kNotFound);
  std::string keys;
  EXPECT_OK(index.for_each([&](const std::string& key, const BundleEntry&) {
    keys += key + " ";
    return Status();
  }));
  EXPECT_EQ(keys, "a a/b b ");
  EXPECT_EQ(index.for_each([&](const std::string&, const BundleEntry&) { return invalid_argument("no"); }).code(),
            Code::kInvalidArgument);
}

TINYTF_TEST(damaged_indexes_are_errors_as_tensorflows) {
  const TemporaryFolder folder;
  EXPECT_EQ(BundleIndex::open(folder / "m").status().to_string(),
            "Not found: " + (folder / "m.index") + "; No such file or directory");
  save(folder / "m", {"a"});
  std::string bytes = testing::content(folder / "m.index");
  bytes[1] = static_cast<char>(bytes[1] ^ 1);
  testing::write(folder / "m.index", bytes);
  EXPECT_EQ(BundleIndex::open(folder / "m").status().to_string(),
            "Data loss: Unable to read file (" + (folder / "m.index") +
                "). Perhaps the file is corrupt or was produced by a newer version of TensorFlow with format changes "
                "(failed to seek to header entry): block checksum mismatch");
}

TINYTF_TEST(keys_that_share_too_much_are_damage) {
  const TemporaryFolder folder;
  constexpr size_t kLong = 100000;  // expanding entries of 4 bytes with a key this long would take gigabytes
  std::string block = hex("00 00 00");
  const auto add = [&](size_t shared, const std::string& rest) {
    append_varint(block, shared);
    append_varint(block, rest.size());
    append_varint(block, 0);
    block += rest;
  };
  add(0, std::string(kLong, 'k'));
  for (size_t i = 0; i < kLong; ++i) add(kLong, "a");
  append_fixed(block, uint32_t{0});
  append_fixed(block, uint32_t{1});
  const auto stored = [](std::string bytes) {
    bytes += '\0';
    append_fixed(bytes, masked_crc32c(bytes.data(), bytes.size()));
    return bytes;
  };
  std::string handle;
  BlockHandle{0, block.size()}.append_to(handle);
  BlockBuilder index(1);
  index.add("z", handle);
  const std::string index_block = index.finish();
  TableFooter footer;
  footer.index = footer.metaindex = {block.size() + kBlockTrailer, index_block.size()};
  testing::write(folder / "m.index", stored(block) + stored(index_block) + footer.bytes());
  BundleIndex opened = BundleIndex::open(folder / "m").take();
  size_t entries = 0;
  const Status status = opened.for_each([&](const std::string&, const BundleEntry&) {
    ++entries;
    return Status();
  });
  EXPECT_EQ(status.to_string(), "Data loss: the keys of the index are too long for the size of the file");
  EXPECT(entries < kLong);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
