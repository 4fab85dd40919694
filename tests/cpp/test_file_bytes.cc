#include "ops/data/shared/file_bytes.h"

#include <fstream>

#include "tests/cpp/data_fixture.h"
#include "tests/cpp/stored_deflate.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

using data::IteratorContext;
using data::PipelineTasks;
using ops::FileBytes;

/// A file of these bytes, read by a step.
struct Bytes {
  explicit Bytes(const std::string& contents, std::optional<DeflateFormat> how = std::nullopt) : compression(how) {
    std::ofstream(name, std::ios::binary) << contents;
    bytes.emplace(FileBytes::open(name, compression).take());
  }

  const testing::TemporaryFolder folder;
  const std::string name = folder / "f";
  const std::optional<DeflateFormat> compression;
  testing::DataStep step;
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const IteratorContext ctx{step.services, *tasks};
  std::optional<FileBytes> bytes;
};

TINYTF_TEST(bytes_of_a_file_are_read_and_dropped) {
  Bytes file("abcdef");
  EXPECT_EQ(file.bytes->offset(), 0u);
  EXPECT(file.bytes->has(file.ctx, 2).value());
  EXPECT_EQ(file.bytes->ready().substr(0, 2), "ab");
  file.bytes->drop(2);
  EXPECT_EQ(file.bytes->offset(), 2u);
  EXPECT(file.bytes->has(file.ctx, 4).value());
  EXPECT_EQ(file.bytes->ready(), "cdef");
  EXPECT(!file.bytes->has(file.ctx, 5).value());
  EXPECT_EQ(file.bytes->ready(), "cdef");  // What there is stays.
  EXPECT(file.bytes->skip(file.ctx, 4).value());
  EXPECT_EQ(file.bytes->offset(), 6u);
  EXPECT(file.bytes->has(file.ctx, 0).value());
  EXPECT(!file.bytes->skip(file.ctx, 1).value());
}

TINYTF_TEST(bytes_are_skipped_before_they_are_read) {
  const std::string long_text(std::size_t{3} << 20, 'x');
  Bytes file(long_text + "end");
  EXPECT(file.bytes->has(file.ctx, 1).value());
  EXPECT(file.bytes->skip(file.ctx, long_text.size()).value());
  EXPECT_EQ(file.bytes->offset(), long_text.size());
  EXPECT(file.bytes->has(file.ctx, 3).value());
  EXPECT_EQ(file.bytes->ready(), "end");
  EXPECT(!file.bytes->skip(file.ctx, UINT64_MAX - long_text.size()).value());
}

TINYTF_TEST(offsets_of_compressed_files_count_decompressed_bytes) {
  const testing::StoredDeflate codec;
  Bytes file(std::string("[\x05") + "abcde" + std::string("\0", 1), DeflateFormat::kZlib);
  EXPECT(file.bytes->skip(file.ctx, 3).value());
  EXPECT(file.bytes->has(file.ctx, 2).value());
  EXPECT_EQ(file.bytes->ready(), "de");
  EXPECT_EQ(file.bytes->offset(), 3u);
  auto again = ops::reopened(file.ctx, file.name, file.compression, 4);
  EXPECT(again.value().has(file.ctx, 1).value());
  EXPECT_EQ(again.value().ready(), "e");
}

TINYTF_TEST(the_error_of_a_file_is_repeated) {
  const testing::StoredDeflate codec;
  Bytes file("no stream", DeflateFormat::kGzip);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(file.bytes->has(file.ctx, 1).status().message(),
              "inflate() failed with error -3: incorrect header check");
    EXPECT_EQ(file.bytes->skip(file.ctx, 1).status().code(), Code::kDataLoss);
  }
}

TINYTF_TEST(the_end_of_a_step_is_no_error_of_the_file) {
  Bytes file("abc");
  testing::DataStep over;
  over.cancellation.cancel();
  const IteratorContext ended{over.services, *file.tasks};
  EXPECT_EQ(file.bytes->has(ended, 1).status().code(), Code::kCancelled);
  EXPECT_EQ(file.bytes->skip(ended, 1).status().code(), Code::kCancelled);
  EXPECT(file.bytes->has(file.ctx, 3).value());
  EXPECT(file.bytes->has(ended, 3).value());  // Nothing has to be read.
}

TINYTF_TEST(files_are_opened_again_where_they_were) {
  Bytes file("abc");
  auto at_end = ops::reopened(file.ctx, file.name, std::nullopt, 3);
  EXPECT_EQ(at_end.value().offset(), 3u);
  EXPECT(!at_end.value().has(file.ctx, 1).value());
  for (const uint64_t offset : {uint64_t{4}, UINT64_MAX}) {
    const Status behind = ops::reopened(file.ctx, file.name, std::nullopt, offset).status();
    EXPECT_EQ(behind.code(), Code::kDataLoss);
    EXPECT_EQ(behind.message(), str_cat("The saved position of the iterator is behind the end of ", file.name));
  }
  EXPECT_EQ(ops::reopened(file.ctx, file.folder / "none", std::nullopt, 0).status().code(), Code::kNotFound);
  EXPECT_EQ(FileBytes::open(file.folder / "none", std::nullopt).status().code(), Code::kNotFound);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
