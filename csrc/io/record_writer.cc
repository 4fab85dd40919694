#include "io/record_writer.h"

#include "io/record_format.h"

namespace tinytf {

Result<std::unique_ptr<RecordWriter>> RecordWriter::create(const std::string& path,
                                                           const std::optional<DeflateOptions>& deflate,
                                                           const DeflateBuffer& buffer) {
  TINYTF_ASSIGN_OR_RETURN(ByteSink sink, ByteSink::create(path, deflate, buffer));
  return std::unique_ptr<RecordWriter>(new RecordWriter(std::move(sink)));
}

Status RecordWriter::write(std::string_view record) {
  if (!sink_.is_open()) return failed_precondition("Writer is closed");
  const auto header = record_header(record.size());
  const auto footer = record_footer(record);
  for (const std::string_view part :
       {std::string_view(header.data(), header.size()), record, std::string_view(footer.data(), footer.size())}) {
    TINYTF_RETURN_IF_ERROR(sink_.append(part));
  }
  return Status();
}

Status RecordWriter::flush() {
  if (!sink_.is_open()) return failed_precondition("Writer is closed");
  return sink_.flush();
}

}  // namespace tinytf
