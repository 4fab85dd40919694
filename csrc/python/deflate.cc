#include "io/deflate.h"

#include <algorithm>

#include "python/bindings.h"
#include "python/references.h"
#include "python/with_gil.h"
#include "services/fork_gate.h"

namespace tinytf::python {

namespace {

constexpr size_t kInput = 1 << 18;   // Compressed bytes passed to zlib per call, since zlib copies the unconsumed rest.
constexpr size_t kOutput = 1 << 24;  // Bytes produced per call.
constexpr int kDeflated = 8;         // The only compression method that zlib has.

/// zlib's wbits argument for this format and window size.
int window_bits(DeflateFormat format, int bits) {
  switch (format) {
    case DeflateFormat::kZlib: return bits;
    case DeflateFormat::kGzip: return bits + 16;
    case DeflateFormat::kRaw: return -bits;
  }
  return bits;
}

/// zlib.error says "Error -3 while decompressing data: incorrect header check"; TensorFlow says "inflate() failed with
/// error -3: incorrect header check".
Status zlib_status(Code code, const char* function, const py::error_already_set& error) {
  if (error.matches(PyExc_MemoryError)) return Status(Code::kResourceExhausted, "Out of memory in zlib");
  const auto text = py::cast<std::string>(py::str(error.value()));
  const std::string_view begin = "Error ", middle = " while ";
  const size_t while_at = text.find(middle);
  if (text.compare(0, begin.size(), begin) != 0 || while_at == std::string::npos) return Status(code, text);
  std::string message = str_cat(function, "() failed with error ", text.substr(begin.size(), while_at - begin.size()));
  if (const size_t colon = text.find(": "); colon != std::string::npos) message += text.substr(colon);
  return Status(code, message);
}

/// Runs use() with the GIL and converts a Python exception to a Status.
template <class Use>
Status in_python(Code code, const char* function, Use use) {
  if (!interpreter_is_usable()) return Status(Code::kCancelled, "The Python interpreter is shutting down");
  const ForkGate::Outside waiting;  // While waiting for the GIL.
  const WithGil locked;
  drop_pending_references();
  try {
    use();
    return Status();
  } catch (const py::error_already_set& error) {
    return zlib_status(code, function, error);
  } catch (const py::builtin_exception& error) {
    error.set_error();
    return zlib_status(code, function, py::error_already_set());
  }
}

py::object call_zlib(py::handle object, const char* method, const py::tuple& arguments) {
  const py::object function = object.attr(method);
  auto result = py::reinterpret_steal<py::object>(
      staying_at_exit([&] { return PyObject_CallObject(function.ptr(), arguments.ptr()); }));
  if (!result) throw py::error_already_set();
  return result;
}

std::string_view zlib_bytes(const py::object& bytes) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) throw py::error_already_set();
  return {data, static_cast<size_t>(size)};
}

py::object zlib_input(std::string_view bytes) {
  return py::memoryview::from_memory(bytes.data(), static_cast<py::ssize_t>(bytes.size()));
}

/// Owns a zlib object. The destructor may run without the GIL.
class ZlibObject {
 public:
  explicit ZlibObject(py::object object) : object_(object.release().ptr()) {}
  ~ZlibObject() { give_up_reference(object_); }
  ZlibObject(const ZlibObject&) = delete;
  ZlibObject& operator=(const ZlibObject&) = delete;
  py::handle get() const { return object_; }

 private:
  PyObject* const object_;
};

class PythonInflater final : public Inflater {
 public:
  explicit PythonInflater(py::object decompressor) : decompressor_(std::move(decompressor)) {}

  Status inflate(std::string_view& input, size_t most, std::string* out) override {
    if (ended_ || most == 0) return Status();
    return in_python(Code::kDataLoss, "inflate", [&] {
      const std::string_view piece = input.substr(0, kInput);
      const py::object made =
          call_zlib(decompressor_.get(), "decompress", py::make_tuple(zlib_input(piece), std::min(most, kOutput)));
      out->append(zlib_bytes(made));
      ended_ = py::cast<bool>(decompressor_.get().attr("eof"));
      const py::object left = decompressor_.get().attr(ended_ ? "unused_data" : "unconsumed_tail");
      input.remove_prefix(piece.size() - zlib_bytes(left).size());
    });
  }
  bool ended() const override { return ended_; }

 private:
  const ZlibObject decompressor_;
  bool ended_ = false;
};

class PythonDeflater final : public Deflater {
 public:
  explicit PythonDeflater(py::object compressor) : compressor_(std::move(compressor)) {}

  Status deflate(std::string_view input, std::string* out) override {
    return append("compress", out, [input] { return py::make_tuple(zlib_input(input)); });
  }
  Status flush(DeflateFlush how, std::string* out) override {
    return append("flush", out, [how] { return py::make_tuple(static_cast<int>(how)); });
  }
  Status finish(std::string* out) override {
    return append("flush", out, [] { return py::tuple(); });
  }

 private:
  template <class Arguments>
  Status append(const char* method, std::string* out, Arguments arguments) {
    return in_python(Code::kDataLoss, "deflate",
                     [&] { out->append(zlib_bytes(call_zlib(compressor_.get(), method, arguments()))); });
  }

  const ZlibObject compressor_;
};

class PythonCodec final : public DeflateCodec {
 public:
  Result<std::unique_ptr<Inflater>> inflater(DeflateFormat format) override {
    std::unique_ptr<Inflater> stream;
    TINYTF_RETURN_IF_ERROR(in_python(Code::kInvalidArgument, "inflate", [&] {
      stream = std::make_unique<PythonInflater>(
          call_zlib(py::module_::import("zlib"), "decompressobj",
                    py::make_tuple(window_bits(format, DeflateOptions().window_bits))));
    }));
    return stream;
  }

  Result<std::unique_ptr<Deflater>> deflater(const DeflateOptions& options) override {
    std::unique_ptr<Deflater> stream;
    TINYTF_RETURN_IF_ERROR(in_python(Code::kInvalidArgument, "deflate", [&] {
      stream = std::make_unique<PythonDeflater>(
          call_zlib(py::module_::import("zlib"), "compressobj",
                    py::make_tuple(options.level, kDeflated, window_bits(options.format, options.window_bits),
                                   options.memory_level, options.strategy)));
    }));
    return stream;
  }
};

}  // namespace

void install_deflate() {
  static PythonCodec codec;
  set_deflate_codec(&codec);
}

}  // namespace tinytf::python
