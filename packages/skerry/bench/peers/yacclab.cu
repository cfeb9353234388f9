// Times one of YACCLAB's CUDA labellers on resident images, or with -DVOLUME on cubes. Its source, in the user's checkout, is compiled in:
//   nvcc -O3 -arch=native -I peers/yacclab -DLABELLER='"CHECKOUT/cuda/src/labeling_....cu"' yacclab.cu
//   yacclab SIZE FILE...   prints one JSON line per file: {"label": ms, "copy": ms, "count": n}, medians of 20
// Labels are raw: neither dense nor with statistics. `count` is the number of different ones, found on the host.
#include LABELLER

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <unordered_set>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t status = (call);                                                                 \
    if (status != cudaSuccess) {                                                                 \
      fprintf(stderr, "Error: %s failed: %s\n", #call, cudaGetErrorString(status));              \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)

__global__ void reference(const uchar4 *source, uint4 *target, int total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < total) {
    uchar4 v = source[i];
    target[i] = make_uint4(v.x, v.y, v.z, v.w);
  }
}

static double median(std::vector<float> list) {
  std::sort(list.begin(), list.end());
  return list[list.size() / 2];
}

int main(int argc, char **argv) {
  const int size = atoi(argv[1]);
#ifdef VOLUME
  const size_t rows = size_t(size) * size;
#else
  const size_t rows = size;
#endif
  const size_t pixels = rows * size;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  Labeller *labeller = make_labeller();
#ifdef VOLUME
  labeller->d_img_.create(size, size, size, CV_8UC1);
#else
  labeller->d_img_.create(size, size, CV_8UC1);
#endif
  unsigned char *source;
  uint4 *target;
  CHECK(cudaMalloc(&source, pixels));
  CHECK(cudaMalloc(&target, pixels * 4));
  std::vector<unsigned char> host(pixels);
  std::vector<int> labels(pixels);
  for (int file = 2; file < argc; file++) {
    FILE *stream = fopen(argv[file], "rb");
    if (!stream || fread(host.data(), 1, pixels, stream) != pixels) return 1;
    fclose(stream);
    auto &image = labeller->d_img_;
#ifdef VOLUME
    const size_t pitch = image.stepy;
#else
    const size_t pitch = image.step;
#endif
    CHECK(cudaMemcpy2D(image.data, pitch, host.data(), size, size, rows, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(source, host.data(), pixels, cudaMemcpyHostToDevice));
    auto copy = [&] { reference<<<(pixels / 4 + 255) / 256, 256>>>((uchar4 *)source, target, int(pixels / 4)); };
    auto timed = [&](auto work) {
      float milliseconds;
      CHECK(cudaEventRecord(begin));
      work();
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
      return milliseconds;
    };
    const auto warm = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - warm < std::chrono::milliseconds(400)) {
      for (int i = 0; i < 50; i++) copy();
      CHECK(cudaDeviceSynchronize());
    }
    labeller->PerformLabeling();
    CHECK(cudaGetLastError());
    std::vector<float> copies, times;
    for (int round = 0; round < 20; round++) {
      copies.push_back(timed(copy));
      times.push_back(timed([&] { labeller->PerformLabeling(); }));
    }
    auto &out = labeller->d_img_labels_;
#ifdef VOLUME
    const size_t outPitch = out.stepy;
#else
    const size_t outPitch = out.step;
#endif
    CHECK(cudaMemcpy2D(labels.data(), size * 4, out.data, outPitch, size * 4, rows, cudaMemcpyDeviceToHost));
    std::unordered_set<int> different;
    int last = 0;
    for (size_t i = 0; i < pixels; i++) {
      if (labels[i] == last || !host[i]) continue;
      different.insert(last = labels[i]);
    }
    printf("{\"label\": %.4f, \"copy\": %.4f, \"count\": %zu}\n", median(times), median(copies), different.size());
    fflush(stdout);
  }
}
