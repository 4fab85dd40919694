#include "graph/device_name.h"

#include <charconv>

namespace tinytf {

namespace {

constexpr std::string_view kAnyPart = "*";

/// The unread rest of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  bool done() const { return rest_.empty(); }

  bool skip(std::string_view prefix) {
    if (rest_.substr(0, prefix.size()) != prefix) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }

  /// Reads a letter followed by letters, digits and underscores, or `*`, which leaves the field open.
  bool word(std::optional<std::string>& field) {
    field.reset();
    if (skip(kAnyPart)) return true;
    size_t size = 0;
    while (size < rest_.size() && (is_letter(rest_[size]) || (size > 0 && is_digit_or_underscore(rest_[size])))) ++size;
    if (size == 0) return false;
    field.emplace(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return true;
  }

  bool number(std::optional<int>& field) {
    field.reset();
    if (skip(kAnyPart)) return true;
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0 || rest_[0] == '-') return false;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    field = value;
    return true;
  }

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool is_digit_or_underscore(char c) { return (c >= '0' && c <= '9') || c == '_'; }

  std::string_view rest_;
};

bool read_part(Reader& reader, DeviceName& name) {
  if (reader.skip("/job:")) return reader.word(name.job);
  if (reader.skip("/replica:")) return reader.number(name.replica);
  if (reader.skip("/task:")) return reader.number(name.task);
  if (reader.skip("/device:")) {
    if (!reader.word(name.type)) return false;
    name.id.reset();
    return !reader.skip(":") || reader.number(name.id);
  }
  if (reader.skip("/cpu:") || reader.skip("/CPU:")) {
    name.type = "CPU";
    return reader.number(name.id);
  }
  if (reader.skip("/gpu:") || reader.skip("/GPU:")) {
    name.type = "GPU";
    return reader.number(name.id);
  }
  return false;
}

template <class T>
bool fits(const std::optional<T>& wanted, const std::optional<T>& found) {
  return !wanted || wanted == found;
}
template <class T>
bool agree(const std::optional<T>& a, const std::optional<T>& b) {
  return !a || !b || *a == *b;
}
template <class T>
void take(std::optional<T>& field, const std::optional<T>& other) {
  if (other) field = other;
}

}  // namespace

std::optional<DeviceName> DeviceName::parse(std::string_view text) {
  DeviceName name;
  if (text == "/") return name;
  Reader reader(text);
  while (!reader.done()) {
    if (!read_part(reader, name)) return std::nullopt;
  }
  return name;
}

DeviceName DeviceName::local(std::string type, int id) {
  DeviceName name;
  name.job = "localhost";
  name.replica = name.task = 0;
  name.type = std::move(type);
  name.id = id;
  return name;
}

std::string DeviceName::to_string() const {
  std::string text;
  if (job) text += str_cat("/job:", *job);
  if (replica) text += str_cat("/replica:", *replica);
  if (task) text += str_cat("/task:", *task);
  if (type) text += str_cat("/device:", *type, ":", id ? str_cat(*id) : std::string(kAnyPart));
  return text;
}

bool DeviceName::matches(const DeviceName& device) const {
  return fits(job, device.job) && fits(replica, device.replica) && fits(task, device.task) && fits(type, device.type) &&
         fits(id, device.id);
}

bool DeviceName::compatible(const DeviceName& other) const {
  return agree(job, other.job) && agree(replica, other.replica) && agree(task, other.task) && agree(type, other.type) &&
         agree(id, other.id);
}

Status DeviceName::merge(const DeviceName& other, bool softly) {
  const auto conflict = [&](const char* what) {
    return invalid_argument("Cannot merge devices with incompatible ", what, ": '", to_string(), "' and '",
                            other.to_string(), "'");
  };
  if (!agree(job, other.job)) return conflict("jobs");
  take(job, other.job);
  if (!agree(replica, other.replica)) return conflict("replicas");
  take(replica, other.replica);
  if (!agree(task, other.task)) return conflict("tasks");
  take(task, other.task);
  if (!agree(type, other.type)) {
    if (!softly) return conflict("types");
    type.reset();
    id.reset();
    return Status();
  }
  take(type, other.type);
  if (!agree(id, other.id)) {
    if (!softly) return conflict("ids");
    id.reset();
    return Status();
  }
  take(id, other.id);
  return Status();
}

void DeviceName::overwrite(const DeviceName& other) {
  take(job, other.job);
  take(replica, other.replica);
  take(task, other.task);
  take(type, other.type);
  take(id, other.id);
}

bool operator==(const DeviceName& a, const DeviceName& b) {
  return a.job == b.job && a.replica == b.replica && a.task == b.task && a.type == b.type && a.id == b.id;
}

}  // namespace tinytf
