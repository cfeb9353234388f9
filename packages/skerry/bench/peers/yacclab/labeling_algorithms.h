// The part of YACCLAB's framework that its CUDA labellers need: the class that they derive from. Written for the bench.
#pragma once
#include <opencv2/cudafeatures2d.hpp>

enum class Connectivity2D { CONN_4 = 4, CONN_8 = 8 };
enum class Connectivity3D { CONN_6 = 6, CONN_18 = 18, CONN_26 = 26 };
enum class StepType { ALLOC_DEALLOC, ALL_SCANS, FIRST_SCAN, SECOND_SCAN };

inline std::string Step(StepType) { return {}; }

/** Stands in for YACCLAB's stopwatch. The bench measures time itself. */
struct Stopwatch {
  void start() {}
  double stop() { return 0; }
  double last() const { return 0; }
  void store(const std::string &, double) {}
};

/** Volumes with -DVOLUME, else images. */
#ifdef VOLUME
using DeviceMatrix = cv::cuda::GpuMat3;
#else
using DeviceMatrix = cv::cuda::GpuMat;
#endif

struct Labeller {
  DeviceMatrix d_img_, d_img_labels_;
  cv::Mat1b img_;
  cv::Mat1i img_labels_;
  Stopwatch perf_;
  virtual ~Labeller() = default;
  virtual void PerformLabeling() = 0;
  virtual void PerformLabelingWithSteps() {}
  virtual void PerformLabelingBlocksize(int, int, int) {}
};

template <Connectivity2D>
struct GpuLabeling2D : Labeller {};

template <Connectivity3D>
struct GpuLabeling3D : Labeller {};
