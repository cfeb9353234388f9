// Counts the pixels of each colour, by key: the bits of red, green and blue interleaved. A thread has sixteen
// neighbouring pixels, and counts its last two colours in registers before it adds to the shared counters. Otherwise, in
// images of few colours, every thread would wait for the same counters. The thread that finds a counter at 0 marks the
// key.

struct Parameters {
  pixels: u32,       // in the band
  first: u32,        // index of the band's first byte in the binding
  skip: u32,         // 1: pixels of alpha 0 are left out
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
// A bit per key.
@group(0) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;

// include lib/colour-keys.wgsl
// include lib/pixels.wgsl

override CHANNELS: u32 = 3u;

fn add(key: u32, times: u32) {
  if (atomicAdd(&counts[key], times) == 0u) { atomicOr(&marks[key >> 5u], 1u << (key & 31u)); }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let begin = ((group.y * groups.x + group.x) * 256u + t) * 16u;
  let end = min(begin + 16u, parameters.pixels);
  var last = 0u;
  var times = 0u;
  var other = 0u;
  var otherTimes = 0u;
  for (var i = begin; i < end; i++) {
    let at = parameters.first + i * CHANNELS;
    if (CHANNELS == 4u && parameters.skip == 1u && byteAt(at + 3u) == 0u) { continue; }
    let key = (spread(byteAt(at)) << 2u) | (spread(byteAt(at + 1u)) << 1u) | spread(byteAt(at + 2u));
    if (key != last || times == 0u) {
      // The other colour becomes the last one, with its count or a new one.
      if (key != other && otherTimes > 0u) {
        add(other, otherTimes);
        otherTimes = 0u;
      }
      let before = last;
      let beforeTimes = times;
      last = key;
      times = otherTimes;
      other = before;
      otherTimes = beforeTimes;
    }
    times++;
  }
  if (times > 0u) { add(last, times); }
  if (otherTimes > 0u) { add(other, otherTimes); }
}
