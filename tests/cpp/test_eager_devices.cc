#include "runtime/eager/eager_devices.h"

#include "tests/cpp/eager_session_fixture.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::eager_kernel;
using testing::EagerFixture;
using testing::floats;

EagerOptions with(DevicePolicy policy) {
  EagerOptions options;
  options.cpu_devices = 2;
  options.device_policy = policy;
  return options;
}

TINYTF_TEST(eager_operations_run_on_devices_that_there_are) {
  EagerOptions options;
  options.cpu_devices = 2;
  EXPECT_EQ(device_of_operation(options, 1).value(), 1);
  EXPECT_EQ(device_of_operation(options, 2).status().message(),
            "/job:localhost/replica:0/task:0/device:CPU:2 unknown device.");
  const int missing = number_of_missing_device("/device:GPU:0");
  EXPECT(missing < 0);
  EXPECT_EQ(number_of_missing_device("/device:GPU:0"), missing);
  EXPECT(number_of_missing_device("/device:GPU:1") != missing);
  EXPECT_EQ(device_of_operation(options, missing).status().message(), "/device:GPU:0 unknown device.");
  options.allow_soft_placement = true;
  EXPECT_EQ(device_of_operation(options, missing).value(), 0);
}

/// The status on device 0 of a sum of values on devices 1 and 0.
Status sum_of_two_devices(EagerFixture& session, DType dtype) {
  const auto kernel = eager_kernel("AddV2", {dtype, dtype}).take();
  TensorHandle* a = session.value(Tensor::allocate(Allocator::process(), dtype, Shape()).take());
  TensorHandle* b = session.value(Tensor::allocate(Allocator::process(), dtype, Shape()).take());
  a->device = 1;
  const auto made = session.run(*kernel, {a, b});
  session.drop(a);
  session.drop(b);
  return made.status();
}

TINYTF_TEST(eager_policies_say_what_is_done_with_inputs_of_other_devices) {
  EagerFixture silent(with(DevicePolicy::kSilent));
  EXPECT_OK(sum_of_two_devices(silent, DType::kFloat));
  EagerFixture careful(with(DevicePolicy::kSilentForInt32));
  EXPECT_OK(sum_of_two_devices(careful, DType::kInt32));
  EXPECT(sum_of_two_devices(careful, DType::kFloat)
             .message()
             .find("Tensors on conflicting devices: cannot compute AddV2 "
                   "as input #0 was expected to be on") == 0);
  EagerFixture warning(with(DevicePolicy::kWarn));
  EXPECT_OK(sum_of_two_devices(warning, DType::kFloat));
  EXPECT_EQ(warning.host.warnings.size(), 1u);
  EXPECT(silent.host.warnings.empty());
}

TINYTF_TEST(eager_placement_is_told_where_it_is_asked_for) {
  EagerOptions options;
  options.log_device_placement = true;
  EagerFixture session(options);
  EXPECT_OK(sum_of_two_devices(session, DType::kFloat));
  EXPECT_EQ(session.host.notes.at(0), "Executing op AddV2 in device /job:localhost/replica:0/task:0/device:CPU:0");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
