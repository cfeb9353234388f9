// Numbers of 64 bits as two words, the lower one in x.

// The product of two words.
fn multiply(a: u32, b: u32) -> vec2u {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
  return vec2u(a * b, (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}

fn plus64(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn widen(a: i32) -> vec2u {
  return vec2u(bitcast<u32>(a), bitcast<u32>(a >> 31u));
}

// The number to add to a sum's upper word, once value.x was added to its lower word, which was `before` until then. The
// thread that makes the lower word wrap carries into the upper one; it does not matter when.
fn upperOf(before: u32, value: vec2u) -> u32 {
  return value.y + select(0u, 1u, before + value.x < before);
}
