// The part of OpenCV that YACCLAB's labellers for the CPU need, so that they compile without it: a matrix whose copies share memory.
// Written for the bench; it holds no code of OpenCV.
#pragma once
#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using uchar = unsigned char;

namespace cv {

struct Size {
  int width = 0, height = 0;
  Size() = default;
  Size(int columns, int rows) : width(columns), height(rows) {}
};

/** Memory aligned to 64 bytes, as OpenCV's. The last one of a size that was freed is given again, so that its pages are touched before. */
inline std::shared_ptr<void> allocated(size_t bytes) {
  static std::vector<std::pair<size_t, void *>> kept;
  bytes = (bytes + 63) / 64 * 64;
  void *memory = nullptr;
  for (auto &[size, free] : kept)
    if (size == bytes && free) {
      memory = free;
      free = nullptr;
      break;
    }
  if (!memory) memory = std::aligned_alloc(64, bytes);
  return {memory, [bytes](void *last) { kept.emplace_back(bytes, last); }};
}

template <class T>
struct Mat_ {
  struct {
    size_t p[1];
  } step{{0}};
  int rows = 0, cols = 0;
  T *data = nullptr;
  uchar *datastart = nullptr, *dataend = nullptr;

  Mat_() = default;
  /** Rows without a gap; their values are undefined. */
  Mat_(int height, int width) : step{{width * sizeof(T)}}, rows(height), cols(width) {
    memory_ = allocated(size_t(height) * width * sizeof(T));
    data = static_cast<T *>(memory_.get());
    datastart = reinterpret_cast<uchar *>(data);
    dataend = datastart + size_t(height) * width * sizeof(T);
  }
  explicit Mat_(Size size) : Mat_(size.height, size.width) {}
  Mat_(int height, int width, T value) : Mat_(height, width) { std::fill_n(data, size_t(height) * width, value); }
  Mat_(Size size, T value) : Mat_(size.height, size.width, value) {}

  Size size() const { return {cols, rows}; }
  template <class U>
  U *ptr(int row) const {
    return reinterpret_cast<U *>(data + size_t(row) * cols);
  }

 private:
  std::shared_ptr<void> memory_;
};

using Mat1b = Mat_<unsigned char>;
using Mat1i = Mat_<int>;

}  // namespace cv
