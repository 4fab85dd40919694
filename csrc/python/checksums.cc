#include "base/crc32c.h"
#include "python/bindings.h"
#include "python/without_gil.h"

namespace tinytf::python {

namespace {

constexpr size_t kLong = 1 << 16;  // Bytes; longer inputs are checksummed without the GIL.

/// Holds the memory of a bytes-like object while this lives. Throws Python's TypeError for other objects.
class Bytes {
 public:
  explicit Bytes(py::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw py::error_already_set();
  }
  ~Bytes() { PyBuffer_Release(&view_); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  const void* data() const { return view_.buf; }
  size_t size() const { return static_cast<size_t>(view_.len); }

 private:
  Py_buffer view_;
};

uint32_t crc32c_of(const py::object& object) {
  const Bytes bytes(object);
  if (bytes.size() < kLong) return crc32c(bytes.data(), bytes.size());
  const WithoutGil others_may_run;
  return crc32c(bytes.data(), bytes.size());
}

}  // namespace

void bind_checksums(py::module_& m) {
  m.def("crc32c", &crc32c_of, py::arg("data"), "Returns the CRC-32C of a bytes-like object.");
}

}  // namespace tinytf::python
