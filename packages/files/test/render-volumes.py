# Renders small volumes and images in the formats of Slicer, ITK, FreeSurfer, SPM and DICOM, written by SimpleITK, pynrrd, nibabel and pydicom in every form that
# they write, and what these libraries read from them. Prints JSON: of each file its bytes, what is taken of it, the sides of a pixel, their
# unit, the affine transform to the world of NIfTI, and the values. Run by volumes.test.ts through npm run goldens.
import base64, json, os, shutil, sys, tempfile
import numpy as np, nibabel as nib, nrrd, pydicom, SimpleITK as sitk
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.sequence import Sequence
rng = np.random.default_rng(54)
out, root = [], tempfile.mkdtemp()
LPS = np.diag([-1.0, -1.0, 1.0, 1.0])

def files_in(folder):
    return {n: base64.b64encode(open(os.path.join(folder, n), "rb").read()).decode() for n in sorted(os.listdir(folder))}

def add(name, folder, first, values, spacing, unit, affine, **taken):
    v = np.asarray(values, np.float64)
    out.append(dict(name=name, files=files_in(folder), first=first, taken=taken, shape=list(v.shape), values=v.ravel().tolist(),
                    spacing=None if spacing is None else [float(s) for s in spacing], unit=unit,
                    affine=None if affine is None else np.asarray(affine, float)[:3].tolist()))

def fresh():
    return tempfile.mkdtemp(dir=root)

def rotation():
    a, b, c, d = (lambda q: q / np.linalg.norm(q))(rng.normal(size=4))
    return np.array([[a*a+b*b-c*c-d*d, 2*(b*c-a*d), 2*(b*d+a*c)], [2*(b*c+a*d), a*a+c*c-b*b-d*d, 2*(c*d-a*b)], [2*(b*d-a*c), 2*(c*d+a*b), a*a+d*d-b*b-c*c]])

def affine_of(image):
    D = np.array(image.GetDirection()).reshape(3, 3); A = np.eye(4)
    A[:3, :3] = D @ np.diag(image.GetSpacing()); A[:3, 3] = image.GetOrigin()
    return LPS @ A

def data(shape, dtype):
    info = np.iinfo(dtype) if np.issubdtype(dtype, np.integer) else None
    if info is None: return np.round(rng.normal(size=shape) * 100, 2).astype(dtype)
    low, high = max(info.min, -2**31), min(info.max, 2**31 - 1)
    return rng.integers(low, high, shape, dtype=np.int64, endpoint=True).astype(dtype)

# SimpleITK: types, packed or not, data in a file of its own, two to four axes, several values.
for ending, header in ((".mha", None), (".mhd", "raw"), (".nrrd", None), (".nhdr", "raw")):
    for dtype in (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.float32, np.float64, np.int64):
        for packed in (False, True):
            if packed and dtype not in (np.uint16, np.float32): continue
            image = sitk.GetImageFromArray(data((2, 3, 4), dtype))
            image.SetSpacing([0.5, 0.75, 2.25]); image.SetOrigin([float(v) for v in np.round(rng.uniform(-90, 90, 3), 2)])
            image.SetDirection(rotation().ravel().tolist())
            d = fresh(); path = os.path.join(d, "a" + ending); sitk.WriteImage(image, path, packed)
            back = sitk.ReadImage(path)
            add(f"{ending} {np.dtype(dtype).name}{' packed' if packed else ''}", d, "a" + ending, sitk.GetArrayFromImage(back), back.GetSpacing(), "mm", affine_of(back))
    image = sitk.GetImageFromArray(data((5, 7), np.uint8)); image.SetSpacing([0.25, 0.5]); image.SetOrigin([3, 4])
    d = fresh(); path = os.path.join(d, "a" + ending); sitk.WriteImage(image, path)
    add(f"{ending} image", d, "a" + ending, sitk.GetArrayFromImage(sitk.ReadImage(path)), [0.25, 0.5], "mm" if ending in (".mha", ".mhd") else None, None)
    vector = sitk.GetImageFromArray(data((2, 3, 4, 3), np.int16), isVector=True); vector.SetSpacing([1, 2, 3])
    d = fresh(); path = os.path.join(d, "a" + ending); sitk.WriteImage(vector, path)
    back = sitk.GetArrayFromImage(sitk.ReadImage(path))
    for c in (0, 2): add(f"{ending} channel {c}", d, "a" + ending, back[..., c], [1, 2, 3], "mm", affine_of(vector), channel=c)
    four = sitk.JoinSeries([sitk.GetImageFromArray(data((2, 3, 4), np.uint16)) for _ in range(3)], 0.0, 1.0)
    d = fresh(); path = os.path.join(d, "a" + ending); sitk.WriteImage(four, path, True)
    back = sitk.GetArrayFromImage(sitk.ReadImage(path))
    for t in (0, 2): add(f"{ending} time {t}", d, "a" + ending, back[t], None, None, None, time=t)

