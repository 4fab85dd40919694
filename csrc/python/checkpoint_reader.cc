#include "io/checkpoint_reader.h"

#include "python/bindings.h"
#include "python/errors.h"
#include "python/numpy_tensor.h"
#include "python/without_gil.h"
#include "services/thread_pool.h"

namespace tinytf::python {

namespace {

/// Returns the result of `f`, run without the GIL; throws its error as an exception.
template <class F>
auto value_without_gil(F f) {
  auto result = [&] {
    const WithoutGil others_may_run;
    return f();
  }();
  return value_or_throw(std::move(result));
}

std::unique_ptr<CheckpointReader> open(const std::string& prefix) {
  return value_without_gil([&] { return CheckpointReader::open(prefix); });
}

bool has(CheckpointReader& reader, const std::string& name) {
  return value_without_gil([&] { return reader.has(name); });
}

py::object read(CheckpointReader& reader, const std::string& name) {
  return tensor_to_python(value_without_gil([&] {
    PoolParallel parallel(ThreadPool::process(), cpu_count());
    return reader.read(name, Allocator::process(), parallel);
  }));
}

/// Returns a dict of name → (DataType number, sizes).
py::dict tensors(CheckpointReader& reader) {
  py::dict all;
  for (const auto& [name, saved] : value_without_gil([&] { return reader.tensors(); })) {
    all[py::bytes(name)] = py::make_tuple(static_cast<int>(saved.dtype), shape_to_python(saved.shape));
  }
  return all;
}

py::bytes debug_string(CheckpointReader& reader) {
  return value_without_gil([&] { return reader.debug_string(); });
}

}  // namespace

void bind_checkpoint_reader(py::module_& m) {
  py::class_<CheckpointReader>(m, "CheckpointReader")
      .def(py::init(&open), py::arg("prefix"))
      .def("has", &has, py::arg("name"))
      .def("read", &read, py::arg("name"))
      .def("tensors", &tensors)
      .def("debug_string", &debug_string);
}

}  // namespace tinytf::python
