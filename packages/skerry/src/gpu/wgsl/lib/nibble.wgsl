// The four bits of a word's bytes that lie in their intervals; `span` is the upper bound less the lower one.
fn nibble(word: u32, lo: vec4u, span: vec4u) -> u32 {
  let inside = (unpack4xU8(word) - lo) <= span;
  return dot(select(vec4u(), vec4u(1u, 2u, 4u, 8u), inside), vec4u(1u));
}
