#include "io/wav.h"

#include <algorithm>
#include <cmath>

#include "base/checked.h"

namespace tinytf {

namespace {

constexpr int kSampleBytes = 2;
constexpr int kHeaderBytes = 44;
constexpr int kBeforeSize = 8;  // Bytes that the size in the header does not count.

void append_integer(std::string* to, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) to->push_back(static_cast<char>(number >> 8 * i));
}

uint16_t sample_of(float value) {
  if (std::isnan(value)) return 0;
  return static_cast<uint16_t>(static_cast<int16_t>(std::clamp(std::round(value * 32768.0f), -32768.0f, 32767.0f)));
}

}  // namespace

Result<std::string> encode_wav(const Samples& samples) {
  constexpr int kFormatBytes = 16, kPcm = 1;
  if (samples.frames < 1 || samples.channels < 1) return invalid_argument("audio is null");
  if (samples.rate < 1 || samples.rate > UINT32_MAX) {
    return invalid_argument("sample_rate must be in (0, 2^32), got: ", samples.rate);
  }
  if (samples.channels > UINT16_MAX) {
    return invalid_argument("num_channels must be in (0, 2^16), got: ", samples.channels);
  }
  const Size data_bytes = Size(samples.frames) * samples.channels * kSampleBytes;
  if (!(data_bytes + kHeaderBytes).within(0, UINT32_MAX)) {
    return invalid_argument("Provided channels and frames cannot be encoded as a WAV.");
  }
  const auto bytes = static_cast<uint64_t>(data_bytes.value());
  const auto channels = static_cast<uint64_t>(samples.channels);
  std::string file;
  file.reserve(bytes + kHeaderBytes);
  file += "RIFF";
  append_integer(&file, bytes + kHeaderBytes - kBeforeSize, 4);
  file += "WAVEfmt ";
  append_integer(&file, kFormatBytes, 4);
  append_integer(&file, kPcm, 2);
  append_integer(&file, channels, 2);
  append_integer(&file, samples.rate, 4);
  append_integer(&file, samples.rate * kSampleBytes * channels, 4);  // Bytes per second.
  append_integer(&file, kSampleBytes * channels, 2);
  append_integer(&file, 8 * kSampleBytes, 2);
  file += "data";
  append_integer(&file, bytes, 4);
  for (int64_t i = 0; i < samples.frames * samples.channels; ++i) append_integer(&file, sample_of(samples.data[i]), 2);
  return file;
}

}  // namespace tinytf
