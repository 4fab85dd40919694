#include "handles/tensor_handle.h"

#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

TINYTF_TEST(tensor_handle_is_vacant_at_first) {
  const TensorHandle handle;
  EXPECT_EQ(handle.state(), TensorHandle::State::kVacant);
  EXPECT(!handle.live());
  EXPECT(handle.ready());
  EXPECT_EQ(handle.charged_bytes(), 0);
}

TINYTF_TEST(tensor_handle_is_ready_when_its_value_is_there) {
  const OpenCore core(CleanupStrategy::kImmediately);
  const auto pending = make_ref<AsyncValue>();
  TensorHandle* handle = core->make_handle(DType::kFloat, pending);
  EXPECT(handle->live() && !handle->ready());
  EXPECT_EQ(handle->dtype(), DType::kFloat);
  EXPECT_EQ(handle->pending().get(), pending.get());
  pending->set(n_floats(3, 2.5f));
  EXPECT(handle->ready());
  EXPECT_OK(handle->wait());
  EXPECT_EQ(handle->tensor().data<float>()[2], 2.5f);
  EXPECT_EQ(&handle->core(), core.get());
  core->drop(handle);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
