#include "io/bundle_index_writer.h"

#include "io/bundle_index.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(index_has_the_entries_that_were_written) {
  const testing::TemporaryFolder folder;
  const std::string prefix = folder / "model";
  std::map<std::string, BundleEntry> entries;
  for (const char* name : {"b", "a"}) {
    BundleEntry& entry = entries[name];
    entry.dtype = DType::kFloat;
    entry.shape = {2, 3};
    entry.data_file = 1;
    entry.offset = name[0];
    entry.size = 24;
  }
  const auto file = AtomicFile::create(index_file_name(prefix));
  EXPECT_OK(file.status());
  EXPECT_OK(write_index(*file.value(), BundleHeader::of(2), entries));
  EXPECT_OK(file.value()->keep());
  auto index = BundleIndex::open(prefix);
  EXPECT_OK(index.status());
  EXPECT_EQ(index.value().header().data_files, 2);
  std::string found;
  EXPECT_OK(index.value().for_each([&](const std::string& key, const BundleEntry& entry) {
    found += str_cat(key, " ", entry.shape.to_string(), " ", entry.data_file, " ", entry.offset, ";");
    return Status();
  }));
  EXPECT_EQ(found, "a [2,3] 1 97;b [2,3] 1 98;");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
