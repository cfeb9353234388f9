// Colours pixels: by the colour of each pixel's class, or with one colour over the pixels of a mask.

import { F32, I16, I32, U16, U32, U8, typeBytes } from "./image-luma";

/**
 * Writes the colour of each pixel's class.
 * @param channels channels of a colour: 1, 3 or 4
 * @param classes u8 per pixel: its class [0 .. pixels]
 * @param pixels pixels of the band
 * @param colours 4 bytes per class, of which the first `channels` are used [0 .. 1024]
 * @param dst u8 per channel, pixels tight [0 .. pixels * channels]
 */
export function recolourRows(channels: u32, classes: usize, pixels: u32, colours: usize, dst: usize): void {
  for (let end = classes + pixels; classes < end; classes++) {
    const colour = load<u32>(colours + (<usize>load<u8>(classes) << 2));
    if (channels == 4) store<u32>(dst, colour);
    else {
      store<u8>(dst, <u8>colour);
      if (channels == 3) {
        store<u8>(dst + 1, <u8>(colour >> 8));
        store<u8>(dst + 2, <u8>(colour >> 16));
      }
    }
    dst += channels;
  }
}

/** Arguments of {@link paintRows}. */
// @ts-ignore: decorator
@unmanaged
export class PaintRowsCall {
  /** Pixel type, TYPE_CODE 0..5. */
  type: u32;
  /** Channels of a pixel. */
  channels: u32;
  /** Pixels of the band, rows tight; painted in place. [0 .. rows * width * channels * typeBytes(type)] */
  pixels: usize;
  /** Rows in the band. */
  rows: u32;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Bit per pixel, rows in whole u64 words; bits past the width are 0. [0 .. rows * Math.ceil(width / 64) * 8] */
  mask: usize;
  /** f64 per painted channel. [0 .. painted * 8] */
  colour: usize;
  /** Channels that are painted, the first ones. */
  painted: u32;
  /** 0 to 1. */
  opacity: f64;
}

/** Blends a colour into the pixels of a mask: old + opacity (colour - old). */
export function paintRows(call: PaintRowsCall): void {
  const type = call.type;
  if (type == U8) paint<u8>(call, 0, 255);
  else if (type == U16) paint<u16>(call, 0, 65535);
  else if (type == I16) paint<i16>(call, -32768, 32767);
  else if (type == U32) paint<u32>(call, 0, 4294967295);
  else if (type == I32) paint<i32>(call, -2147483648, 2147483647);
  else if (type == F32) paint<f32>(call, 0, 0);
}

// @ts-ignore: decorator
@inline
function paint<T>(call: PaintRowsCall, least: f64, most: f64): void {
  const pitch = <usize>call.width * call.channels * typeBytes(call.type);
  const words = (call.width + 63) >> 6;
  let row = call.pixels;
  let mask = call.mask;
  for (let y: u32 = 0; y < call.rows; y++) {
    for (let w: u32 = 0; w < words; w++) {
      const place = row + <usize>(w << 6) * call.channels * sizeof<T>();
      for (let bits = load<u64>(mask); bits != 0; bits &= bits - 1) {
        const at = place + <usize>ctz(bits) * call.channels * sizeof<T>();
        for (let c: u32 = 0; c < call.painted; c++) {
          const value = load<f64>(call.colour + (c << 3));
          const to = at + <usize>c * sizeof<T>();
          const old = <f64>load<T>(to);
          const mixed = old + call.opacity * (value - old);
          // At full opacity a float is the colour itself, without the rounding of the sum.
          if (isFloat<T>()) store<T>(to, <T>(call.opacity == 1 ? value : mixed));
          else store<T>(to, <T>min(most, max(least, Math.floor(mixed + 0.5))));
        }
      }
      mask += 8;
    }
    row += pitch;
  }
}