# pynrrd: encodings, orders of bytes, spaces, sides without a place, units, an axis of values before and of images behind.
V = data((4, 3, 2), np.int16)
def put(name, array, header, spacing, unit, affine, values=None, detached=None, index_order="F", **taken):
    d = fresh(); path = os.path.join(d, "a.nhdr" if detached else "a.nrrd")
    nrrd.write(path, array, header, detached_header=bool(detached), index_order=index_order)
    back, _ = nrrd.read(path)
    chosen = back if values is None else values(back)
    add(name, d, os.path.basename(path), chosen.transpose(), spacing, unit, affine, **taken)
for encoding in ("raw", "gzip", "ascii"):
    put(f"NRRD {encoding}", V, dict(encoding=encoding, spacings=[0.5, 0.75, 2.25]), [0.5, 0.75, 2.25], None, None)
    put(f"NRRD {encoding} detached", V, dict(encoding=encoding, spacings=[0.5, 0.75, 2.25], units=["um"] * 3), [0.5, 0.75, 2.25], "\u00b5m", None, detached=True)
put("NRRD big", V.astype(">i2"), dict(encoding="raw", endian="big"), None, None, None)
put("NRRD float ascii", np.round(rng.normal(size=(4, 3, 2)), 4).astype(np.float32), dict(encoding="ascii"), None, None, None)
for space, signs in (("right-anterior-superior", (1, 1)), ("LAS", (-1, 1)), ("left-posterior-superior", (-1, -1))):
    R = rotation() @ np.diag([0.5, 0.75, 2.25]); origin = np.round(rng.uniform(-90, 90, 3), 3)
    A = np.eye(4); A[:3, :3] = R; A[:3, 3] = origin
    h = {"space": space, "space directions": R.T, "space origin": origin}
    put(f"NRRD {space}", V, h, [0.5, 0.75, 2.25], "mm", np.diag([*signs, 1.0, 1.0]) @ A)
    put(f"NRRD {space} um", V, {**h, "space units": ["um"] * 3}, [0.5, 0.75, 2.25], "\u00b5m", np.diag([*signs, 1.0, 1.0]) @ A)
    W = data((3, 4, 3, 2), np.int16)
    put(f"NRRD {space} values before", W, {**h, "space directions": np.vstack([[np.nan] * 3, R.T]), "kinds": ["vector", "domain", "domain", "domain"]}, [0.5, 0.75, 2.25], "mm", np.diag([*signs, 1.0, 1.0]) @ A, lambda a: a[1], channel=1)
    W = data((4, 3, 2, 3), np.uint8)
    put(f"NRRD {space} images behind", W, {**h, "space directions": np.vstack([R.T, [np.nan] * 3]), "kinds": ["domain", "domain", "domain", "list"]}, [0.5, 0.75, 2.25], "mm", np.diag([*signs, 1.0, 1.0]) @ A, lambda a: a[..., 2], time=2)

# nibabel: FreeSurfer's types with and without gzip, pairs of NIfTI, and Analyze.
for dtype in (np.uint8, np.int16, np.int32, np.float32):
    for ending in (".mgh", ".mgz"):
        A = np.eye(4); A[:3, :3] = rotation() @ np.diag([0.5, 0.75, 2.25]); A[:3, 3] = np.round(rng.uniform(-90, 90, 3), 2)
        d = fresh(); path = os.path.join(d, "a" + ending)
        nib.save(nib.MGHImage(data((4, 3, 2), dtype), A), path); back = nib.load(path)
        add(f"MGH {ending} {np.dtype(dtype).name}", d, "a" + ending, np.asanyarray(back.dataobj).T, back.header.get_zooms()[:3], "mm", back.affine)
W = data((4, 3, 2, 3), np.float32); d = fresh(); path = os.path.join(d, "a.mgz"); nib.save(nib.MGHImage(W, np.eye(4)), path)
add("MGH time 1", d, "a.mgz", W[..., 1].T, [1, 1, 1], "mm", nib.load(path).affine, time=1)
W = data((4, 3, 2, 1, 3), np.int16); d = fresh(); path = os.path.join(d, "a.nii.gz"); nib.save(nib.Nifti1Image(W, np.eye(4)), path)
for c in (0, 2): add(f"NIfTI channel {c}", d, "a.nii.gz", W[..., 0, c].T, [1, 1, 1], None, None, channel=c)
for ending in (".img", ".img.gz"):
    A = np.eye(4); A[:3, :3] = rotation() @ np.diag([0.5, 0.75, 2.25])
    d = fresh(); path = os.path.join(d, "a" + ending); pair = nib.Nifti1Pair(V, A); pair.header.set_xyzt_units("mm"); nib.save(pair, path); back = nib.load(path)
    for first in ("a" + ending, "a.hdr" if ending == ".img" else "a.hdr.gz"):
        add(f"NIfTI pair {first}", d, first, np.asanyarray(back.dataobj).T, [0.5, 0.75, 2.25], "mm", back.affine)
