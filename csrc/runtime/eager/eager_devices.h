#pragma once

#include <string>

#include "runtime/eager/eager_context.h"
#include "runtime/eager/eager_host.h"

namespace tinytf {

/// "/job:localhost/replica:0/task:0/device:CPU:0".
std::string cpu_device_name(int number);

/// A number below 0 that stands for a device that no session has, of that name. Thread-safe; names are kept, as
/// programs name few.
int number_of_missing_device(const std::string& name);

/// Number of the device that an operation runs on which asks for device `wanted`: that one, or the first if the session
/// lacks it and has soft placement; InvalidArgument without.
Result<int> device_of_operation(const EagerOptions& options, int wanted);

/// Checks inputs of an operation on that device: InvalidArgument for those on others where the session's policy refuses
/// them, or a warning. Tells where the operation runs if the session is to.
Status check_devices(const EagerOptions& options, const EagerKernel& kernel, TensorHandle* const* inputs, int device,
                     EagerHost& host);

}  // namespace tinytf
