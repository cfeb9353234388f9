// Copies one channel of many, or their luma, to a plane.

import { U8, reduceRow, typeBytes } from "./image-luma";

/**
 * Writes channel `which` of `rows` rows, or with `which` = `channels` the luma, to `dst`, rows tight.
 * @param type pixel type, TYPE_CODE 0..5
 * @param channels channels of a pixel: 1, 3 or 4
 * @param which channel, or channels for luma
 * @param src pixels of the band, rows tight [0 .. rows * width * channels * typeBytes(type)]
 * @param rows rows in the band
 * @param width pixels of a row, >= 1
 * @param dst plane of one channel, the band's rows tight [0 .. which === channels && channels === 1 ? 0 : rows * width * typeBytes(type)]
 */
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
