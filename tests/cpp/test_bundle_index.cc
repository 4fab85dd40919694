#include "io/bundle_index.h"

#include "io/bundle_writer.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace {

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

}  // namespace
}  // namespace tinytf
