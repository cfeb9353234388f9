# Renders small files whose headers have every legal form of place, size and unit, and what nibabel, pydicom, GDAL and tifffile say of them. Prints
# JSON: of each file its bytes, the sides of a pixel, their unit and the affine transform from indices to the world. Run by headers.test.ts
# through npm run goldens.
import base64, io, json, os, tempfile
import numpy as np, nibabel as nib, pydicom, tifffile
from osgeo import gdal, osr
from pydicom.dataset import FileDataset, FileMetaDataset
gdal.UseExceptions()
rng = np.random.default_rng(48)
out, folder = [], tempfile.mkdtemp()
DATA = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)  # z, y, x

def add(name, files, spacing, unit, affine):
    rows = None if affine is None else np.asarray(affine, float)[:3].tolist()
    out.append(dict(name=name, files={k: base64.b64encode(v).decode() for k, v in files.items()},
                    spacing=None if spacing is None else [float(s) for s in spacing], unit=unit, affine=rows))

def rotation():
    q = rng.normal(size=4); a, b, c, d = q / np.linalg.norm(q)
    return np.array([[a*a+b*b-c*c-d*d, 2*(b*c-a*d), 2*(b*d+a*c)], [2*(b*c+a*d), a*a+c*c-b*b-d*d, 2*(c*d-a*b)], [2*(b*d-a*c), 2*(c*d+a*b), a*a+d*d-b*b-c*c]])

# NIfTI: versions, orders of bytes, transforms, units, sides by pixdim or by the transform alone.
UNITS = {"mm": "mm", "micron": "\u00b5m", "meter": "m", "unknown": None}
for version in (1, 2):
    for end in "<>":
        for form in ("s", "q", "both", "none"):
            for unit in UNITS:
                kind = nib.Nifti1Header if version == 1 else nib.Nifti2Header
                h = kind(endianness=end); h.set_data_dtype(np.uint8); h.set_data_shape((4, 3, 2)); h.set_zooms((0.5, 0.75, 2))
                A = np.eye(4); A[:3, :3] = rotation() @ np.diag([0.5, 0.75, 2 * rng.choice([-1, 1])]); A[:3, 3] = np.round(rng.uniform(-90, 90, 3), 2)
                if form in ("q", "both"): h.set_qform(A, int(rng.integers(1, 5)))
                if form in ("s", "both"): h.set_sform(A if form == "s" else A @ np.diag([1, 1, 1, 1]), int(rng.integers(1, 5)))
                h.set_xyzt_units(unit if unit != "unknown" else 0, "sec")
                h["vox_offset"] = 352 if version == 1 else 544
                h["magic"] = h["magic"] if version == 2 else b"n+1"
                body = h.binaryblock + b"\0\0\0\0" + DATA.tobytes()
                zero = form == "s" and unit == "micron"
                if zero:
                    h["pixdim"][1:4] = 0; body = h.binaryblock + b"\0\0\0\0" + DATA.tobytes()
                best = h.get_best_affine() if form != "none" else None
                add(f"NIfTI-{version} {end} {form} {unit}", {"a.nii": body}, (0.5, 0.75, 2), UNITS[unit], best)

# DICOM: directions, sides, steps; in the world of NIfTI (x to the right, y to the front).
for i in range(12):
    R = rotation() if i > 2 else [np.eye(3), np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0.]]), np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0.]])][i]
    if np.linalg.det(R) < 0: R[:, 2] *= -1
    sides = np.round(rng.uniform(0.3, 3, 3), 3); first = np.round(rng.uniform(-100, 100, 3), 3)
    files = {}
    for k in range(2):
        m = FileMetaDataset(); m.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.4"; m.MediaStorageSOPInstanceUID = f"1.2.3.{k}"
        m.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian if i % 2 else pydicom.uid.ImplicitVRLittleEndian
        d = FileDataset("", {}, file_meta=m, preamble=b"\0" * 128); d.is_little_endian = True; d.is_implicit_VR = i % 2 == 0
        d.SOPClassUID = m.MediaStorageSOPClassUID; d.SOPInstanceUID = m.MediaStorageSOPInstanceUID; d.SeriesInstanceUID = "1.2.3"
        d.Rows, d.Columns, d.PixelSpacing = 3, 4, [sides[1], sides[0]]
        d.ImagePositionPatient = [float(f"{v:.6f}") for v in first + R[:, 2] * sides[2] * k]
        d.ImageOrientationPatient = [float(f"{v:.8f}") for v in [*R[:, 0], *R[:, 1]]]
        d.InstanceNumber, d.SamplesPerPixel, d.PhotometricInterpretation = k + 1, 1, "MONOCHROME2"
        d.BitsAllocated, d.BitsStored, d.HighBit, d.PixelRepresentation = 16, 16, 15, 0
        d.PixelData = DATA[k].astype("<u2").tobytes()
        f = io.BytesIO(); d.save_as(f, write_like_original=False); files[f"s/{1 - k if i == 5 else k}.dcm"] = f.getvalue()
    read = [pydicom.dcmread(io.BytesIO(b)) for b in files.values()]
    A = np.eye(4); w = np.array(read[0].ImageOrientationPatient, float)
    A[:3, 0] = w[:3] * sides[0]; A[:3, 1] = w[3:] * sides[1]
    A[:3, 2] = np.array(read[1].ImagePositionPatient, float) - np.array(read[0].ImagePositionPatient, float)
    A[:3, 3] = np.array(read[0].ImagePositionPatient, float)
    add(f"DICOM {i}", files, sides, "mm", np.diag([-1, -1, 1, 1.]) @ A)

