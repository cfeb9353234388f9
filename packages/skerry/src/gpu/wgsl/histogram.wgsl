// Counts the levels of a band of one channel. Integers have a counter per level. For floats, either the smallest and the
// largest key are found, or 256 bins are counted, whose edges are given as keys.

struct Parameters {
  pixels: u32,
  first: u32,        // index of the first value in the binding
  except: u32,       // key of a float that is left out
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
// Levels; or bins; or the largest key, and the complement of the smallest.
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
// 257 ascending keys: bin i counts edges[i] <= key < edges[i + 1]; the last bin includes its upper edge.
@group(0) @binding(3) var<storage, read> edges: array<u32>;

// include lib/float-keys.wgsl
// include lib/pixels.wgsl

// 0 u8, 1 u16, 2 i16, 3 the range of floats, 4 the bins of floats.
override MODE: u32 = 0u;

var<workgroup> local: array<atomic<u32>, 256>;

fn level(at: u32) -> u32 {
  if (MODE == 0u) { return byteAt(at); }
  if (MODE >= 3u) { return key(pixels[at]); }
  let v = shortAt(at);
  return select(v, v ^ 0x8000u, MODE == 2u);
}

fn bin(key: u32) -> u32 {
  var low = 0u;
  var high = 255u;
  while (low < high) {
    let middle = (low + high + 1u) / 2u;
    if (key >= edges[middle]) { low = middle; } else { high = middle - 1u; }
  }
  return low;
}

fn add(level: u32, times: u32) {
  if (times == 0u) { return; }
  if (MODE == 0u || MODE == 4u) { atomicAdd(&local[level], times); } else { atomicAdd(&counts[level], times); }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let first = ((group.y * groups.x + group.x) * 256u + t) * 32u;
  let end = min(first + 32u, parameters.pixels);
  if (MODE == 3u) {
    var most = 0u;
    var least = 0xffffffffu;
    for (var i = first; i < end; i++) {
      let v = level(parameters.first + i);
      // Infinities are left out, and so are NaN, whose keys lie beyond those of the infinities.
      if (v >= POSITIVE_INFINITY || v <= NEGATIVE_INFINITY || v == parameters.except) { continue; }
      most = max(most, v);
      least = min(least, v);
    }
    if (most > 0u) {
      atomicMax(&counts[0], most);
      atomicMax(&counts[1], ~least);
    }
  } else {
    // Neighbours that share a level are counted at once.
    var last = 0u;
    var times = 0u;
    for (var i = first; i < end; i++) {
      var v = level(parameters.first + i);
      if (MODE == 4u) {
        if (v >= POSITIVE_INFINITY || v <= NEGATIVE_INFINITY || v == parameters.except) { continue; }
        v = bin(v);
      }
      if (v != last) {
        add(last, times);
        last = v;
        times = 0u;
      }
      times++;
    }
    add(last, times);
  }
  // The workgroup's counters are complete.
  workgroupBarrier();
  if (MODE == 0u || MODE == 4u) {
    let sum = atomicLoad(&local[t]);
    if (sum != 0u) { atomicAdd(&counts[t], sum); }
  }
}
