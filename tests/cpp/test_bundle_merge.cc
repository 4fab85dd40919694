#include "io/bundle_merge.h"

#include "io/bundle_reader.h"
#include "io/bundle_writer.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;
using testing::tensor_of;

SerialParallel serial;

void save(const std::string& prefix, const std::string& name, const std::string& slice, float value) {
  auto writer = BundleWriter::create(prefix).take();
  EXPECT_OK(writer->add(name, tensor_of<float>({}, {value}), serial));
  EXPECT_OK(
      writer->add_slice("p", parse_shape_and_slice(slice).value(), tensor_of<float>({2}, {value, value}), serial));
  EXPECT_OK(writer->finish());
}

TINYTF_TEST(checkpoints_are_merged) {
  const TemporaryFolder folder;
  save(folder / "t/0", "a", "4 0,2", 1);
  save(folder / "t/1", "b", "4 2,2", 2);
  EXPECT_OK(merge_bundles({folder / "t/0", folder / "t/1"}, folder / "m", true));
  EXPECT(folder.names() == std::vector<std::string>({"m.data-00000-of-00002", "m.data-00001-of-00002", "m.index"}));
  auto reader = BundleReader::open(folder / "m").take();
  EXPECT_EQ(*reader->read("a", Allocator::process(), serial).value().data<float>(), 1.0f);
  EXPECT_EQ(*reader->read("b", Allocator::process(), serial).value().data<float>(), 2.0f);
  const Tensor p = reader->read("p", Allocator::process(), serial).take();
  const std::vector<float> values(p.data<float>(), p.data<float>() + 4);
  EXPECT(values == std::vector<float>({1, 1, 2, 2}));
}

TINYTF_TEST(what_cannot_be_merged_stays_as_it_is) {
  const TemporaryFolder folder;
  save(folder / "t/0", "a", "4 0,2", 1);
  save(folder / "t/1", "a", "4 2,2", 2);
  save(folder / "t/2", "c", "5 2,2", 2);
  const auto before = folder.names();
  EXPECT_EQ(merge_bundles({folder / "t/0", folder / "t/1"}, folder / "m", true).to_string(),
            "Invalid argument: Duplicate tensor keyed by a encountered, when merging prefix: " + (folder / "t/1"));
  EXPECT_EQ(merge_bundles({folder / "t/0", folder / "t/2"}, folder / "m", true).code(), Code::kInvalidArgument);
  EXPECT_EQ(merge_bundles({folder / "t/0", folder / "t/9"}, folder / "m", true).to_string(),
            "Not found: " + (folder / "t/9.index") + "; No such file or directory");
  EXPECT(folder.names() == before);
  EXPECT_OK(BundleReader::open(folder / "t/0").status());
}

TINYTF_TEST(folders_with_other_files_stay) {
  const TemporaryFolder folder;
  save(folder / "t/0", "a", "4 0,2", 1);
  testing::write(folder / "t/other", "");
  EXPECT_OK(merge_bundles({folder / "t/0"}, folder / "m", true));
  EXPECT_EQ(folder.names().size(), 3u);
  save(folder / "t/0", "a", "4 0,2", 1);
  EXPECT_OK(merge_bundles({folder / "t/0"}, folder / "n", false));
  EXPECT_OK(BundleIndex::open(folder / "t/0").status());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
