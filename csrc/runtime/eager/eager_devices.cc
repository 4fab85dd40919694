#include "runtime/eager/eager_devices.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace tinytf {

namespace {

struct MissingDevices {
  std::mutex mutex;
  std::vector<std::string> names;
};

MissingDevices& missing = *new MissingDevices;  // Never destroyed.

std::string name_of_any(int number) {
  if (number >= 0) return cpu_device_name(number);
  std::lock_guard lock(missing.mutex);
  const auto index = static_cast<size_t>(-1 - number);
  return index < missing.names.size() ? missing.names[index] : std::string();
}

/// Applies the session's policy to an input on another device.
Status check_device(const EagerOptions& options, const EagerKernel& kernel, int input, const TensorHandle& handle,
                    int device, EagerHost& host) {
  const DevicePolicy policy = options.device_policy;
  if (policy == DevicePolicy::kSilent) return Status();
  if (policy == DevicePolicy::kSilentForInt32 && handle.dtype() == DType::kInt32) return Status();
  const std::string& op = kernel.node().op->name;
  const std::string wanted = cpu_device_name(device), found = cpu_device_name(handle.device);
  if (policy == DevicePolicy::kWarn) {
    host.warn(str_cat("before computing ", op, " input #", input, " was expected to be on ", wanted,
                      " but is actually on ", found, " (operation running on ", wanted,
                      "). This triggers a copy which can be a performance bottleneck."));
    return Status();
  }
  return invalid_argument(
      "Tensors on conflicting devices: cannot compute ", op, " as input #", input, " was expected to be on ", wanted,
      " but is actually on ", found, " (operation running on ", wanted,
      ") Tensors can be copied explicitly using .gpu() or .cpu() methods, or transparently copied by using "
      "tf.enable_eager_execution(device_policy=tfe.DEVICE_PLACEMENT_SILENT). Copying tensors between devices may slow "
      "down your model");
}

}  // namespace

std::string cpu_device_name(int number) { return str_cat("/job:localhost/replica:0/task:0/device:CPU:", number); }

int number_of_missing_device(const std::string& name) {
  std::lock_guard lock(missing.mutex);
  const auto found = std::find(missing.names.begin(), missing.names.end(), name);
  const auto index = static_cast<int>(found - missing.names.begin());
  if (found == missing.names.end()) missing.names.push_back(name);
  return -1 - index;
}

Result<int> device_of_operation(const EagerOptions& options, int wanted) {
  if (wanted >= 0 && wanted < options.cpu_devices) return wanted;
  if (options.allow_soft_placement) return 0;
  return invalid_argument(name_of_any(wanted), " unknown device.");
}

Status check_devices(const EagerOptions& options, const EagerKernel& kernel, TensorHandle* const* inputs, int device,
                     EagerHost& host) {
  for (int i = 0; i < kernel.num_inputs(); ++i) {
    if (inputs[i]->device == device) continue;
    TINYTF_RETURN_IF_ERROR(check_device(options, kernel, i, *inputs[i], device, host));
  }
  if (options.log_device_placement) {
    host.note(str_cat("Executing op ", kernel.node().op->name, " in device ", cpu_device_name(device)));
  }
  return Status();
}

}  // namespace tinytf
