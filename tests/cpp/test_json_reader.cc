#include "ops/parsing/shared/json_reader.h"

#include <string>

#include "tests/cpp/harness.h"

namespace tinytf::ops {
namespace TINYTF_FILE {

/// Records the calls of the handler.
class Notes final : public JsonHandler {
 public:
  std::string text;

  void begin_object(std::string_view name) override { text += str_cat(name, "{"); }
  void end_object() override { text += "}"; }
  void begin_list(std::string_view name) override { text += str_cat(name, "["); }
  void end_list() override { text += "]"; }
  void value(std::string_view name, const JsonValue& value) override {
    text += str_cat(name, "=", value.quoted(), ";");
  }
};

std::string read(std::string_view text) {
  Notes notes;
  JsonReader reader(text, notes);
  while (!reader.ended()) {
    const Status status = reader.step();
    if (!status.ok()) return status.message();
  }
  return notes.text;
}

TINYTF_TEST(json_reader_tells_what_a_text_says) {
  EXPECT_EQ(read(" {\"a\": [1, -2, 2.5, true, null, 'x'], b: {}, \"c\\n\\u00e9\": \"\\ud83d\\ude00\",} "),
            "{a[=1;=-2;=2.5;=true;=null;=\"x\";]b{}c\n\xc3\xa9=\"\xf0\x9f\x98\x80\";}");
  EXPECT_EQ(read("18446744073709551615"), "=18446744073709551615;");
  EXPECT_EQ(read("[18446744073709551616]"), "[=1.8446744073709552e+19;]");
}

TINYTF_TEST(json_reader_shows_where_a_text_is_wrong) {
  EXPECT_EQ(read("{\"a\":[1}"), "Expected , or ] after array value.\n{\"a\":[1}\n       ^");
  EXPECT_EQ(read("{\"a\":[1"), "Unexpected end of string. Expected , or ] after array value.\n1\n ^");
  EXPECT_EQ(read("'\\ud83dabcdef'"), "Missing low surrogate.\n'\\ud83dabcdef'\n ^");
  EXPECT_EQ(read("[007]"), "Octal/hex numbers are not valid JSON values.\n[007]\n ^");
  EXPECT_EQ(read("[01-1]"), "Octal/hex numbers are not valid JSON values.\n[01-1]\n ^");
  EXPECT_EQ(read("[1-1]"), "Unable to parse number.\n[1-1]\n ^");
  EXPECT_EQ(read("[1X2]"), "Expected , or ] after array value.\n[1X2]\n  ^");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::ops
