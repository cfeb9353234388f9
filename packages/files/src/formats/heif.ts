// Kinds of HEIF, the container of AVIF and HEIC, by their brand.

/** Whether the first bytes of a file are those of HEIC, whose pictures are packed by HEVC. */
export const isHeic = (start: Uint8Array): boolean =>
  /^ftyphe[iv][cmsx]$/.test(String.fromCharCode(...start.subarray(4, 12)));
