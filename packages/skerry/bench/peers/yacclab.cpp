// Times one of YACCLAB's labellers for the CPU, one thread, labels alone. Its source, in the user's checkout, is compiled in:
//   g++ -std=c++17 -O3 -march=native -I peers/yacclab-cpu -I CHECKOUT/include -DLABELLER='"labeling_lee_2021_bmrs.h"' -DCLASS=BMRS yacclab.cpp
//   yacclab FILE WIDTH HEIGHT       prints {"medians": [ms], "count": n}
// The time includes what the labeller allocates in the call, as in its users' programs; malloc keeps freed memory, so that pages are
// touched before.
#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <opencv2/core.hpp>

// The parts of YACCLAB's framework that the labellers need stand here; their own headers of it are left out by their guards.
#define MEMORY_TESTER_H_
#define YACCLAB_LABELING_ALGORITHMS_H_
#define YACCLAB_PERFORMANCE_EVALUATOR_H_
#define YACCLAB_REGISTER_H_
#define REGISTER_LABELING(algorithm)
#define REGISTER_SOLVER(algorithm, solver)
#define UPPER_BOUND_8_CONNECTIVITY (size_t((img_.rows + 1) / 2) * size_t((img_.cols + 1) / 2) + 1)

enum class Connectivity2D { CONN_4 = 4, CONN_8 = 8 };
enum class StepType { ALLOC_DEALLOC, FIRST_SCAN, SECOND_SCAN, ALL_SCANS };
inline std::string Step(StepType) { return {}; }

/** Stands in for YACCLAB's stopwatch. The bench measures time itself. */
struct PerformanceEvaluator {
  void start() {}
  double stop() { return 0; }
  double last() const { return 0; }
  void store(const std::string &, double) {}
};

/** Stand in for the containers that count accesses. Only PerformLabelingMem(), which is never called, uses them. */
template <class T>
struct MemVector {
  MemVector(size_t = 0) {}
  T &operator[](size_t) { return value_; }
  double GetTotalAccesses() const { return 0; }

 private:
  T value_{};
};
template <class T>
struct MemMat {
  int rows = 0, cols = 0;
  template <class... Any>
  MemMat(Any &&...) {}
  T &operator()(int, int) { return value_; }
  double GetTotalAccesses() const { return 0; }
  cv::Mat_<T> GetImage() const { return {}; }

 private:
  T value_{};
};
enum { MD_BINARY_MAT, MD_LABELED_MAT, MD_EQUIVALENCE_VEC, MD_OTHER, MD_SIZE };

template <Connectivity2D>
struct Labeling2D {
  cv::Mat1b img_;
  cv::Mat1i img_labels_;
  unsigned n_labels_ = 0;
  PerformanceEvaluator perf_;
  virtual ~Labeling2D() = default;
  virtual void PerformLabeling() = 0;
  virtual void PerformLabelingWithSteps() {}
  virtual void PerformLabelingMem(std::vector<uint64_t> &) {}
};

#include LABELLER

// The memory of the union-find that YACCLAB prefers.
unsigned *UFPC::P_;
unsigned UFPC::length_;
MemVector<unsigned> UFPC::mem_P_;

int main(int argc, char **argv) {
  if (argc < 4) return 1;
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  const int width = atoi(argv[2]), height = atoi(argv[3]);
  const size_t pixels = size_t(width) * height;
  CLASS<UFPC> labeller;
  labeller.img_ = cv::Mat1b(height, width);
  FILE *stream = fopen(argv[1], "rb");
  if (!stream || fread(labeller.img_.data, 1, pixels, stream) != pixels) return 1;
  fclose(stream);
  std::vector<double> times;
  for (int round = 0; round < 6; round++) {
    labeller.img_labels_ = cv::Mat1i();
    const auto begin = std::chrono::steady_clock::now();
    labeller.PerformLabeling();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (round > 0) times.push_back(took.count());
  }
  std::sort(times.begin(), times.end());
  const int *labels = labeller.img_labels_.data;
  printf("{\"medians\": [%.3f], \"count\": %d}\n", times[times.size() / 2], *std::max_element(labels, labels + pixels));
}
