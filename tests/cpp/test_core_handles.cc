#include "handles/core_handles.h"

#include <stdexcept>

#include "handles/testing/core_testing.h"
#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;
using State = TensorHandle::State;

/// Access to the handles of a core.
class Handles {
 public:
  CoreHandles* operator->() { return &core_->handles(); }
  CoreStats stats() {
    CoreStats stats;
    core_->handles().count_freed(stats);
    core_->handles().count_live(stats);
    return stats;
  }

 private:
  const OpenCore core_{CleanupStrategy::kImmediately};
};

TINYTF_TEST(handles_are_charged_until_they_are_freed) {
  Handles handles;
  EXPECT(!handles->any());
  TensorHandle* handle = handles->make(n_floats(6));
  EXPECT(handles->any());
  EXPECT_EQ(handle->charged_bytes(), 24);
  EXPECT_EQ(handles->held_bytes(), 24);
  EXPECT(handles->drop(*handle, State::kQueued));
  EXPECT_EQ(handle->state(), State::kQueued);
  EXPECT(!handles->drop(*handle, State::kQueued));  // only one drop frees
  EXPECT_EQ(handles->part_with(*handle), 24);
  handles->free(*handle);
  EXPECT_EQ(handle->state(), State::kVacant);
  EXPECT_EQ(handles->held_bytes(), 0);
  EXPECT_EQ(handles.stats().freed, 1);
  EXPECT_EQ(handles.stats().peak_bytes, 24);
  EXPECT(!handles->any());
}

TINYTF_TEST(handles_whose_value_went_become_vacant_with_their_owner) {
  Handles handles;
  TensorHandle* taken = handles->make(n_floats(6, 2.5f));
  TensorHandle* invalid = handles->make(n_floats(6));
  HandleValue value;
  EXPECT(handles->take_value(taken, &value));
  EXPECT_EQ(value.tensor.data<float>()[5], 2.5f);
  EXPECT(!handles->take_value(taken, &value));
  EXPECT_EQ(taken->state(), State::kClosed);
  handles->invalidate_live();
  EXPECT_EQ(invalid->state(), State::kInvalidated);
  EXPECT_EQ(handles->held_bytes(), 0);
  for (TensorHandle* handle : {taken, invalid}) {
    EXPECT(!handles->drop(*handle, State::kQueued));
    EXPECT_EQ(handle->state(), State::kVacant);
  }
  EXPECT_EQ(handles.stats().freed, 1);
  EXPECT_EQ(handles.stats().invalidated, 1);
  EXPECT(!handles->any());
}

TINYTF_TEST(handles_are_freed_in_small_steps) {
  Handles handles;
  TensorHandle* chain = nullptr;
  for (int i = 0; i < 100; ++i) {
    TensorHandle* handle = handles->make(n_floats(1));
    EXPECT(handles->drop(*handle, State::kQueued));
    handle->queue_next = chain;
    chain = handle;
  }
  const CoreHandles::Batch first = handles->free_some(chain);
  EXPECT_EQ(first.handles, 64);
  EXPECT_EQ(first.bytes, 256);
  EXPECT_EQ(handles->held_bytes(), 400);  // until give_back
  handles->give_back(first);
  const CoreHandles::Batch second = handles->free_some(chain);
  EXPECT_EQ(second.handles, 36);
  EXPECT(chain == nullptr);
  handles->give_back(second);
  EXPECT_EQ(handles->held_bytes(), 0);
  EXPECT_EQ(handles.stats().freed, 100);
}

TINYTF_TEST(handles_are_charged_with_values_that_come) {
  Handles handles;
  const auto awaited = make_ref<AsyncValue>();
  const auto late = make_ref<AsyncValue>();
  TensorHandle* one = handles->make(DType::kFloat, RefPtr<AsyncValue>(awaited));
  TensorHandle* two = handles->make(DType::kFloat, RefPtr<AsyncValue>(late));
  EXPECT_EQ(handles->held_bytes(), 0);
  awaited->set(n_floats(6));
  EXPECT_EQ(one->charged_bytes(), 24);
  EXPECT_EQ(handles->held_bytes(), 24);
  EXPECT(handles->drop(*two, State::kQueued));
  EXPECT(late->wanted());
  EXPECT_EQ(handles->part_with(*two), 0);
  EXPECT(!late->wanted());
  late->set(n_floats(6));  // no longer charged
  EXPECT_EQ(handles->held_bytes(), 24);
  handles->free(*two);
  EXPECT(handles->close(one));
  EXPECT_EQ(handles->held_bytes(), 0);
  EXPECT(!handles->drop(*one, State::kQueued));
}

TINYTF_TEST(handles_keep_their_core) {
  class Life final : public RefCounted {
   public:
    explicit Life(bool* gone) : gone_(gone) {}
    ~Life() override { *gone_ = true; }

   private:
    bool* const gone_;
  };
  bool gone = false;
  RefPtr<Life> life = make_ref<Life>(&gone);
  const OpenCore core(CleanupStrategy::kImmediately);
  const TestPoints points;
  CoreHandles handles(*core, *life, points);
  TensorHandle* handle = handles.make(n_floats(1));
  handles.release(1);  // the session has ended
  life.reset();
  EXPECT(!gone);
  EXPECT(handles.drop(*handle, State::kQueued));
  handles.free(*handle);
  EXPECT(gone);
}

TINYTF_TEST(handles_count_deleters_that_fail) {
  const OpenCore core(CleanupStrategy::kImmediately);
  CoreTesting testing(*core);
  testing.set_failpoint(TestPoint::kInDeleter, [] { throw std::runtime_error("a test's failing deleter"); });
  TensorHandle* handle = core->handles().make(n_floats(6));
  EXPECT(core->handles().close(handle));
  EXPECT_EQ(core->stats().free_errors, 1);
  core->drop(handle);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
