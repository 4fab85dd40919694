#include "io/png.h"

#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "io/deflate.h"

namespace tinytf {

namespace {

using Row = std::vector<uint8_t>;

constexpr int64_t kLargestSide = INT32_MAX;

void append_number(std::string* to, uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) to->push_back(static_cast<char>(number >> shift));
}

/// The CRC-32 of zlib and PNG, not the CRC-32C of records.
uint32_t crc32(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = [] {
    std::array<uint32_t, 256> made{};
    for (uint32_t i = 0; i < made.size(); ++i) {
      uint32_t rest = i;
      for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ ((rest & 1) != 0 ? 0xEDB88320u : 0);
      made[i] = rest;
    }
    return made;
  }();
  uint32_t crc = ~uint32_t{0};
  for (const char byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<uint8_t>(byte)) & 0xFF];
  return ~crc;
}

void append_chunk(std::string* to, std::string_view kind, std::string_view content) {
  append_number(to, static_cast<uint32_t>(content.size()));
  const size_t begin = to->size();
  to->append(kind);
  to->append(content);
  append_number(to, crc32(std::string_view(*to).substr(begin)));
}

int nearest(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left), to_above = std::abs(guess - above), to_corner = std::abs(guess - corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

/// PNG's row filters: the bytes themselves, or their differences from a prediction.
enum Filter : uint8_t { kNone, kLeft, kAbove, kMean, kNearest, kFilters };

/// Writes the filter's number and the filtered row; `above` is the row before, or null. Returns the sum of the absolute
/// filtered bytes: the smaller, the better the row compresses.
int64_t filter_row(Filter filter, const uint8_t* row, const uint8_t* above, int64_t bytes, int step, Row* out) {
  int64_t distance = 0;
  (*out)[0] = filter;
  for (int64_t i = 0; i < bytes; ++i) {
    const int left = i < step ? 0 : row[i - step];
    const int up = above == nullptr ? 0 : above[i];
    int guess = 0;
    if (filter == kLeft) guess = left;
    if (filter == kAbove) guess = up;
    if (filter == kMean) guess = (left + up) / 2;
    if (filter == kNearest) guess = nearest(left, up, i < step || above == nullptr ? 0 : above[i - step]);
    const auto byte = static_cast<uint8_t>(row[i] - guess);
    (*out)[static_cast<size_t>(i) + 1] = byte;
    distance += byte < 128 ? byte : 256 - byte;
  }
  return distance;
}

/// Copies a row in PNG's byte order: 16-bit numbers are big-endian.
void copy_row(const Pixels& pixels, int64_t y, Row* row) {
  const size_t numbers = row->size() * 8 / static_cast<size_t>(pixels.bits);
  const size_t begin = static_cast<size_t>(y) * numbers;
  for (size_t i = 0; i < numbers; ++i) {
    if (pixels.bits == 8) {
      (*row)[i] = static_cast<const uint8_t*>(pixels.data)[begin + i];
    } else {
      const uint16_t number = static_cast<const uint16_t*>(pixels.data)[begin + i];
      (*row)[2 * i] = static_cast<uint8_t>(number >> 8);
      (*row)[2 * i + 1] = static_cast<uint8_t>(number);
    }
  }
}

/// Compresses all rows, each after its filter's number, as one stream.
Result<std::string> compressed(const Pixels& pixels, int64_t row_bytes, int level, Parallel& parallel) {
  constexpr double kNanoseconds = 50;           // Per byte.
  constexpr size_t kAtOnce = size_t{64} << 10;  // Bytes to deflate per call.
  DeflateOptions options;
  options.level = level;
  TINYTF_ASSIGN_OR_RETURN(const std::unique_ptr<Deflater> stream, make_deflater(options));
  const int step = pixels.channels * pixels.bits / 8;
  std::string rows, out;
  Row tried(static_cast<size_t>(row_bytes) + 1), best(tried);
  Row row(static_cast<size_t>(row_bytes)), before(row);
  Status status;
  const auto add_row = [&](int64_t y) {
    before.swap(row);
    copy_row(pixels, y, &row);
    const uint8_t* above = y == 0 ? nullptr : before.data();
    int64_t least = INT64_MAX;
    for (int filter = kNone; filter < kFilters; ++filter) {
      const int64_t distance = filter_row(static_cast<Filter>(filter), row.data(), above, row_bytes, step, &tried);
      if (distance >= least) continue;
      least = distance;
      best.swap(tried);
    }
    rows.append(best.begin(), best.end());
    if (rows.size() < kAtOnce) return;
    status = stream->deflate(rows, &out);
    rows.clear();
  };
  parallel.run_in_order(pixels.height, kNanoseconds * static_cast<double>(row_bytes), [&](int64_t y, int64_t end) {
    for (; status.ok() && y < end; ++y) add_row(y);
  });
  if (status.ok() && !rows.empty()) status = stream->deflate(rows, &out);
  TINYTF_RETURN_IF_ERROR(std::move(status));
  TINYTF_RETURN_IF_ERROR(stream->finish(&out));
  return out;
}

}  // namespace

Result<std::string> encode_png(const Pixels& pixels, Parallel& parallel, int level) {
  const Size row_bytes = Size(pixels.width) * pixels.channels * (pixels.bits / 8);
  const Size bytes = (row_bytes + 1) * pixels.height;
  if (pixels.width < 1 || pixels.height < 1 || pixels.width > kLargestSide || pixels.height > kLargestSide ||
      !bytes.within(1, INT32_MAX)) {
    return invalid_argument("An image of ", pixels.width, " by ", pixels.height,
                            " pixels is empty or too large for a PNG");
  }
  static constexpr uint8_t kColors[] = {0, 4, 2, 6};
  std::string head;
  append_number(&head, static_cast<uint32_t>(pixels.width));
  append_number(&head, static_cast<uint32_t>(pixels.height));
  for (const int byte : {pixels.bits, static_cast<int>(kColors[pixels.channels - 1]), 0, 0, 0}) {
    head.push_back(static_cast<char>(byte));
  }
  TINYTF_ASSIGN_OR_RETURN(const std::string content, compressed(pixels, row_bytes.value(), level, parallel));
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(&file, "IHDR", head);
  append_chunk(&file, "IDAT", content);
  append_chunk(&file, "IEND", "");
  return file;
}

}  // namespace tinytf
