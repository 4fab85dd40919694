#pragma once

#include <string>

#include "runtime/eager/eager_context.h"
#include "runtime/eager/eager_host.h"

namespace tinytf {

/// The name of a CPU device, such as "/job:localhost/replica:0/task:0/device:CPU:0".
std::string cpu_device_name(int number);

/// A negative number that represents a device that no session has. Equal for equal names. Thread-safe. The names are
/// kept forever, since programs use only a few.
int number_of_missing_device(const std::string& name);

/// The index of the device that runs an operation requesting device `wanted`: `wanted` itself if the session has it,
/// else 0 with soft placement, else InvalidArgument.
Result<int> device_of_operation(const EagerOptions& options, int wanted);

/// Checks the inputs of an operation on `device`: depending on the session's policy, an input on another device is
/// accepted, causes a warning, or is an InvalidArgument error. Reports the placement if the session logs placements.
Status check_devices(const EagerOptions& options, const EagerKernel& kernel, TensorHandle* const* inputs, int device,
                     EagerHost& host);

}  // namespace tinytf
