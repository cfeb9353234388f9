// A table of labels in workgroup memory, hashed. A kernel that includes this declares `const SLOTS` and
// `var<workgroup> keys`: at least SLOTS atomic labels, 0 where a slot is free.

const NOWHERE = 0xffffffffu;

// The slot of a label. A label without a slot takes a free one. NOWHERE if 8 probes find none.
fn slotOf(label: u32) -> u32 {
  // The hash has as many bits as SLOTS - 1. It can exceed the last slot only if SLOTS is no power of two.
  var slot = (label * 2654435761u) >> countLeadingZeros(SLOTS - 1u);
  if ((SLOTS & (SLOTS - 1u)) != 0u) { slot %= SLOTS; }
  for (var probe = 0u; probe < 8u; probe++) {
    loop {
      let exchange = atomicCompareExchangeWeak(&keys[slot], 0u, label);
      if (exchange.exchanged || exchange.old_value == label) { return slot; }
      // The exchange may fail spuriously. Only another label in the slot is a reason to try the next slot.
      if (exchange.old_value != 0u) { break; }
    }
    slot = (slot + 1u) % SLOTS;
  }
  return NOWHERE;
}
