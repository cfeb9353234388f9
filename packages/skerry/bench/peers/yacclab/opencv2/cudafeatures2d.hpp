// The part of OpenCV that YACCLAB's CUDA labellers need, so that they compile without it: a matrix on the device, and the
// plain view of it that kernels take. Written for the bench; it holds no code of OpenCV.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#define CV_8UC1 0
#define CV_32SC1 4

namespace cv {

struct Size {
  int width = 0, height = 0;
};

struct Mat {};
struct Mat1b : Mat {};
struct Mat1i : Mat {};

namespace cuda {

/** A view: rows of `step` bytes. */
template <class T>
struct PtrStepSz {
  enum { elem_size = sizeof(T) };
  T *data;
  size_t step;
  int cols, rows;
  __host__ __device__ operator T *() const { return data; }
};

using PtrStepSzb = PtrStepSz<unsigned char>;
using PtrStepSzi = PtrStepSz<int>;

/** Rows in device memory, with the driver's pitch. create() keeps memory of the same size and type. */
struct GpuMat {
  int rows = 0, cols = 0, type = -1;
  unsigned char *data = nullptr;
  size_t step = 0;

  void create(int height, int width, int kind) {
    if (rows == height && cols == width && type == kind) return;
    release();
    rows = height, cols = width, type = kind;
    cudaMallocPitch(&data, &step, width * elemSize(), height);
  }
  void create(Size size, int kind) { create(size.height, size.width, kind); }
  void release() {
    if (data) cudaFree(data);
    data = nullptr, rows = cols = 0, type = -1;
  }
  Size size() const { return {cols, rows}; }
  size_t elemSize() const { return type == CV_32SC1 ? 4 : 1; }
  void upload(const Mat &) {}
  void download(Mat &) const {}
  GpuMat clone() const { return *this; }

  template <class T>
  operator PtrStepSz<T>() const {
    return {reinterpret_cast<T *>(data), step, cols, rows};
  }
};

/** A view of a volume: rows of `stepy` bytes, slices of `stepz`. */
template <class T>
struct PtrStepSz3 {
  enum { elem_size = sizeof(T) };
  T *data;
  size_t stepy, stepz;
  int x, y, z;
  __host__ __device__ operator T *() const { return data; }
};

using PtrStepSz3b = PtrStepSz3<unsigned char>;
using PtrStepSz3i = PtrStepSz3<int>;

/** A volume in device memory, with the driver's pitch. */
struct GpuMat3 {
  int x = 0, y = 0, z = 0, type = -1;
  unsigned char *data = nullptr;
  size_t stepy = 0, stepz = 0;

  void create(int width, int height, int depth, int kind) {
    if (x == width && y == height && z == depth && type == kind) return;
    release();
    x = width, y = height, z = depth, type = kind;
    cudaMallocPitch(&data, &stepy, width * elemSize(), size_t(height) * depth);
    stepz = stepy * height;
  }
  void release() {
    if (data) cudaFree(data);
    data = nullptr, x = y = z = 0, type = -1;
  }
  size_t elemSize() const { return type == CV_32SC1 ? 4 : 1; }
  void upload(const Mat &) {}
  void download(Mat &) const {}

  template <class T>
  operator PtrStepSz3<T>() const {
    return {reinterpret_cast<T *>(data), stepy, stepz, x, y, z};
  }
};

}  // namespace cuda
}  // namespace cv
