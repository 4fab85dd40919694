#include "io/replaced_checkpoint.h"

#include "io/bundle_merge.h"
#include "io/bundle_reader.h"
#include "io/bundle_writer.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::ChangesEnd;
using testing::TemporaryFolder;
using testing::tensor_of;

SerialParallel serial;

Status save(const std::string& prefix, float value, const std::string& name = "a") {
  TINYTF_ASSIGN_OR_RETURN(const auto writer, BundleWriter::create(prefix));
  TINYTF_RETURN_IF_ERROR(writer->add(name, tensor_of<float>({2}, {value, value}), serial));
  return writer->finish();
}

/// The value in the checkpoint; -1 if there is none.
float saved(const std::string& prefix, const std::string& name = "a") {
  auto reader = BundleReader::open(prefix);
  if (reader.status().code() == Code::kNotFound) return -1;
  const auto value = reader.ok() ? reader.value()->read(name, Allocator::process(), serial) : reader.status();
  EXPECT_OK(value.status());
  return value.ok() ? *value.value().data<float>() : -2;
}

TINYTF_TEST(a_checkpoint_is_there_whenever_the_process_ends) {
  for (int64_t changes = 0;; ++changes) {
    const TemporaryFolder folder;
    {
      const ChangesEnd end(changes);
      const bool saved_anew = save(folder / "m", 1).ok();
      EXPECT_EQ(saved_anew, !end.ended());
      if (!end.ended()) break;
    }
    const float value = saved(folder / "m");
    EXPECT(value == -1 || value == 1);
  }
}

TINYTF_TEST(the_checkpoint_before_is_there_until_the_new_one_is) {
  int64_t changes = 0;
  for (bool done = false; !done; ++changes) {
    const TemporaryFolder folder;
    EXPECT_OK(save(folder / "m", 1));
    {
      const ChangesEnd end(changes);
      const bool saved_anew = save(folder / "m", 2).ok();
      done = !end.ended();
      EXPECT(saved_anew || !done);
    }
    const float value = saved(folder / "m");
    EXPECT(done ? value == 2 : value == 1 || value == 2);
    EXPECT_OK(save(folder / "m", 3));  // no leftovers interfere
    EXPECT_EQ(saved(folder / "m"), 3.0f);
    if (done) EXPECT(folder.names() == std::vector<std::string>({"m.data-00000-of-00001", "m.index"}));
  }
  EXPECT(changes > 10);
}

TINYTF_TEST(merging_keeps_the_checkpoint_before_until_the_new_one_is_there) {
  int64_t changes = 0;
  for (bool done = false; !done;) {
    const TemporaryFolder folder;
    for (const float value : {1.0f, 2.0f}) {
      EXPECT_OK(save(folder / "t/0", value, "a"));
      EXPECT_OK(save(folder / "t/1", value, "b"));
      const ChangesEnd end(value == 1 ? INT64_MAX : changes++);
      const bool merged = merge_bundles({folder / "t/0", folder / "t/1"}, folder / "m", true).ok();
      done = value == 2 && !end.ended();
      EXPECT(merged || end.ended());
    }
    const float a = saved(folder / "m", "a"), b = saved(folder / "m", "b");
    EXPECT_EQ(a, b);
    EXPECT(done ? a == 2 : a == 1 || a == 2);
    if (done) EXPECT_EQ(folder.names().size(), 3u);
  }
}

TINYTF_TEST(what_is_no_checkpoint_is_not_set_aside) {
  const TemporaryFolder folder;
  testing::write(folder / "m.index", "junk");
  EXPECT_OK(ReplacedCheckpoint::of(folder / "m", 1).status());
  EXPECT_OK(ReplacedCheckpoint::of(folder / "no", 1).status());
  EXPECT_OK(save(folder / "m", 1));
  EXPECT_EQ(saved(folder / "m"), 1.0f);
  EXPECT_OK(ReplacedCheckpoint::of(folder / "m", 2).status());  // the temporary names of another save differ
  EXPECT_EQ(folder.names().size(), 2u);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
