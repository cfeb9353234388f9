// Costs of steps, and the costs from the earlier axes. A cost is a whole number, or the bits of a float, which
// compare alike. A kernel that includes this has the parameters `weight` and `stepX`.

// 0: steps along rows; 1: costs.
override INPUT: u32 = 0u;
override FLOAT: bool = false;
// 0 Euclidean, 1 city block, 2 chessboard.
override METRIC: u32 = 0u;

fn infinity() -> u32 {
  return select(0x3fffffffu, 0x7f800000u, FLOAT);
}

// The cost of `steps` steps of size `weight`.
fn costOf(steps: i32, weight: u32) -> u32 {
  if (FLOAT) {
    let s = abs(f32(steps)) * bitcast<f32>(weight);
    return bitcast<u32>(select(s, s * s, METRIC == 0u));
  }
  let s = u32(abs(steps)) * weight;
  return select(s, s * s, METRIC == 0u);
}

// The costs of 0, 1, 2 and 3 steps more than `first` along the line.
fn costOf4(first: i32) -> vec4u {
  if (FLOAT) {
    let s = abs(f32(first) + vec4f(0.0, 1.0, 2.0, 3.0)) * bitcast<f32>(parameters.weight);
    return bitcast<vec4u>(select(s, s * s, METRIC == 0u));
  }
  let s = vec4u(abs(first + vec4i(0, 1, 2, 3))) * parameters.weight;
  return select(s, s * s, METRIC == 0u);
}

// Steps along a row as a cost.
fn unpacked(value: u32) -> u32 {
  return select(costOf(i32(value & 0x7fffu), parameters.stepX), infinity(), value == 0xffffu);
}

// The index of the cost of a pair's first column, in costs of four bytes. The second column's cost lies 32 further.
fn first4(pair: u32) -> u32 {
  return pair + (pair & ~31u);
}
