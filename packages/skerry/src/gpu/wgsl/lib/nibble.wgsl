// One bit per byte of a word, set if the byte lies in its interval. `span` is the upper bound minus the lower one.
fn nibble(word: u32, lo: vec4u, span: vec4u) -> u32 {
  let inside = (unpack4xU8(word) - lo) <= span;
  return dot(select(vec4u(), vec4u(1u, 2u, 4u, 8u), inside), vec4u(1u));
}
