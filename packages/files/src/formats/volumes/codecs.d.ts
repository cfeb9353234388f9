// The decoders of DICOM's codestreams have no types of their own.

declare module "@cornerstonejs/codec-libjpeg-turbo-8bit/decode" {
  const make: unknown;
  export default make;
}
declare module "@cornerstonejs/codec-charls/decode" {
  const make: unknown;
  export default make;
}
declare module "@cornerstonejs/codec-openjpeg/decode" {
  const make: unknown;
  export default make;
}
declare module "jpeg-lossless-decoder-js" {
  export class Decoder {
    readonly frame: { readonly dimX: number; readonly dimY: number; readonly numComp: number };
    decode(buffer: ArrayBuffer, offset: number, length: number, bytesOfComponent: number): Uint8Array | Uint16Array;
  }
  const bundled: { readonly Decoder: typeof Decoder } | undefined;
  export default bundled;
}
