#include "io/summary_fields.h"

#include "io/wire.h"

namespace tinytf {

bool write_told_once(std::string_view summary, std::unordered_set<std::string>* tags, std::string* out) {
  WireWriter to(out);
  WireReader fields(summary);
  while (fields.next()) {
    if (!fields.is(kSummaryValue, WireType::kBytes)) {
      out->append(fields.whole());
      continue;
    }
    std::string_view tag;
    bool described = false;
    WireReader value(fields.bytes());
    while (value.next()) {
      if (value.is(kTag, WireType::kBytes)) tag = value.text();
      described |= value.is(kMetadata, WireType::kBytes);
    }
    if (!value.ok()) return false;
    if (tags->emplace(tag).second || !described) {
      out->append(fields.whole());
      continue;
    }
    to.nested(kSummaryValue, [&] {
      WireReader again(fields.bytes());
      while (again.next()) {
        if (!again.is(kMetadata, WireType::kBytes)) out->append(again.whole());
      }
    });
  }
  return fields.ok();
}

}  // namespace tinytf
