#include "io/byte_sink.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/stored_deflate.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

std::string content(const testing::TemporaryFile& file) { return read_file(file.path()).take(); }

TINYTF_TEST(byte_sinks_write_what_they_get) {
  const testing::TemporaryFile file;
  ByteSink sink = ByteSink::create(file.path()).take();
  EXPECT_OK(sink.append("ab"));
  EXPECT_OK(sink.flush());
  EXPECT_EQ(content(file), "ab");
  EXPECT_OK(sink.append("c"));
  EXPECT(sink.is_open());
  EXPECT_OK(sink.close());
  EXPECT_OK(sink.close());
  EXPECT(!sink.is_open());
  EXPECT_EQ(content(file), "abc");
}

TINYTF_TEST(byte_sinks_compress_one_stream) {
  const testing::TemporaryFile file;
  const testing::StoredDeflate codec;
  ByteSink sink = ByteSink::create(file.path(), DeflateOptions(), {8}).take();
  std::string wanted;
  for (const size_t size : {3, 4, 5, 20, 0, 1}) {
    const std::string part(size, static_cast<char>('a' + size));
    wanted += part;
    EXPECT_OK(sink.append(part));
  }
  EXPECT_OK(sink.close());
  EXPECT_EQ(inflate(content(file), DeflateFormat::kZlib, wanted.size()).take(), wanted);
}

TINYTF_TEST(byte_sinks_that_cannot_be_made) {
  const testing::TemporaryFile file;
  const testing::StoredDeflate codec;
  EXPECT_OK(write_file(file.path(), "kept"));
  DeflateOptions options;
  options.level = 10;
  EXPECT_EQ(ByteSink::create(file.path(), options).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(content(file), "kept");
  EXPECT_EQ(ByteSink::create(file.path() + "/in_a_file").status().code(), Code::kFailedPrecondition);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
