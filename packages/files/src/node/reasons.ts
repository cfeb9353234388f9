// Texts for the reasons of errors: of the system about files, and of decoders.

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would pass the size limit of this process",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
  EADDRINUSE: "another program uses it",
  ELOOP: "its links lead back to themselves",
  ECONNREFUSED: "no server answers there",
  ECONNRESET: "the connection was lost",
};

/** The reason of a system error, as a clause of a sentence. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && REASONS[code]) || firstLine(message ?? String(error));
}

/** The first line of a message, without the full stop, which our sentences add. */
export function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").trim().replace(/\.$/, "");
}

/** Reasons of decoders' errors, in our words. */
export function pictureReason(message: string): string {
  if (/unsupported image format/i.test(message)) {
    return "it is no PNG, JPEG, WebP, GIF, AVIF, TIFF, PGM, .npy or NIfTI file; values without a header need --shape";
  }
  if (/compression|not configured/i.test(message)) {
    return "its compression is not read; save it uncompressed, or with LZW or Deflate";
  }
  if (/memory|too large|exceeds|limit/i.test(message)) return "it does not fit memory when decoded";
  return "it is damaged or cut off";
}
