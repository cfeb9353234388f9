// OME-Zarr as a file, so that work on it is kept and opened again as that on any other file is: an address whose values are read on demand,
// or the files of a folder (folder.ts).

/** The type of a folder as one file: the length of its index, the index as JSON, then the files. */
export const FOLDER_TYPE = "application/x-skerry-folder";
/** The type of an address as a file. */
export const ADDRESS_TYPE = "application/x-skerry-address";

/** Whether an address is that of OME-Zarr, which is a folder of many values. */
export const isStoreAddress = ({ pathname }: URL): boolean => /\.zarr(\/|$)/i.test(pathname);

/** An address as a file. */
export const addressFile = (address: string): Blob => new Blob([address], { type: ADDRESS_TYPE });
