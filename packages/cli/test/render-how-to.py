# Inputs of the how-tos, small and rendered, and what scikit-image, GDAL and nibabel make of them. Prints JSON; run by how-to.test.ts through
# npm run goldens.
import base64, io, json, os, sys, tempfile
import nibabel, numpy as np, tifffile
from osgeo import gdal, osr
from skimage import filters, measure
gdal.UseExceptions()
folder = tempfile.mkdtemp()
rng = np.random.default_rng(11)
files, expected = {}, {}
def keep(name, path=None, data=None): files[name] = base64.b64encode(data if data is not None else open(path, "rb").read()).decode()

def discs(shape, count, radius, low=20, high=180):
    a = np.full(shape, low, "f8"); y, x = np.mgrid[:shape[0], :shape[1]]
    for cy, cx in rng.uniform(radius + 1, np.array(shape) - radius - 1, (count, 2)): a[(y - cy) ** 2 + (x - cx) ** 2 <= radius ** 2] = high
    return np.clip(a + rng.normal(0, 4, shape), 0, 255).astype("u1")

# Nuclei and a marker: two channels of ImageJ, 0.25 um a pixel.
nuclei, marker = discs((120, 150), 14, 8), rng.integers(0, 250, (120, 150)).astype("u1")
f = io.BytesIO(); tifffile.imwrite(f, np.stack([nuclei, marker]), imagej=True, resolution=(4.0, 4.0), metadata={"axes": "CYX", "unit": "um"})
keep("nuclei.tif", data=f.getvalue())
labels = measure.label(nuclei > filters.threshold_otsu(nuclei), connectivity=1)
expected["nuclei"] = [[r.area * 0.0625, float(marker[labels == r.label].mean())] for r in measure.regionprops(labels)]

# Land cover as a Cloud Optimized GeoTIFF with overviews.
srs = osr.SpatialReference(); srs.ImportFromEPSG(32633)
def geotiff(name, a, kind, options=(), nodata=None, cog=False):
    path = os.path.join(folder, "g.tif"); h, w = a.shape
    d = gdal.GetDriverByName("GTiff").Create(path, w, h, 1, kind, list(options)); d.SetGeoTransform((500000, 20, 0, 5100000, 0, -20)); d.SetProjection(srs.ExportToWkt())
    if nodata is not None: d.GetRasterBand(1).SetNoDataValue(nodata)
    d.GetRasterBand(1).WriteArray(a); d = None
    if cog: gdal.Translate(os.path.join(folder, "c.tif"), path, format="COG", creationOptions=["BLOCKSIZE=128", "COMPRESS=DEFLATE"]); path = os.path.join(folder, "c.tif")
    keep(name, path)
cover = np.kron(rng.integers(1, 6, (9, 11)), np.ones((20, 20))).astype("u1")
geotiff("landcover.tif", cover, gdal.GDT_Byte, cog=True)
expected["landcover"] = {int(v): float((cover == v).sum() * 400) for v in np.unique(cover)}

# A height model with pits, one of which reaches the border, and a corner that was not measured.
y, x = np.mgrid[:90, :110]
dem = 40 + 0.05 * x + rng.normal(0, 0.2, (90, 110))
for cy, cx, r, d in [(25, 30, 12, 9), (60, 70, 16, 14), (45, 108, 10, 12), (75, 20, 6, 5)]: dem -= d * np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / r ** 2)
dem[:10, :10] = -9999
dem = dem.astype("f4")
geotiff("dem.tif", dem, gdal.GDT_Float32, ["COMPRESS=DEFLATE", "PREDICTOR=3"], -9999)
low = (dem < 38) & (dem != -9999)
labels = measure.label(low, connectivity=2)
edge = set(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
expected["dem"] = [[float(r.area * 400), float(dem[labels == r.label].min())] for r in measure.regionprops(labels) if r.label not in edge and r.area >= 25]

# A hyperstack: two channels, six slices, three times.
stack = np.stack([[[discs((40, 50), 4, 6) for c in range(2)] for z in range(6)] for t in range(3)])
f = io.BytesIO(); tifffile.imwrite(f, stack, imagej=True, resolution=(2.0, 2.0), metadata={"axes": "TZCYX", "unit": "um", "spacing": 1.5, "finterval": 10})
keep("hyperstack.tif", data=f.getvalue())
one = stack[2, :, 1]
labels = measure.label(one > filters.threshold_otsu(one), connectivity=3)
expected["hyperstack"] = [float(r.area * 0.5 * 0.5 * 1.5) for r in measure.regionprops(labels)]

# Organs of a scan, numbered.
affine = np.array([[0, -1.2, 0, 10], [1.1, 0, 0, -20], [0, 0, 2.5, 5], [0, 0, 0, 1.0]])
organs = np.zeros((24, 30, 20), "u1"); organs[3:10, 4:12, 3:9] = 1; organs[12:20, 10:25, 5:16] = 2; organs[2, 2, 2] = 2
scan = rng.integers(-200, 900, organs.shape).astype("i2")
for name, a in [("organs.nii.gz", organs), ("scan.nii.gz", scan)]:
    image = nibabel.Nifti1Image(a, affine); image.header.set_xyzt_units("mm")
    nibabel.save(image, os.path.join(folder, name)); keep(name, os.path.join(folder, name))
organ = organs == 2; organ[2, 2, 2] = False
expected["organ"] = dict(volume=float(organ.sum() * 1.1 * 1.2 * 2.5), mean=float(scan[organ].mean()), affine=affine[:3].ravel().tolist())

# Photographs, one of them broken.
rows = []
for i in range(5):
    a = discs((60, 80), 5, 6)
    path = os.path.join(folder, "p.png"); d = gdal.GetDriverByName("MEM").Create("", 80, 60, 1); d.GetRasterBand(1).WriteArray(a); gdal.GetDriverByName("PNG").CreateCopy(path, d)
    data = open(path, "rb").read(); keep(f"photos/p{i + 1}.png", data=data[:200] if i == 3 else data)
    if i != 3: rows += [[f"photos/p{i + 1}.png", int(r.area)] for r in measure.regionprops(measure.label(a > filters.threshold_otsu(a), connectivity=1))]
expected["photos"] = rows
sys.stdout.write(json.dumps(dict(files=files, expected=expected)))
