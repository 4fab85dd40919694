#include "io/event_file.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "io/file_system.h"
#include "io/record_format.h"
#include "io/wire.h"
#include "services/platform.h"

namespace tinytf {

namespace {

constexpr int kNames = 1000;  // Number of names to try, one per second.

std::string version_record(int64_t seconds) {
  constexpr int kWallTime = 1, kFileVersion = 3;
  std::string event, record;
  WireWriter to(&event);
  to.float64(kWallTime, static_cast<double>(seconds));
  to.bytes(kFileVersion, "brain.Event:2");
  append_record(event, &record);
  return record;
}

}  // namespace

double wall_time_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::microseconds>(now).count()) * 1e-6;
}

Status EventFile::write(std::string_view records) {
  if (damaged_) TINYTF_RETURN_IF_ERROR(go_on());
  if (!file_) TINYTF_RETURN_IF_ERROR(begin());
  Status status = file_->append(records);
  if (status.ok()) status = file_->flush();
  if (status.ok()) {
    whole_ += records.size();
  } else {
    damaged_ = true;
    file_.reset();
  }
  return status;
}

Status EventFile::begin() {
  const auto now = static_cast<int64_t>(wall_time_now());
  const std::string host = host_name();
  for (int64_t seconds = now; !file_; ++seconds) {
    char number[24];
    std::snprintf(number, sizeof number, "%010lld", static_cast<long long>(seconds));
    path_ = str_cat(folder_, "/events.out.tfevents.", number, ".", host, suffix_);
    const std::string version = version_record(seconds);
    Result<std::unique_ptr<WritableFile>> made = WritableFile::create_new(path_);
    if (made.ok()) {
      file_ = made.take();
      whole_ = 0;
      TINYTF_RETURN_IF_ERROR(write(version));
    } else if (made.status().code() != Code::kAlreadyExists || seconds - now >= kNames) {
      return made.status();
    }
  }
  return Status();
}

Status EventFile::go_on() {
  damaged_ = false;
  if (whole_ == 0) {
    (void)delete_file(path_);  // It lacks even the version record.
    return Status();
  }
  if (!truncate_file(path_, whole_).ok()) return Status();  // Begins a new file.
  Result<std::unique_ptr<WritableFile>> again = WritableFile::append_to(path_);
  if (!again.ok()) {
    damaged_ = true;
    return again.status();
  }
  file_ = again.take();
  return Status();
}

Status EventFile::close() {
  const std::unique_ptr<WritableFile> file = std::move(file_);
  if (damaged_ && whole_ > 0) (void)truncate_file(path_, whole_);  // Readers must not find a partial record.
  damaged_ = false;
  return file ? file->close() : Status();
}

}  // namespace tinytf
