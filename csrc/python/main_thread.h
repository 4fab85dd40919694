#pragma once

namespace tinytf::python {

/// Whether Python runs signal handlers on the calling thread. Requires the GIL; touches no object.
bool is_main_thread();

/// Called when the module is imported.
void find_main_thread();

}  // namespace tinytf::python
