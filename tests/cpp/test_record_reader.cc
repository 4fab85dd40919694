#include "io/record_reader.h"

#include "io/record_format.h"
#include "io/record_writer.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/stored_deflate.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

std::vector<std::string> some_records() {
  std::vector<std::string> records;
  for (size_t size = 0; size < 600; size += 7) records.emplace_back(size, static_cast<char>('a' + size % 26));
  records.emplace_back(3'000'000, 'x');  // longer than the read buffer
  records.emplace_back("last");
  return records;
}

/// The records before the first error; the error is stored in `status`.
std::vector<std::string> read_all(const std::string& path, RecordCompression compression, Status* status) {
  std::vector<std::string> records;
  auto reader = RecordReader::open(path, compression);
  *status = reader.status();
  std::string_view record;
  while (status->ok()) {
    *status = reader.value()->next(&record);
    if (status->ok()) records.emplace_back(record);
  }
  if (reader.ok()) EXPECT_EQ(reader.value()->next(&record).message(), status->message());
  return records;
}

void write_all(const std::string& path, const std::optional<DeflateOptions>& deflate = {}) {
  auto writer = RecordWriter::create(path, deflate);
  EXPECT_OK(writer.status());
  for (const std::string& record : some_records()) EXPECT_OK(writer.value()->write(record));
  EXPECT_OK(writer.value()->close());
}

TINYTF_TEST(record_files_hold_what_was_written) {
  const testing::TemporaryFile file;
  write_all(file.path());
  Status status;
  EXPECT(read_all(file.path(), RecordCompression::kNone, &status) == some_records());
  EXPECT_EQ(status.code(), Code::kOutOfRange);
}

TINYTF_TEST(record_files_can_be_compressed) {
  const testing::TemporaryFile file;
  const testing::StoredDeflate codec;
  write_all(file.path(), DeflateOptions());
  Status status;
  EXPECT(read_all(file.path(), RecordCompression::kZlib, &status) == some_records());
  EXPECT_EQ(status.code(), Code::kOutOfRange);
  EXPECT(read_all(file.path(), RecordCompression::kNone, &status).empty());
  EXPECT_EQ(status.message(), "corrupted record at 0");
}

TINYTF_TEST(record_files_are_read_in_rows) {
  const testing::TemporaryFile file;
  write_all(file.path());
  auto reader = RecordReader::open(file.path(), RecordCompression::kNone).take();
  std::vector<std::string> found;
  std::vector<std::string_view> row;
  int rows = 0;
  for (; reader->next_ones(&row).ok(); ++rows) found.insert(found.end(), row.begin(), row.end());
  EXPECT(found == some_records());
  EXPECT(rows < 10);
}

TINYTF_TEST(record_files_that_are_cut_off_lose_their_last_record) {
  const testing::TemporaryFile file;
  std::string bytes;
  append_record("first", &bytes);
  const size_t first = bytes.size();
  append_record("second", &bytes);
  for (size_t size = first; size < bytes.size(); ++size) {
    EXPECT_OK(write_file(file.path(), std::string_view(bytes).substr(0, size)));
    Status status;
    EXPECT_EQ(read_all(file.path(), RecordCompression::kNone, &status).size(), size_t{1});
    const bool is_within = size >= first + kRecordHeaderBytes;
    EXPECT_EQ(status.message(), is_within ? str_cat("truncated record at ", first) : std::string("eof"));
  }
}

TINYTF_TEST(record_files_take_no_memory_for_a_length_alone) {
  const testing::TemporaryFile file;
  const auto header = record_header(uint64_t{1} << 62);
  EXPECT_OK(write_file(file.path(), std::string(header.data(), header.size()) + "some text"));
  Status status;
  EXPECT(read_all(file.path(), RecordCompression::kNone, &status).empty());
  EXPECT_EQ(status.message(), "truncated record at 0");
}

TINYTF_TEST(record_files_with_any_byte_changed_are_read_to_an_end) {
  const testing::TemporaryFile file;
  const testing::StoredDeflate codec;
  std::string bytes;
  for (const char* text : {"first", "", "a third one"}) append_record(text, &bytes);
  for (const bool is_compressed : {false, true}) {
    const std::string whole = is_compressed ? deflate(bytes).take() : bytes;
    for (size_t i = 0; i < whole.size(); ++i) {
      for (const int change : {1, 0x80, 0xff}) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ change);
        EXPECT_OK(write_file(file.path(), changed));
        Status status;
        read_all(file.path(), is_compressed ? RecordCompression::kZlib : RecordCompression::kNone, &status);
        EXPECT(status.code() == Code::kDataLoss || status.code() == Code::kOutOfRange);
      }
    }
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
