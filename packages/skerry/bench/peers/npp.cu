// NPP's labels of resident images: nppiLabelMarkersUF, then nppiCompressMarkerLabelsUF, without statistics.
//   npp SIZE FILE...   prints one JSON line per file: {"label": ms, "copy": ms, "count": n}, medians of 20
#include <cuda_runtime.h>
#include <npp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    auto status = (call);                                                                 \
    if (int(status) != 0) {                                                               \
      fprintf(stderr, "Error: %s failed with %d\n", #call, int(status));                  \
      exit(1);                                                                            \
    }                                                                                     \
  } while (0)

// The type that sizes are returned in differs between releases.
template <class Argument, class Size>
size_t sizeBy(NppStatus (*query)(Argument, Size *), Argument argument) {
  Size size = 0;
  CHECK(query(argument, &size));
  return size_t(size);
}

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
  const size_t pixels = size_t(size) * size;
  const NppiSize roi = {size, size};
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  NppStreamContext context = {};
  context.nMultiProcessorCount = device.multiProcessorCount;
  context.nMaxThreadsPerMultiProcessor = device.maxThreadsPerMultiProcessor;
  context.nMaxThreadsPerBlock = device.maxThreadsPerBlock;
  context.nSharedMemPerBlock = device.sharedMemPerBlock;
  context.nCudaDevAttrComputeCapabilityMajor = device.major;
  context.nCudaDevAttrComputeCapabilityMinor = device.minor;

  Npp8u *image, *labelBuffer, *compressBuffer;
  Npp32u *labels;
  CHECK(cudaMalloc(&image, pixels));
  CHECK(cudaMalloc(&labels, pixels * 4));
  CHECK(cudaMalloc(&labelBuffer, sizeBy(nppiLabelMarkersUFGetBufferSize_32u_C1R, roi)));
  CHECK(cudaMalloc(&compressBuffer, sizeBy(nppiCompressMarkerLabelsGetBufferSize_32u_C1R, int(pixels))));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));

  std::vector<Npp8u> host(pixels);
  for (int file = 2; file < argc; file++) {
    FILE *stream = fopen(argv[file], "rb");
    if (!stream || fread(host.data(), 1, pixels, stream) != pixels) return 1;
    fclose(stream);
    CHECK(cudaMemcpy(image, host.data(), pixels, cudaMemcpyHostToDevice));
    auto copy = [&] { reference<<<(pixels / 4 + 255) / 256, 256>>>((uchar4 *)image, (uint4 *)labels, int(pixels / 4)); };
    const auto warm = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - warm < std::chrono::milliseconds(400)) {
      for (int i = 0; i < 50; i++) copy();
      CHECK(cudaDeviceSynchronize());
    }
    std::vector<float> copies, times;
    int count = 0;
    for (int round = 0; round < 20; round++) {
      float milliseconds;
      CHECK(cudaEventRecord(begin));
      copy();
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
      copies.push_back(milliseconds);
      CHECK(cudaEventRecord(begin));
      CHECK(nppiLabelMarkersUF_8u32u_C1R_Ctx(image, size, labels, size * 4, roi, nppiNormInf, labelBuffer, context));
      CHECK(nppiCompressMarkerLabelsUF_32u_C1IR_Ctx(labels, size * 4, roi, int(pixels), &count, compressBuffer, context));
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
      times.push_back(milliseconds);
    }
    printf("{\"label\": %.4f, \"copy\": %.4f, \"count\": %d}\n", median(times), median(copies), count);
    fflush(stdout);
  }
}
