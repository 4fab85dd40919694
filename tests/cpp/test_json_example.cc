#include "ops/parsing/shared/json_example.h"

#include <random>
#include <string>

#include "tests/cpp/harness.h"

namespace tinytf::ops {
namespace TINYTF_FILE {

std::string told(std::string_view text) {
  std::string bytes;
  JsonExampleWriter writer(&bytes);
  JsonReader reader(text, writer);
  while (!reader.ended()) {
    const Status status = reader.step();
    if (!status.ok()) return status.message();
  }
  return writer.status().ok() ? bytes : writer.status().message();
}

std::string list(std::string_view kind, std::string_view values) {
  return told(str_cat("{'features': {'feature': {'a': {'", kind, "': {'value': ", values, "}}}}}"));
}

TINYTF_TEST(json_example_has_the_bytes_of_the_message) {
  EXPECT_EQ(told("{}"), "");
  EXPECT_EQ(told("{features: {feature: {}}}"), std::string("\n\0", 2));
  EXPECT_EQ(list("int64List", "[1, '2', 3.0]"),
            "\n\x0f\n\r\n\x01"
            "a\x12\x08\x1a\x06\x08\x01\x08\x02\x08\x03");
  EXPECT_EQ(list("bytes_list", "['YQ==', '-_-_']"),
            "\n\x11\n\x0f\n\x01"
            "a\x12\n\n\x08\n\x01"
            "a\n\x03\xfb\xff\xbf");
}

TINYTF_TEST(json_example_says_where_it_is_wrong) {
  EXPECT_EQ(list("int64List", "[1, 2.5]"),
            "(features.feature[0].value.int64_list.value[1]): invalid value 2.5 for type TYPE_INT64");
  EXPECT_EQ(list("int64List", "{}"),
            "(features.feature[0].value.int64_list.value): invalid value {} for type TYPE_INT64");
  EXPECT_EQ(list("int64List", "[{'x': [1]}, 3]"),
            "(features.feature[0].value.int64_list.value[0]): invalid value {} for type TYPE_INT64");
  EXPECT_EQ(told("{'someName': 1}"), "some_name: Cannot find field.");
  EXPECT_EQ(told("[]"), ": Root element must be a message.");
}

TINYTF_TEST(json_example_takes_long_texts) {
  std::string values = "[0";
  for (int i = 1; i < 100'000; ++i) values += str_cat(",", i);
  EXPECT(list("int64List", values + "]").size() > 300'000);
  EXPECT_EQ(list("int64List", std::string(101, '[')), "Message too deep. Max recursion depth reached for key ''");
}

TINYTF_TEST(json_example_survives_any_text) {
  std::mt19937_64 random(7);
  const std::string_view pieces[] = {
      "{", "}",      "[",    "]",    ":",         ",",         "'features'", "feature", "\"a\"", "int64List", "value",
      "1", "-2.5e1", "null", "true", "'\\u00e9'", "'\\ud83d'", "\\",         "'",       "\"",    " ",         "x"};
  for (int i = 0; i < 20'000; ++i) {
    std::string text = "{'features':{'feature':{'a':";
    text.resize(random() % (text.size() + 1));
    for (size_t n = random() % 20; n > 0; --n) text += pieces[random() % std::size(pieces)];
    told(text);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::ops
