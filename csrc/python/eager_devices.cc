#include "python/eager_devices.h"

#include <algorithm>
#include <vector>

#include "python/bindings.h"
#include "python/eager_sites.h"
#include "python/errors.h"

namespace tinytf::python {

namespace {

std::string device_name(int number) { return str_cat("/job:localhost/replica:0/task:0/device:CPU:", number); }

/// An input on another device: whether the session's policy lets the operation take it.
void check_device(const EagerContext& context, const EagerKernel& kernel, int input, const TensorHandle& handle,
                  int device) {
  const DevicePolicy policy = context.options().device_policy;
  if (policy == DevicePolicy::kSilent) return;
  if (policy == DevicePolicy::kSilentForInt32 && handle.dtype() == DType::kInt32) return;
  const std::string& op = kernel.node().op->name;
  if (policy == DevicePolicy::kWarn) {
    warn(str_cat("before computing ", op, " input #", input, " was expected to be on ", device_name(device),
                 " but is actually on ", device_name(handle.device), " (operation running on ", device_name(device),
                 "). This triggers a copy which can be a performance bottleneck."));
    return;
  }
  throw StatusException(invalid_argument(
      "Tensors on conflicting devices: cannot compute ", op, " as input #", input, " was expected to be on ",
      device_name(device), " but is actually on ", device_name(handle.device), " (operation running on ",
      device_name(device),
      ") Tensors can be copied explicitly using .gpu() or .cpu() methods, or transparently copied by using "
      "tf.enable_eager_execution(device_policy=tfe.DEVICE_PLACEMENT_SILENT). Copying tensors between devices may slow "
      "down your model"));
}

/// Guarded by the GIL; never shrinks, as programs name few.
std::vector<std::string>& missing_devices() {
  static auto* names = new std::vector<std::string>;  // leaked
  return *names;
}

/// A number that stands for a device that no session has, for current_device().
int number_of_missing_device(const std::string& name) {
  std::vector<std::string>& names = missing_devices();
  const auto found = std::find(names.begin(), names.end(), name);
  const auto index = static_cast<int>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return -1 - index;
}

std::string name_of_any(int number) { return number < 0 ? missing_devices()[-1 - number] : device_name(number); }

}  // namespace

int device_of_operation(const EagerContext& context) {
  const int device = current_device();
  if (device >= 0 && device < context.options().cpu_devices) return device;
  if (context.options().allow_soft_placement) return 0;
  throw StatusException(invalid_argument(name_of_any(device), " unknown device."));
}

void check_inputs(const EagerContext& context, const EagerKernel& kernel, EagerTensorObject* const* inputs,
                  int device) {
  for (int i = 0; i < kernel.num_inputs(); ++i) {
    if (inputs[i]->handle->device != device) check_device(context, kernel, i, *inputs[i]->handle, device);
  }
  if (context.options().log_device_placement) {
    info(str_cat("Executing op ", kernel.node().op->name, " in device ", device_name(device)));
  }
}

void bind_eager_devices(py::module_& m) {
  m.def("missing_device", &number_of_missing_device, py::arg("name"),
        "A number for set_thread_device that stands for a device that no session has.");
}

}  // namespace tinytf::python
