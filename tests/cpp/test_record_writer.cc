#include "io/record_writer.h"

#include "io/record_format.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/stored_deflate.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

std::string content(const testing::TemporaryFile& file) { return read_file(file.path()).take(); }

TINYTF_TEST(record_writer_hands_over_what_it_has_when_it_is_told) {
  const testing::TemporaryFile file;
  auto writer = RecordWriter::create(file.path()).take();
  std::string wanted;
  append_record("first", &wanted);
  EXPECT_OK(writer->write("first"));
  EXPECT_EQ(content(file), "");
  EXPECT_OK(writer->flush());
  EXPECT_EQ(content(file), wanted);
  append_record("", &wanted);
  EXPECT_OK(writer->write(""));
  EXPECT_OK(writer->close());
  EXPECT_EQ(content(file), wanted);
}

TINYTF_TEST(record_writer_writes_nothing_once_it_is_closed) {
  const testing::TemporaryFile file;
  auto writer = RecordWriter::create(file.path()).take();
  EXPECT_OK(writer->close());
  EXPECT_OK(writer->close());
  EXPECT_EQ(writer->write("more").code(), Code::kFailedPrecondition);
  EXPECT_EQ(writer->flush().code(), Code::kFailedPrecondition);
}

TINYTF_TEST(record_writer_compresses_all_records_as_one_stream) {
  const testing::TemporaryFile file;
  const testing::StoredDeflate codec;
  auto writer = RecordWriter::create(file.path(), DeflateOptions()).take();
  std::string wanted;
  for (int i = 0; i < 2000; ++i) {
    const std::string record(200, static_cast<char>(i));
    append_record(record, &wanted);
    EXPECT_OK(writer->write(record));
  }
  EXPECT_OK(writer->flush());
  EXPECT_OK(writer->close());
  EXPECT(inflate(content(file), DeflateFormat::kZlib, wanted.size()).take() == wanted);
}

TINYTF_TEST(record_writer_leaves_the_file_as_it_is_for_options_that_there_are_not) {
  const testing::TemporaryFile file;
  const testing::StoredDeflate codec;
  EXPECT_OK(write_file(file.path(), "kept"));
  DeflateOptions options;
  options.level = 10;
  EXPECT_EQ(RecordWriter::create(file.path(), options).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(content(file), "kept");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
