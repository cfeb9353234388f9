// The union of two components. A kernel that includes this includes find.wgsl and declares `parents` with atomics and
// `fn comesAfter(a: u32, b: u32) -> bool`: whether root b becomes the parent of root a.

fn unite(x: u32, y: u32) {
  var a = find(x);
  var b = find(y);
  while (a != b) {
    if (comesAfter(a, b)) {
      let c = a;
      a = b;
      b = c;
    }
    // Only a root may get a parent. The exchange fails if b got a parent meanwhile, or spuriously.
    let exchange = atomicCompareExchangeWeak(&parents[b], b, a);
    if (exchange.exchanged) { return; }
    a = find(a);
    b = find(exchange.old_value);
  }
}