# GeoTIFF: north up, mirrored, turned; corners and centres; metres, feet, degrees, no system.
for i, (gt, epsg) in enumerate([((500000, 10, 0, 5300000, 0, -10), 32633), ((500000, -10, 0, 5300000, 0, -10), 32633), ((500000, 10, 0, 5300000, 0, 10), 32633),
                                ((500000, 7, 3, 5300000, 3, -7), 32633), ((12, .5, 0, 48, 0, -.25), 4326), ((984000, 30, 0, 200000, 0, -30), 2263), ((1, 2, 0, 3, 0, -4), None)]):
    for point in (False, True):
        path = os.path.join(folder, f"{i}{point}.tif")
        t = gdal.GetDriverByName("GTiff").Create(path, 4, 3, 1, gdal.GDT_Byte); t.SetGeoTransform(gt)
        if epsg:
            s = osr.SpatialReference(); s.ImportFromEPSG(epsg); t.SetProjection(s.ExportToWkt())
        if point: t.SetMetadataItem("AREA_OR_POINT", "Point")
        t.GetRasterBand(1).WriteArray(DATA[0]); t = None
        g = gdal.Open(path).GetGeoTransform()
        A = np.eye(4); A[0] = [g[1], g[2], 0, g[0] + (g[1] + g[2]) / 2]; A[1] = [g[4], g[5], 0, g[3] + (g[4] + g[5]) / 2]
        metres = {32633: 1, 2263: 1200 / 3937}.get(epsg)
        sides = None if metres is None else [np.hypot(g[1], g[4]) * metres, np.hypot(g[2], g[5]) * metres]
        add(f"GeoTIFF {i} {point}", {"a.tif": open(path, "rb").read()}, sides, "m" if metres else None, A)

# OME-TIFF and ImageJ: units by their names, sides, positions.
SYMBOLS = {"\u00b5m": ("\u00b5m", 1), "nm": ("nm", 1), "mm": ("mm", 1), "cm": ("cm", 1), "m": ("m", 1), "\u00c5": ("\u00c5", 1), "in": ("in", 1), "ft": ("ft", 1), "pm": ("pm", 1)}
for unit in SYMBOLS:
    f = io.BytesIO(); at = [1.5, -2.25, 3.125]
    plane = {f"Position{a}": [at[k] + (z * 2 if a == "Z" else 0) for z in range(2)] for k, a in enumerate("XYZ")}
    plane |= {f"Position{a}Unit": [unit] * 2 for a in "XYZ"}
    meta = {"axes": "ZYX", "Plane": plane} | {f"PhysicalSize{a}": s for a, s in zip("XYZ", (0.5, 0.75, 2))} | {f"PhysicalSize{a}Unit": unit for a in "XYZ"}
    tifffile.imwrite(f, DATA, ome=True, photometric="minisblack", metadata=meta)
    A = np.diag([0.5, 0.75, 2, 1.]); A[:3, 3] = at
    add(f"OME {unit}", {"a.ome.tif": f.getvalue()}, (0.5, 0.75, 2), unit, A)
for unit, symbol in (("um", "\u00b5m"), ("micron", "\u00b5m"), ("\\u00B5m", "\u00b5m"), ("nm", "nm"), ("mm", "mm"), ("cm", "cm"), ("inch", "in"), ("pixel", None)):
    f = io.BytesIO()
    tifffile.imwrite(f, DATA, imagej=True, resolution=(2, 1 / 0.75), metadata={"axes": "ZYX", "unit": unit, "spacing": 2})
    add(f"ImageJ {unit}", {"a.tif": f.getvalue()}, None if symbol is None else (0.5, 0.75, 2), symbol, None)
print(json.dumps(out))
