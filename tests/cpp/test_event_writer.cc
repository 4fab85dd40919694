#include "io/event_writer.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "io/file_change.h"
#include "io/file_system.h"
#include "io/record_format.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

using std::chrono::milliseconds;
using testing::TemporaryFolder;

constexpr milliseconds kNoDelay{0};

/// The events of all files except the version events; "damaged" for a damaged file.
std::vector<std::string> events_in(const TemporaryFolder& folder) {
  std::vector<std::string> names = folder.names(), events;
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::string content = read_file(folder.path() + "/" + name).take();
    std::string_view rest = content, event;
    bool first = true;
    while (!rest.empty()) {
      if (!take_record(rest, 0, &event).ok()) return {"damaged"};
      if (!first) events.emplace_back(event);
      first = false;
    }
  }
  return events;
}

/// Lets writes fail or block on demand.
class Disk final : public FileChangeWatch {
 public:
  Disk() : before_(set_file_change_watch(this)) {}
  ~Disk() override { set_file_change_watch(before_); }

  Status before(FileChange change, const std::string& path, size_t& bytes) override {
    if (change != FileChange::kWrite || path.find("tfevents") == std::string::npos || bytes == 0) return Status();
    std::unique_lock lock(mutex_);
    going_on_.wait(lock, [this] { return !hangs_; });
    if (room_ == 0) return Status(Code::kResourceExhausted, path + "; No space left on device");
    bytes = std::min(bytes, room_);
    room_ -= bytes;
    return Status();
  }
  void hang(bool hangs) {
    const std::lock_guard lock(mutex_);
    hangs_ = hangs;
    going_on_.notify_all();
  }
  void leave_room(size_t bytes) {
    const std::lock_guard lock(mutex_);
    room_ = bytes;
  }

 private:
  std::mutex mutex_;
  std::condition_variable going_on_;
  bool hangs_ = false;
  size_t room_ = SIZE_MAX;
  FileChangeWatch* const before_;
};

using Events = std::vector<std::string>;

TINYTF_TEST(without_events_there_is_no_file) {
  const TemporaryFolder folder;
  EventWriter writer(folder.path(), "", kNoDelay);
  EXPECT(writer.flush().ok() && writer.close().ok());
  EXPECT(folder.names().empty());
}

TINYTF_TEST(what_is_flushed_is_in_the_file) {
  const TemporaryFolder folder;
  EventWriter writer(folder.path(), ".x", std::chrono::hours(1));
  for (const char* event : {"a", "bc", ""}) {
    EXPECT(writer.add(event).ok());
    EXPECT(writer.flush().ok());
  }
  EXPECT(events_in(folder) == (Events{"a", "bc", ""}));
  const std::string name = folder.names().at(0);
  EXPECT(name.rfind("events.out.tfevents.", 0) == 0);
  EXPECT_EQ(name.substr(name.size() - 2), ".x");
}

TINYTF_TEST(every_file_is_a_new_one) {
  const TemporaryFolder folder;
  EventWriter one(folder.path(), "", kNoDelay), two(folder.path(), "", kNoDelay);
  for (int i = 0; i < 3; ++i) {
    EXPECT(one.add("one").ok() && two.add("two").ok());
    EXPECT(one.close().ok() && two.close().ok());
  }
  EXPECT_EQ(folder.names().size(), 6u);
  Events events = events_in(folder);
  EXPECT_EQ(std::count(events.begin(), events.end(), "one"), 3);
  EXPECT_EQ(events.size(), 6u);
}

TINYTF_TEST(nobody_waits_for_a_disk_that_hangs) {
  const TemporaryFolder folder;
  Disk disk;
  EventWriter writer(folder.path(), "", kNoDelay);
  disk.hang(true);
  const std::string event((size_t{1} << 20) - kRecordHeaderBytes - kRecordFooterBytes, 'x');
  size_t taken = 0;
  while (writer.add(event).ok()) ++taken;
  EXPECT(taken >= EventWriter::kMostWaiting >> 20);  // more by the amount that the thread has taken
  EXPECT(writer.flush(nullptr, milliseconds(1)).code() == Code::kCancelled);
  EXPECT(writer.flush([] { return true; }).code() == Code::kCancelled);
  EXPECT(writer.close(nullptr, milliseconds(1)).code() == Code::kCancelled);
  disk.hang(false);
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(events_in(folder).size(), taken);
}

TINYTF_TEST(an_error_is_told_once_and_nothing_is_lost) {
  const TemporaryFolder folder;
  Disk disk;
  EventWriter writer(folder.path(), "", std::chrono::hours(1));
  EXPECT(writer.add("first").ok() && writer.flush().ok());
  for (const size_t room : {0, 1, 12, 17}) {  // too little for the next event
    disk.leave_room(room);
    EXPECT(writer.add(std::to_string(room)).ok());
    EXPECT(writer.flush().code() == Code::kResourceExhausted);
    EXPECT(events_in(folder).size() >= 1);
    disk.leave_room(SIZE_MAX);
    EXPECT(writer.flush().ok());
  }
  EXPECT(events_in(folder) == (Events{"first", "0", "1", "12", "17"}));
  EXPECT_EQ(folder.names().size(), 1u);
}

