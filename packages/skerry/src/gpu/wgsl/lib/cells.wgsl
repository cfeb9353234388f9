// Cells of a strip's bits, and the nodes of their segments. A kernel that includes this declares `bits`, `segments`
// and `tileTable`, and among its parameters `words` and `tileColumns`.

// Rows per cell: 2 if diagonals join and slices have whole cells, else 1.
override CELL: u32 = 1u;

// A tile has this many words across and this many cells down.
const COLUMNS = 4u;
const ROWS = 32u;

// The first pixels of the stretches of set bits in a word.
fn startsOf(word: u32) -> u32 {
  return word & ~(word << 1u);
}

// The word at (column, row); row r of the strip is row r + 1 of its bits.
fn wordAt(column: u32, row: u32) -> u32 {
  return bits[(row + 1u) * parameters.words + column];
}

// The union of the rows of the cell that a row lies in; `word` is that row's word. Only the last strip may have an odd
// number of rows. Its last cell then includes the halo below the strip, which is zeros.
fn cellOf(word: u32, column: u32, row: u32) -> u32 {
  if (CELL == 1u) { return word; }
  return word | wordAt(column, row ^ 1u);
}

fn cellAt(column: u32, row: u32) -> u32 {
  return cellOf(wordAt(column, row), column, row);
}

// The lowest segment of a cell: adding its lowest bit carries through it.
fn lowestSegment(cell: u32) -> u32 {
  return cell & ~(cell + (cell & (0u - cell)));
}

// The number of the segment that holds a bit; `starts` are the starts of the cell's segments.
fn segmentOf(starts: u32, bit: u32) -> u32 {
  // Bits up to and with the bit itself: 2 << 31 is 0, and 0 - 1 all ones.
  return countOneBits(starts & ((2u << bit) - 1u)) - 1u;
}

// The index of the first of the eight words that hold the segments of the cell at (column, row).
fn segmentsAt(column: u32, row: u32) -> u32 {
  return (row / CELL * parameters.words + column) * 8u;
}

// The tile's component of segment k of the cell whose segments begin at index `first`.
fn componentAt(first: u32, k: u32) -> u32 {
  return (segments[first + (k >> 1u)] >> ((k & 1u) * 16u)) & 0xffffu;
}

// The first node of the tile that (column, row) lies in.
fn firstNode(column: u32, row: u32) -> u32 {
  return tileTable[(row / CELL / ROWS) * parameters.tileColumns + column / COLUMNS].x;
}

// The node of segment k of the cell at (column, row).
fn node(column: u32, row: u32, k: u32) -> u32 {
  return firstNode(column, row) + componentAt(segmentsAt(column, row), k);
}
