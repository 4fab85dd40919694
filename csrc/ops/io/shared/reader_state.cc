#include "ops/io/shared/reader_state.h"

#include "io/wire.h"

namespace tinytf::ops {

namespace {

constexpr uint32_t kStarted = 1, kFinished = 2, kProduced = 3, kWork = 4;

/// Escapes bytes as C and protobuf's text format do.
std::string escaped(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const std::string_view special = "\n\r\t\"'\\", letters = "nrt\"'\\";
    if (const size_t i = special.find(c); i != std::string_view::npos) {
      text += {'\\', letters[i]};
    } else if (byte >= 0x20 && byte < 0x7f) {
      text += c;
    } else {
      const auto digit = [byte](int shift) { return static_cast<char>('0' + (byte >> shift & 7)); };
      text += {'\\', digit(6), digit(3), digit(0)};
    }
  }
  return text;
}

/// The state in protobuf's text format.
std::string shown(const ReaderState& state) {
  std::string text;
  const auto add = [&text](const char* name, int64_t value) {
    if (value != 0) text += str_cat(name, ": ", value, "\n");
  };
  add("work_started", state.started);
  add("work_finished", state.finished);
  add("num_records_produced", state.produced);
  if (!state.work.empty()) text += str_cat("current_work: \"", escaped(state.work), "\"\n");
  return text;
}

}  // namespace

Result<ReaderState> ReaderState::parse(std::string_view bytes, const std::string& reader) {
  ReaderState state;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kStarted, WireType::kVarint)) state.started = fields.int64();
    if (fields.is(kFinished, WireType::kVarint)) state.finished = fields.int64();
    if (fields.is(kProduced, WireType::kVarint)) state.produced = fields.int64();
    if (fields.is(kWork, WireType::kBytes)) state.work = fields.bytes();
  }
  if (!fields.ok()) return invalid_argument("Could not parse state for ", reader, ": ", escaped(bytes));
  if (state.started < 0 || state.finished < 0 || state.produced < 0) {
    return invalid_argument("Unexpected negative value when restoring in ", reader, ": ", shown(state));
  }
  if (state.started > state.finished) {
    return invalid_argument("Inconsistent work started vs. finished when restoring in ", reader, ": ", shown(state));
  }
  return state;
}

std::string ReaderState::serialize() const {
  std::string bytes;
  WireWriter out(&bytes);
  if (started != 0) out.int64(kStarted, started);
  if (finished != 0) out.int64(kFinished, finished);
  if (produced != 0) out.int64(kProduced, produced);
  if (!work.empty()) out.bytes(kWork, work);
  return bytes;
}

}  // namespace tinytf::ops
