#pragma once

#include <pybind11/pybind11.h>

/// Each function adds the classes and functions of one area to the module.
namespace tinytf::python {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_call_site(py::module_& m);
void bind_checkpoint_reader(py::module_& m);
void bind_checksums(py::module_& m);
void bind_records(py::module_& m);
void bind_op_defs(py::module_& m);
void bind_graph(py::module_& m);
void bind_graph_def(py::module_& m);
void bind_graph_functions(py::module_& m);
void bind_graph_text(py::module_& m);
void bind_session(py::module_& m);
void bind_prepared_call(py::module_& m);
/// Call after bind_prepared_call.
void bind_cached_calls(py::module_& m);
void bind_partial_run(py::module_& m);
/// Adds methods to the Session class; call after bind_session.
void bind_placement(py::module_& m);
void bind_tensor_fields(py::module_& m);
void bind_eager_errors(py::module_& m);
void bind_eager_tensor(py::module_& m);
void bind_context_frame(py::module_& m);
void bind_context_variable(py::module_& m);
void bind_eager_current(py::module_& m);
void bind_eager_scope(py::module_& m);
void bind_eager_sites(py::module_& m);
void bind_eager_op(py::module_& m);
void bind_eager_constant(py::module_& m);
void bind_eager_host(py::module_& m);
void bind_eager_run(py::module_& m);
void bind_eager_session(py::module_& m);
void bind_function_call(py::module_& m);
void bind_durable_scope(py::module_& m);
void bind_event_writer(py::module_& m);
void bind_testing(py::module_& m);  // Only with TINYTF_TESTING.
void bind_tape(py::module_& m);
void bind_function_calls(py::module_& m);
/// Whether program functions have run on threads that the engine started. If so, one may still be running and might
/// never end, so these threads must not be joined.
bool functions_have_run_on_our_threads();
/// Redirects user output (such as that of Print) to Python's sys.stdout and sys.stderr.
void install_user_output();
/// Installs Python's zlib as the engine's deflate codec.
void install_deflate();

}  // namespace tinytf::python