TINYTF_TEST(what_is_closed_without_room_is_an_error_and_a_file_that_can_be_read) {
  const TemporaryFolder folder;
  Disk disk;
  EventWriter writer(folder.path(), "", std::chrono::hours(1));
  EXPECT(writer.add("first").ok() && writer.flush().ok());
  disk.leave_room(5);
  EXPECT(writer.add("second").ok());
  EXPECT(writer.close().code() == Code::kResourceExhausted);
  EXPECT(events_in(folder) == Events{"first"});
  disk.leave_room(SIZE_MAX);
  EXPECT(writer.add("third").ok() && writer.close().ok());
  EXPECT(events_in(folder) == (Events{"first", "third"}));
}

TINYTF_TEST(a_folder_that_is_gone_is_told_by_the_next_call) {
  const TemporaryFolder folder;
  EventWriter writer(folder.path() + "/none", "", kNoDelay);
  EXPECT(writer.add("a").ok());
  Status status;
  while (status.ok()) status = writer.add("b");
  EXPECT(status.code() == Code::kNotFound);
  EXPECT(make_folder(folder.path() + "/none").ok());
  (void)writer.flush();  // there may have been another failure
  EXPECT(writer.close().ok());
  for (const std::string& name : names_in(folder.path() + "/none").take()) {
    EXPECT(delete_file(folder.path() + "/none/" + name).ok());
  }
  EXPECT(delete_folder(folder.path() + "/none").ok());
}

TINYTF_TEST(a_writer_that_goes_writes_what_waits) {
  const TemporaryFolder folder;
  {
    EventWriter writer(folder.path(), "", std::chrono::hours(1));
    EXPECT(writer.add("a").ok() && writer.add("b").ok());
  }
  while (events_in(folder) != (Events{"a", "b"})) std::this_thread::yield();
}

TINYTF_TEST(many_threads_add_flush_and_close) {
  const TemporaryFolder folder;
  EventWriter writer(folder.path(), "", kNoDelay);
  constexpr int kThreads = 4, kEach = 500;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        EXPECT(writer.add(std::to_string(t) + " " + std::to_string(i)).ok());
        if (i % 50 == 0) EXPECT(writer.flush().ok());
        if (i % 100 == 99) EXPECT(writer.close().ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT(writer.close().ok());
  Events events = events_in(folder);
  std::sort(events.begin(), events.end());
  EXPECT_EQ(events.size(), size_t{kThreads * kEach});
  EXPECT(std::unique(events.begin(), events.end()) == events.end());
}

TINYTF_TEST(a_forked_child_begins_a_file_of_its_own) {
  if (!testing::kChildrenStartThreads) return;
  const TemporaryFolder folder;
  EventWriter writer(folder.path(), "", std::chrono::hours(1));
  EXPECT(writer.add("first").ok() && writer.flush().ok());
  EXPECT(writer.add("the parent's").ok());
  EXPECT(testing::holds_in_child([&] { return writer.add("the child's").ok() && writer.close().ok(); }));
  EXPECT(writer.close().ok());
  EXPECT_EQ(folder.names().size(), 2u);
  Events events = events_in(folder);
  std::sort(events.begin(), events.end());
  EXPECT(events == (Events{"first", "the child's", "the parent's"}));
}

TINYTF_TEST(metadata_are_told_once) {
  const TemporaryFolder folder;
  EventWriter writer(folder.path(), "", kNoDelay);
  const std::string described("\x0A\x09\x0A\x01t\x4A\x04\x12\x02no", 11), brief("\x0A\x03\x0A\x01t");
  bool sound = true;
  EXPECT(writer.add_summary(described.substr(0, 10), 1, 0.5, &sound).ok() && !sound);
  for (int i = 0; i < 2; ++i) EXPECT(writer.add_summary(described, 1, 0.5, &sound).ok() && sound);
  EXPECT(writer.close().ok());
  for (int i = 0; i < 2; ++i) EXPECT(writer.add_summary(described + brief, 1, 0.5, &sound).ok() && sound);
  EXPECT(writer.close().ok());
  const std::string head("\x09\0\0\0\0\0\0\xE0\x3F\x10\x01\x2A", 12);
  const std::string first = head + "\x0B" + described, later = head + "\x05" + brief;
  const std::string twice = head + "\x0A" + brief + brief;
  EXPECT(events_in(folder) == (Events{first, later, twice, twice}));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
