#include "io/record_format.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

std::string record(std::string_view content) {
  std::string bytes;
  append_record(content, &bytes);
  return bytes;
}

TINYTF_TEST(records_stand_as_tensorflow_writes_them) {
  EXPECT_EQ(record("abc"), std::string("\x03\0\0\0\0\0\0\0\xb0\x99\x49\x0e"
                                       "abc\x6e\x57\xf1\x21",
                                       19));
  EXPECT_EQ(record(""), std::string("\0\0\0\0\0\0\0\0\x29\x03\x98\x07\xd8\xea\x82\xa2", 16));
}

TINYTF_TEST(records_are_taken_one_by_one) {
  std::string bytes = record("first");
  append_record("", &bytes);
  append_record("third", &bytes);
  std::string_view rest = bytes, content;
  for (const char* expected : {"first", "", "third"}) {
    EXPECT(take_record(rest, 0, &content).ok());
    EXPECT_EQ(content, std::string_view(expected));
  }
  EXPECT_EQ(rest.size(), size_t{0});
  EXPECT(take_record(rest, 0, &content).code() == Code::kOutOfRange);
}

TINYTF_TEST(records_cut_off_are_no_records) {
  const std::string bytes = record("some text");
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::string_view rest(bytes.data(), size), content;
    const Status status = take_record(rest, 7, &content);
    EXPECT(status.code() == (size < kRecordHeaderBytes ? Code::kOutOfRange : Code::kDataLoss));
    if (size >= kRecordHeaderBytes) EXPECT_EQ(status.message(), std::string("truncated record at 7"));
    EXPECT_EQ(rest.size(), size);
  }
}

TINYTF_TEST(each_changed_bit_of_a_record_is_seen) {
  const std::string bytes = record("some text");
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    std::string_view rest = changed, content;
    const Status status = take_record(rest, 100, &content);
    EXPECT(status.code() == Code::kDataLoss);
    EXPECT_EQ(status.message(),
              std::string(bit / 8 < kRecordHeaderBytes ? "corrupted record at 100" : "corrupted record at 112"));
  }
}

TINYTF_TEST(lengths_that_cannot_be_are_told_before_memory_is_taken) {
  for (const uint64_t length : {UINT64_MAX, UINT64_MAX - 4}) {
    const auto header = record_header(length);
    const Result<uint64_t> read = record_length({header.data(), header.size()}, 0);
    EXPECT_EQ(read.status().message(), std::string("record size too large"));
  }
  const auto header = record_header(kLongestRecord);
  std::string bytes(header.data(), header.size());
  bytes += "text";
  std::string_view rest = bytes, content;
  EXPECT_EQ(take_record(rest, 0, &content).message(), std::string("truncated record at 0"));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