for end in "<>":
    h = nib.AnalyzeHeader(endianness=end); h.set_data_dtype(np.int16); h.set_data_shape((4, 3, 2)); h.set_zooms((0.5, 0.75, 2.25))
    d = fresh(); open(os.path.join(d, "a.hdr"), "wb").write(h.binaryblock); open(os.path.join(d, "a.img"), "wb").write(V.astype(end + "i2").tobytes(order="F"))
    for first in ("a.hdr", "a.img"): add(f"Analyze {end} {first}", d, first, V.T, [0.5, 0.75, 2.25], "mm", None)
# DICOM in one file: a frame, frames with a place of their own, run lengths. Values and places as pydicom wrote them.
def dicom(name, frames, signed=False, bits=16, stored=None, packed=False, placed=True, scaled=None):
    meta = FileMetaDataset(); meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    many = frames.ndim == 3
    meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.2.1" if many else "1.2.840.10008.5.1.4.1.1.2"; meta.MediaStorageSOPInstanceUID = "1.2.3.4"
    d = FileDataset("", {}, file_meta=meta, preamble=b"\0" * 128)
    d.SOPClassUID, d.SOPInstanceUID, d.SeriesInstanceUID, d.StudyInstanceUID, d.Modality = meta.MediaStorageSOPClassUID, "1.2.3.4", "1.2.3", "1.2", "CT"
    d.Rows, d.Columns, d.SamplesPerPixel, d.PhotometricInterpretation = *frames.shape[-2:], 1, "MONOCHROME2"
    d.BitsAllocated, d.BitsStored, d.HighBit, d.PixelRepresentation = bits, stored or bits, (stored or bits) - 1, int(signed)
    R = rotation(); R[:, 2] = np.cross(R[:, 0], R[:, 1]); sides = [0.5, 0.75, 2.25]; first = np.round(rng.uniform(-90, 90, 3), 2)
    direction = [float(f"{v:.8f}") for v in [*R[:, 0], *R[:, 1]]]; position = lambda k: [float(f"{v:.6f}") for v in first + R[:, 2] * sides[2] * k]
    if not many: d.PixelSpacing, d.ImagePositionPatient, d.ImageOrientationPatient, d.InstanceNumber = [sides[1], sides[0]], position(0), direction, 1
    else:
        d.NumberOfFrames = len(frames); shared, m, o, t = Dataset(), Dataset(), Dataset(), Dataset()
        if placed:
            m.PixelSpacing, m.SliceThickness = [sides[1], sides[0]], sides[2]; shared.PixelMeasuresSequence = Sequence([m])
            o.ImageOrientationPatient = direction; shared.PlaneOrientationSequence = Sequence([o])
            if scaled: t.RescaleSlope, t.RescaleIntercept, t.RescaleType = *scaled, "HU"; shared.PixelValueTransformationSequence = Sequence([t])
            d.SharedFunctionalGroupsSequence = Sequence([shared]); each = []
            for k in range(len(frames)):
                g, q = Dataset(), Dataset(); q.ImagePositionPatient = position(k); g.PlanePositionSequence = Sequence([q]); each.append(g)
            d.PerFrameFunctionalGroupsSequence = Sequence(each)
    d.PixelData = frames.tobytes(); d["PixelData"].VR = "OW"
    if packed: d.compress(pydicom.uid.RLELossless, generate_instance_uid=False)
    f = fresh(); path = os.path.join(f, "a.dcm"); d.save_as(path, enforce_file_format=True)
    A = np.eye(4); A[:3, :3] = R @ np.diag(sides if many else [*sides[:2], 1]); A[:3, 3] = first
    add(name, f, "a.dcm", frames * (scaled[0] if scaled else 1.0) + (scaled[1] if scaled else 0), (sides if many else sides[:2]) if placed else None, "mm" if placed else None, LPS @ A if placed else None)
for packed in (False, True):
    end = " of run lengths" if packed else ""
    dicom("DICOM frame" + end, data((5, 7), np.uint16), packed=packed)
    dicom("DICOM frame of 8 bits" + end, data((5, 7), np.uint8), bits=8, packed=packed)
    dicom("DICOM frame of 12 bits" + end, rng.integers(0, 4096, (5, 7)).astype(np.uint16), stored=12, packed=packed)
    dicom("DICOM frames" + end, data((3, 5, 7), np.int16), signed=True, packed=packed)
    dicom("DICOM frames with a scale" + end, data((3, 5, 7), np.uint16), packed=packed, scaled=(0.5, -1024))
    dicom("DICOM frames without a place" + end, data((3, 5, 7), np.uint8), bits=8, packed=packed, placed=False)
for slope in (0.5, 2):
    d = fresh(); path = os.path.join(d, "a.hdr"); spm = nib.Spm99AnalyzeImage(V, None); spm.header["scl_slope"] = slope
    h = spm.header.copy(); open(path, "wb").write(h.binaryblock); open(os.path.join(d, "a.img"), "wb").write(V.astype("<i2").tobytes(order="F"))
    add(f"Analyze of SPM {slope}", d, "a.hdr", np.asarray(nib.Spm99AnalyzeImage.from_filename(path).dataobj).T, [1, 1, 1], "mm", None)
shutil.rmtree(root)
print(json.dumps(out))
