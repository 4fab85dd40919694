#include "handles/drop_line.h"

#include <vector>

#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// Handles of floats with these sizes, which are freed at the end.
class Dropped {
 public:
  explicit Dropped(const std::vector<int64_t>& sizes) {
    for (const int64_t size : sizes) handles_.push_back(core_->make_handle(n_floats(size)));
  }
  ~Dropped() {
    for (TensorHandle* handle : handles_) core_->drop(handle);
  }
  TensorHandle* operator[](size_t i) const { return handles_[i]; }
  void push_to(DropLine& line) const {
    for (TensorHandle* handle : handles_) line.push(handle);
  }

 private:
  const OpenCore core_{CleanupStrategy::kImmediately};
  std::vector<TensorHandle*> handles_;
};

std::vector<TensorHandle*> listed(TensorHandle* chain) {
  std::vector<TensorHandle*> all;
  for (; chain != nullptr; chain = chain->queue_next) all.push_back(chain);
  return all;
}

TINYTF_TEST(drop_line_gives_the_oldest_first) {
  const Dropped handles({1, 1, 1});
  DropLine line;
  EXPECT(line.empty());
  EXPECT(line.take(10, 10).chain == nullptr);
  handles.push_to(line);
  EXPECT_EQ(line.length(), 3);
  const DropLine::Taken two = line.take(2, INT64_MAX);
  EXPECT(listed(two.chain) == (std::vector<TensorHandle*>{handles[0], handles[1]}));
  EXPECT_EQ(two.handles, 2);
  EXPECT_EQ(two.bytes, 8);
  EXPECT_EQ(line.length(), 1);
  line.push(handles[0]);
  EXPECT(listed(line.take_all()) == (std::vector<TensorHandle*>{handles[2], handles[0]}));
  EXPECT(line.empty());
  line.push(handles[1]);
  EXPECT(listed(line.take_all()) == std::vector<TensorHandle*>{handles[1]});
}

TINYTF_TEST(drop_line_gives_so_many_bytes_but_one_handle_at_least) {
  const Dropped handles({100, 2, 2, 2});
  DropLine line;
  handles.push_to(line);
  EXPECT_EQ(line.take(10, 1).handles, 1);
  EXPECT_EQ(line.take(10, 9).handles, 2);
  EXPECT_EQ(line.take(0, 0).handles, 1);
  EXPECT(line.empty());
}

TINYTF_TEST(drop_line_counts_until_handles_are_freed) {
  const Dropped handles({1, 1, 1});
  DropLine line;
  handles.push_to(line);
  line.take(2, INT64_MAX);
  EXPECT_EQ(line.handles(), 3);
  line.count_freed(2);
  EXPECT_EQ(line.handles(), 1);
  line.take_all();
  EXPECT_EQ(line.length(), 0);
  EXPECT_EQ(line.handles(), 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
