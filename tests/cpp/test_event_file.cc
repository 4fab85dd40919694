#include "io/event_file.h"

#include <algorithm>

#include "io/record_format.h"
#include "io/wire.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;

std::string record(std::string_view event) {
  std::string made;
  append_record(event, &made);
  return made;
}

TINYTF_TEST(an_event_file_begins_with_its_version_at_the_second_of_its_name) {
  const TemporaryFolder folder;
  EventFile file(folder.path(), ".s");
  EXPECT(file.path().empty());
  EXPECT(file.write(record("event")).ok());
  const std::string content = read_file(file.path()).take();
  std::string_view rest = content, version, event;
  EXPECT(take_record(rest, 0, &version).ok() && take_record(rest, 0, &event).ok() && rest.empty());
  EXPECT_EQ(event, "event");
  const std::string name = folder.names().at(0);
  const std::string prefix = "events.out.tfevents.";
  std::string expected;
  WireWriter to(&expected);
  to.float64(1, std::stod(name.substr(prefix.size(), 10)));
  to.bytes(3, "brain.Event:2");
  EXPECT_EQ(version, expected);
  EXPECT_EQ(version.size(), 24u);
}

TINYTF_TEST(names_that_are_taken_are_passed_over) {
  const TemporaryFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 5; ++i) {
    EventFile file(folder.path(), "");
    EXPECT(file.write("").ok() && file.close().ok());
    paths.push_back(file.path());
  }
  EXPECT_EQ(folder.names().size(), 5u);
  EXPECT(std::is_sorted(paths.begin(), paths.end()));
}

TINYTF_TEST(a_closed_event_file_is_followed_by_another) {
  const TemporaryFolder folder;
  EventFile file(folder.path(), "");
  for (int i = 0; i < 2; ++i) EXPECT(file.write(record("event")).ok() && file.close().ok() && file.close().ok());
  EXPECT_EQ(folder.names().size(), 2u);
}

TINYTF_TEST(no_event_file_is_made_where_there_is_no_folder) {
  const TemporaryFolder folder;
  EventFile file(folder.path() + "/none", "");
  EXPECT(file.write(record("event")).code() == Code::kNotFound);
  EXPECT(file.close().ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
