// One channel of many, or their luma, as a plane of its own.

import { U8, reduceRow, typeBytes } from "./luma";

/** Writes channel `which` of `rows` rows, or with `which` = `channels` the luma, to `dst`, rows tight. */
export function channelRows(type: u32, channels: u32, which: u32, src: usize, rows: u32, width: u32, dst: usize): void {
  const size = typeBytes(type);
  const pitch = <usize>width * size;
  for (let y: u32 = 0; y < rows; y++) {
    if (which == channels) {
      reduceRow(type, channels, src, width, false, dst);
    } else {
      let from = src + which * size;
      const step = channels * size;
      for (let to = dst, end = dst + pitch; to < end; to += size) {
        if (type == U8) store<u8>(to, load<u8>(from));
        else if (size == 2) store<u16>(to, load<u16>(from));
        else store<u32>(to, load<u32>(from));
        from += step;
      }
    }
    src += pitch * channels;
    dst += pitch;
  }
}
