#include <pybind11/pybind11.h>

#include "handles/session_core.h"
#include "kernels/table.h"
#include "op/background_work.h"
#include "op/op_registry.h"
#include "python/bindings.h"
#include "python/main_thread.h"
#include "python/numpy_tensor.h"
#include "python/pipeline_report.h"
#include "python/without_gil.h"
#include "runtime/eager/eager_library.h"
#include "services/thread_pool.h"
#include "tensor/allocator.h"

namespace py = pybind11;

PYBIND11_MODULE(_core, m) {
  m.doc() = "The engine of tinytf. Private: use the public names of the package.";
  tinytf::python::init_numpy();
  tinytf::python::find_main_thread();
  // Created at import, not on first use: a fork while another thread creates one would block the child forever.
  (void)tinytf::Allocator::process();
  (void)tinytf::ThreadPool::process();
  (void)tinytf::SessionCore::outside();
  (void)tinytf::EagerLibrary::of_process();
  (void)tinytf::OpRegistry::global();
  (void)tinytf::kernels::table();
  tinytf::python::bind_errors(m);
  tinytf::python::bind_call_site(m);
  tinytf::python::bind_checkpoint_reader(m);
  tinytf::python::bind_checksums(m);
  tinytf::python::bind_records(m);
  tinytf::python::bind_op_defs(m);
  tinytf::python::bind_graph(m);
  tinytf::python::bind_graph_def(m);
  tinytf::python::bind_graph_functions(m);
  tinytf::python::bind_graph_text(m);
  tinytf::python::bind_session(m);
  tinytf::python::bind_prepared_call(m);
  tinytf::python::bind_cached_calls(m);
  tinytf::python::bind_partial_run(m);
  tinytf::python::bind_placement(m);
  tinytf::python::bind_eager_session(m);
  tinytf::python::bind_context_variable(m);
  tinytf::python::bind_context_frame(m);
  tinytf::python::bind_eager_current(m);
  tinytf::python::bind_tensor_fields(m);
  tinytf::python::bind_eager_errors(m);
  tinytf::python::bind_eager_tensor(m);
  tinytf::python::bind_eager_scope(m);
  tinytf::python::bind_eager_sites(m);
  tinytf::python::bind_eager_op(m);
  tinytf::python::bind_eager_constant(m);
  tinytf::python::bind_eager_host(m);
  tinytf::python::bind_eager_run(m);
  tinytf::python::bind_function_call(m);
#ifdef TINYTF_TESTING
  tinytf::python::bind_testing(m);
#endif
  tinytf::python::bind_durable_scope(m);
  tinytf::python::bind_event_writer(m);
  tinytf::python::bind_tape(m);
  tinytf::python::bind_function_calls(m);
  tinytf::python::bind_pipeline_report(m);
  tinytf::python::install_user_output();
  tinytf::python::install_deflate();
  m.def("scratch_bytes", &tinytf::ScratchMemory::kept_bytes,
        "Returns the number of bytes of scratch memory that threads keep for kernels.");
  m.def("live_buffers", &tinytf::Allocator::live_buffers,
        "Returns the number of the engine's live buffers in this process.");
  m.def("isa", &tinytf::kernels::isa, "Returns the name of the active instruction-set level.");
  m.def("has_isa", &tinytf::kernels::has_isa, py::arg("name"));
  m.def(
      "set_isa", &tinytf::kernels::set_isa, py::arg("name"),
      "Sets the instruction-set level for sessions created later. Returns False if this machine does not support it.");
  m.def("cpu_count", &tinytf::cpu_count);
  m.def(
      "shutdown",
      [] {
        const bool may_be_stuck = tinytf::python::functions_have_run_on_our_threads();
        tinytf::python::WithoutGil others_may_run;
        tinytf::BackgroundWork::cancel_all_at_exit();
        if (!may_be_stuck) tinytf::ThreadPool::shutdown_all();
      },
      "Cancels background work and joins the threads of the engine, unless some of them may be in Python functions of "
      "the program. Called at interpreter exit.");
}
