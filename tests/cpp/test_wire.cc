#include "io/wire.h"

#include <limits>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using std::string_literals::operator""s;

std::string written(void (*write)(WireWriter&)) {
  std::string out;
  WireWriter to(&out);
  write(to);
  return out;
}

bool is_message(std::string_view bytes) {
  WireReader fields(bytes);
  while (fields.next()) {
  }
  return fields.ok();
}

TINYTF_TEST(wire_fields_are_read_as_they_were_written) {
  const std::string bytes = written([](WireWriter& to) {
    to.varint(1, 300);
    to.int64(2, -1);
    to.float32(3, 1.5f);
    to.bytes(4, "text");
    to.nested(536870911, [&] { to.varint(1, 0); });
  });
  EXPECT_EQ(bytes.substr(0, 3), "\x08\xAC\x02"s);
  WireReader fields(bytes);
  EXPECT(fields.next() && fields.is(1, WireType::kVarint));
  EXPECT_EQ(fields.number(), 300u);
  EXPECT(fields.next() && fields.is(2, WireType::kVarint));
  EXPECT_EQ(fields.int64(), -1);
  EXPECT_EQ(fields.int32(), -1);
  EXPECT(fields.next() && fields.is(3, WireType::kFixed32));
  EXPECT_EQ(fields.number(), 0x3FC00000u);
  EXPECT_EQ(fields.whole(), "\x1D\x00\x00\xC0\x3F"s);
  EXPECT(fields.next() && fields.is(4, WireType::kBytes));
  EXPECT_EQ(fields.text(), "text");
  EXPECT_EQ(fields.whole(), "\x22\x04text");
  EXPECT(fields.next());
  EXPECT_EQ(fields.field(), 536870911u);
  EXPECT_EQ(fields.bytes(), "\x08\x00"s);
  EXPECT(!fields.next() && fields.ok());
}

TINYTF_TEST(wire_numbers_of_all_sizes_come_back) {
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1}) {
      std::string out;
      WireWriter(&out).varint(7, value);
      WireReader fields(out);
      EXPECT(fields.next());
      EXPECT_EQ(fields.number(), value);
      EXPECT(!fields.next() && fields.ok());
    }
  }
}

TINYTF_TEST(wire_messages_of_all_lengths_come_back) {
  for (const size_t size : {0u, 1u, 127u, 128u, 16383u, 16384u, 3000000u}) {
    std::string out;
    WireWriter to(&out);
    to.nested(1, [&] {
      to.nested(2, [&] {
        for (size_t i = 0; i < size; ++i) to.number(i & 0x7F);
      });
      to.varint(3, 4);
    });
    WireReader outer(out);
    EXPECT(outer.next());
    WireReader inner(outer.bytes());
    EXPECT(inner.next() && inner.is(2, WireType::kBytes));
    EXPECT_EQ(inner.bytes().size(), size);
    EXPECT(inner.next() && inner.is(3, WireType::kVarint));
    EXPECT(!inner.next() && inner.ok() && !outer.next() && outer.ok());
  }
}

TINYTF_TEST(wire_rows_and_single_numbers_are_one_field) {
  const std::string bytes = written([](WireWriter& to) {
    to.varint(5, 1);
    to.nested(5, [&] {
      to.number(200);
      to.number(3);
    });
    to.bytes(5, "");
    to.float32(5, 9.0f);  // another type makes it another field
    to.varint(6, 7);
  });
  std::vector<uint64_t> found;
  WireReader fields(bytes);
  while (fields.next()) fields.numbers(5, WireType::kVarint, [&](uint64_t value) { found.push_back(value); });
  EXPECT(fields.ok());
  EXPECT(found == (std::vector<uint64_t>{1, 200, 3}));
}

TINYTF_TEST(wire_rows_that_are_cut_are_damaged) {
  const std::string bytes = written([](WireWriter& to) { to.bytes(5, "\x01\x80"); });
  WireReader fields(bytes);
  EXPECT(fields.next());
  int found = 0;
  fields.numbers(5, WireType::kVarint, [&](uint64_t) { ++found; });
  EXPECT_EQ(found, 1);
  EXPECT(!fields.ok() && !fields.next());
  WireReader floats(bytes);
  EXPECT(floats.next());
  floats.numbers(5, WireType::kFixed32, [&](uint64_t) { ++found; });
  EXPECT(!floats.ok());
  EXPECT_EQ(found, 1);
}

TINYTF_TEST(wire_groups_are_passed_over) {
  EXPECT(is_message("\x0B\x10\x01\x13\x14\x1A\x01z\x0C\x20\x05"s));
  EXPECT(!is_message("\x0B\x10\x01"s));       // no end
  EXPECT(!is_message("\x0B\x14"s));           // the end of another group
  EXPECT(!is_message("\x0C"s));               // no start
  EXPECT(!is_message("\x0B\x12\x7Fz\x0C"s));  // truncated contents
  EXPECT(is_message(std::string(100, '\x0B') + std::string(100, '\x0C')));
  EXPECT(!is_message(std::string(101, '\x0B') + std::string(101, '\x0C')));
  EXPECT(!is_message(std::string(1000000, '\x0B')));
}

TINYTF_TEST(wire_bytes_that_are_no_message_are_damaged) {
  EXPECT(is_message(""));
  EXPECT(!is_message("\x08"s));                                           // a number is missing
  EXPECT(!is_message("\x00\x00"s));                                       // field 0
  EXPECT(!is_message("\x0E\x00"s));                                       // no such type
  EXPECT(!is_message("\x0D\x00\x00\x00"s));                               // three of four bytes
  EXPECT(!is_message("\x09\x00\x00\x00\x00\x00\x00\x00"s));               // seven of eight
  EXPECT(!is_message("\x0A\x02z"s));                                      // one of two
  EXPECT(!is_message("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01z"s));  // 2**64 - 1 bytes
  EXPECT(!is_message("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"s));   // more than 64 bits
  EXPECT(!is_message("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"s));
  EXPECT(!is_message("\x80\x80\x80\x80\x10\x00"s));  // field 2**29
  EXPECT(is_message("\x08\x80\x80\x00"s));           // longer than needed
}

TINYTF_TEST(wire_text_must_be_utf8) {
  for (const std::string& text :
       {""s, "a\x00z"s, "\xC2\x80"s, "\xE0\xA0\x80"s, "\xED\x9F\xBF"s, "\xF0\x90\x80\x80"s, "\xF4\x8F\xBF\xBF"s}) {
    EXPECT(is_utf8(text));
  }
  for (const std::string& text :
       {"\x80"s, "\xC1\x81"s, "\xC2"s, "\xC2z"s, "\xE0\x9F\x80"s, "\xED\xA0\x80"s, "\xE1\x80"s, "\xF0\x8F\x80\x80"s,
        "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xF1\x80\x80"s}) {
    EXPECT(!is_utf8(text));
  }
  WireReader fields("\x0A\x01\xFF");
  EXPECT(fields.next() && fields.ok());
  EXPECT_EQ(fields.bytes(), "\xFF");
  EXPECT_EQ(fields.text(), "\xFF");
  EXPECT(!fields.ok());
}

TINYTF_TEST(wire_parts_of_a_message_are_one) {
  MergedBytes bytes;
  EXPECT_EQ(bytes.view(), "");
  bytes.add("a");
  EXPECT(!bytes.is_in_parts());
  bytes.add("bc");
  bytes.add("d");
  EXPECT(bytes.is_in_parts());
  const MergedBytes copy = bytes;
  EXPECT_EQ(copy.view(), "abcd");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
