#include <pybind11/stl.h>

#include <atomic>
#include <optional>
#include <vector>

#include "io/record_reader.h"
#include "io/record_writer.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/without_gil.h"

namespace tinytf::python {

namespace {

constexpr size_t kLong = 1 << 16;  // Bytes; longer records are written without the GIL.

/// Guards a reader or writer against concurrent use: throws FailedPrecondition if another thread is using it.
class InUse {
 public:
  explicit InUse(std::atomic<bool>& used) : used_(used) {
    if (used_.exchange(true))
      throw StatusException(failed_precondition(
          "Another thread is using this reader or writer of records: use it in one thread at a time"));
  }
  ~InUse() { used_ = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic<bool>& used_;
};

/// Reads records in batches, which are checked without the GIL.
class Reader {
 public:
  Reader(const std::string& path, const std::string& compression) {
    reader_ = value_or_throw(RecordReader::open(path, value_or_throw(record_compression(compression))));
  }

  /// Returns at least one record, or an empty list at the end of the file.
  py::list read() {
    const InUse alone(used_);
    Status status;
    {
      const WithoutGil others_may_run;
      status = reader_->next_ones(&records_);
    }
    if (status.code() == Code::kOutOfRange) return py::list();
    throw_if_error(status);
    py::list list(records_.size());
    for (size_t i = 0; i < records_.size(); ++i) list[i] = py::bytes(records_[i].data(), records_[i].size());
    return list;
  }

 private:
  std::atomic<bool> used_{false};
  std::unique_ptr<RecordReader> reader_;
  std::vector<std::string_view> records_;
};

class RecordFileWriter {
 public:
  RecordFileWriter(const std::string& path, const std::optional<DeflateOptions>& options, size_t buffer_bytes,
                   int flush_mode)
      : writer_(value_or_throw(
            RecordWriter::create(path, options, {buffer_bytes, static_cast<DeflateFlush>(flush_mode)}))) {}

  void write(const py::bytes& record) {
    const InUse alone(used_);
    const std::string_view bytes = record;
    if (bytes.size() < kLong) return throw_if_error(writer_->write(bytes));
    throw_if_error(without_gil([&] { return writer_->write(bytes); }));
  }
  void flush() {
    const InUse alone(used_);
    throw_if_error(without_gil([&] { return writer_->flush(); }));
  }
  void close() {
    const InUse alone(used_);
    throw_if_error(without_gil([&] { return writer_->close(); }));
  }

 private:
  template <class Run>
  static Status without_gil(Run run) {
    const WithoutGil others_may_run;
    return run();
  }

  std::atomic<bool> used_{false};
  std::unique_ptr<RecordWriter> writer_;
};

DeflateOptions options_of(const std::string& format, int level, int window_bits, int memory_level, int strategy) {
  DeflateOptions options;
  options.format = format == "GZIP" ? DeflateFormat::kGzip : DeflateFormat::kZlib;
  options.level = level;
  options.window_bits = window_bits;
  options.memory_level = memory_level;
  options.strategy = strategy;
  return options;
}

}  // namespace

void bind_records(py::module_& m) {
  py::class_<DeflateOptions>(m, "DeflateOptions", "Compression settings, with zlib's numbers.")
      .def(py::init(&options_of), py::arg("format"), py::arg("level"), py::arg("window_bits"), py::arg("memory_level"),
           py::arg("strategy"));
  py::class_<Reader>(m, "RecordReader", "Reads a file of records. Must be used by one thread at a time.")
      .def(py::init<const std::string&, const std::string&>(), py::arg("path"), py::arg("compression"))
      .def("read", &Reader::read, "Returns the next records as bytes: at least one, or none at the end of the file.");
  py::class_<RecordFileWriter>(m, "RecordWriter", "Writes a file of records. Must be used by one thread at a time.")
      .def(py::init<const std::string&, const std::optional<DeflateOptions>&, size_t, int>(), py::arg("path"),
           py::arg("options"), py::arg("buffer_bytes") = DeflateBuffer().bytes, py::arg("flush_mode") = 0)
      .def("write", &RecordFileWriter::write, py::arg("record"))
      .def("flush", &RecordFileWriter::flush)
      .def("close", &RecordFileWriter::close);
}

}  // namespace tinytf::python
