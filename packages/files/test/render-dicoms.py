# Renders small DICOM files whose frames are packed as JPEG, lossless JPEG, JPEG-LS and JPEG 2000 by GDCM and pydicom, of 8, 12 and 16 bits, signed and not,
# of one frame and of several, and the values that were packed or, where values are lost, those that pylibjpeg and GDCM unpack. Prints JSON. Run by
# dicoms.test.ts through npm run goldens.
import base64, json, os, tempfile
import gdcm, numpy as np, pydicom
from pydicom.dataset import FileDataset, FileMetaDataset
rng = np.random.default_rng(541)
out, root = [], tempfile.mkdtemp()
J = "1.2.840.10008.1.2.4."
KINDS = {"50": "JPEG", "51": "JPEG", "57": "lossless JPEG", "70": "lossless JPEG", "80": "JPEG-LS", "81": "JPEG-LS", "90": "JPEG 2000", "91": "JPEG 2000"}

def frames(count, bits, signed):
    y, x = np.mgrid[:19, :22]
    top = 2 ** bits - 1
    waves = [(np.sin(x / 5 + k) * np.cos(y / 7 - k) + 1) / 2 * top * 0.9 for k in range(count)]
    values = np.clip(np.round(np.array(waves) + rng.normal(size=(count, 19, 22)) * top * 0.01), 0, top).astype(np.int64)
    if signed: values -= 2 ** (bits - 1)
    return values.astype(("i" if signed else "u") + ("1" if bits == 8 else "2"))

def plain(values, bits, signed):
    meta = FileMetaDataset(); meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    many = len(values) > 1
    meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.2.1" if many else "1.2.840.10008.5.1.4.1.1.2"; meta.MediaStorageSOPInstanceUID = "1.2.3.4"
    d = FileDataset("", {}, file_meta=meta, preamble=b"\0" * 128)
    d.SOPClassUID, d.SOPInstanceUID, d.SeriesInstanceUID, d.StudyInstanceUID, d.Modality = meta.MediaStorageSOPClassUID, "1.2.3.4", "1.2.3", "1.2", "CT"
    d.Rows, d.Columns, d.SamplesPerPixel, d.PhotometricInterpretation = 19, 22, 1, "MONOCHROME2"
    d.BitsAllocated, d.BitsStored, d.HighBit, d.PixelRepresentation = 8 if bits == 8 else 16, bits, bits - 1, int(signed)
    if many: d.NumberOfFrames = len(values)
    d.RescaleSlope, d.RescaleIntercept = 1, -100
    d.PixelData = values.tobytes(); d["PixelData"].VR = "OW"
    path = os.path.join(root, "plain.dcm"); d.save_as(path, enforce_file_format=True)
    return path

def by_gdcm(path, syntax, to):
    reader = gdcm.ImageReader(); reader.SetFileName(path); assert reader.Read()
    change = gdcm.ImageChangeTransferSyntax(); change.SetTransferSyntax(gdcm.TransferSyntax(gdcm.TransferSyntax.GetTSType(syntax))); change.SetInput(reader.GetImage())
    if not change.Change(): return False
    writer = gdcm.ImageWriter(); writer.SetFile(reader.GetFile()); writer.SetImage(change.GetOutput()); writer.SetFileName(to)
    return writer.Write()

for end, name in KINDS.items():
    for bits, signed, count in ((8, False, 1), (8, False, 3), (12, False, 1), (12, True, 2), (16, False, 1), (16, True, 1)):
        if end in ("50", "51") and bits > 8: continue
        values = frames(count, bits, signed); path = plain(values, bits, signed)
        for writer in ("GDCM", "pydicom"):
            to = os.path.join(root, "packed.dcm")
            if os.path.exists(to): os.remove(to)
            try:
                if writer == "GDCM":
                    if not by_gdcm(path, J + end, to): continue
                else:
                    d = pydicom.dcmread(path); options = {"80": {}, "81": dict(jls_error=2), "90": {}, "91": dict(j2k_psnr=[60])}.get(end)
                    if options is None: continue
                    d.compress(J + end, generate_instance_uid=False, **options); d.save_as(to)
            except Exception as error:
                continue
            d = pydicom.dcmread(to)
            lossy = d.get("LossyImageCompression") == "01" or end in ("50", "51", "81", "91")
            got = d.pixel_array.reshape(values.shape).astype(np.int64)
            if not lossy: assert np.array_equal(got, values), (name, bits, signed)
            shared = d.get("SharedFunctionalGroupsSequence"); inner = shared[0].get("PixelValueTransformationSequence") if shared else None
            intercept = float((inner[0] if inner else d).get("RescaleIntercept", 0)); slope = float((inner[0] if inner else d).get("RescaleSlope", 1))
            out.append(dict(name=f"{name} {end} of {bits} bits{' signed' if signed else ''}, {count}, {writer}", kind=name, lossy=end in ("50", "51") or d.get("LossyImageCompression") == "01", jpeg=end in ("50", "51"),
                            file=base64.b64encode(open(to, "rb").read()).decode(), shape=list(values.shape), values=(got * slope + intercept).ravel().tolist()))
# Codestreams in several fragments with no table, with a table of 64 bits, and frames in one place; signed values of 8 bits.
from pydicom.encaps import encapsulate, encapsulate_extended, fragment_frame, itemize_fragment
def more(name, kind, values, bits, signed, pack):
    path = plain(values, bits, signed); d = pydicom.dcmread(path)
    if kind == "90":
        assert by_gdcm(path, J + kind, os.path.join(root, "more.dcm")); d = pydicom.dcmread(os.path.join(root, "more.dcm"))
        if len(values) > 1: d.RescaleSlope, d.RescaleIntercept = 1, -100; d.pop("SharedFunctionalGroupsSequence", None); d.pop("PerFrameFunctionalGroupsSequence", None)
    elif kind: d.compress(J + kind, generate_instance_uid=False)
    pack(d); to = os.path.join(root, "more.dcm"); d.save_as(to)
    out.append(dict(name=name, kind=KINDS[kind] if kind else "none", lossy=False, jpeg=False, file=base64.b64encode(open(to, "rb").read()).decode(),
                    shape=list(values.shape), values=(values.astype(np.int64) - 100).ravel().tolist()))
def packed(d): return list(pydicom.encaps.generate_frames(d.PixelData, number_of_frames=int(d.get("NumberOfFrames", 1))))
def split(d):
    d.PixelData = b"\xfe\xff\x00\xe0\0\0\0\0" + b"".join(itemize_fragment(f) for frame in packed(d) for f in fragment_frame(frame, 3)); d["PixelData"].is_undefined_length = True
def extended(d):
    d.PixelData, d.ExtendedOffsetTable, d.ExtendedOffsetTableLengths = encapsulate_extended(packed(d)); d["PixelData"].is_undefined_length = True
def still(d): d.ImagePositionPatient, d.ImageOrientationPatient, d.SpacingBetweenSlices = [1, 2, 3], [1, 0, 0, 0, 1, 0], 2
for kind in ("80", "90"):
    more(f"{KINDS[kind]} in fragments", kind, frames(3, 12, False), 12, False, split)
    more(f"{KINDS[kind]} with a table of 64 bits", kind, frames(3, 12, False), 12, False, extended)
more("frames in one place", None, frames(3, 12, False), 12, False, still)
more("JPEG-LS of 8 bits signed", "80", frames(1, 8, True), 8, True, lambda d: None)
more("JPEG 2000 of 8 bits signed", "90", frames(1, 8, True), 8, True, lambda d: None)
print(json.dumps(out))
