# Reads files by established libraries for truth.mjs: one JSON request per line of stdin, one JSON answer per line of stdout.
# A request has kind, path and out. An answer lists for each library its name, shape, type and a file with the values as raw
# float64, or the error.
import json, os, sys, warnings
import numpy as np
warnings.filterwarnings("ignore")
os.environ.setdefault("CPL_LOG", "/dev/null")
try:
    from osgeo import gdal
    gdal.UseExceptions()
    gdal.SetConfigOption("GDAL_NUM_THREADS", "1")
    gdal.PushErrorHandler("CPLQuietErrorHandler")
except ImportError: gdal = None
try: import tifffile, logging; logging.getLogger("tifffile").setLevel(logging.CRITICAL)
except ImportError: tifffile = None
try: import nibabel
except ImportError: nibabel = None

def by_gdal(path, prefix=""):
    a = gdal.Open(prefix + path).ReadAsArray()
    return turned(a[..., None] if a.ndim == 2 else np.moveaxis(a, 0, 2), path)

def by_raw_gdal(path):
    """Without the conversion of ink and L*a*b* to RGBA."""
    return by_gdal(path, "GTIFF_RAW:")

def turned(a, path):
    """Applies the TIFF orientation, which GDAL does not: rows from the top, columns from the left."""
    if not tifffile or not path.lower().endswith((".tif", ".tiff")): return a
    with tifffile.TiffFile(path) as t:
        tag = t.pages[0].tags.get(274)
        o = int(tag.value) if tag else 1
    if o in (5, 6, 7, 8): a = np.swapaxes(a, 0, 1)
    if o in (2, 3, 6, 7): a = a[:, ::-1]
    if o in (3, 4, 7, 8): a = a[::-1]
    return a

def by_tifffile(path):
    with tifffile.TiffFile(path) as t:
        page = next((p for p in t.pages if not (p.subfiletype & 5)), t.pages[0])
        a = page.asarray()
        if a.ndim == 2: a = a[..., None]
        elif page.planarconfig == 2: a = np.moveaxis(a, 0, 2)
        return turned(a, path)

def by_nibabel(path):
    i = nibabel.load(path)
    a = np.asanyarray(i.dataobj)
    # Surfaces of FreeSurfer have all their points along the first axis.
    if a.shape[0] == 163842: a = a.reshape((27307, 1, 6) + a.shape[3:], order="F")
    a = a.reshape(a.shape + (1,) * (3 - a.ndim))
    return a[:, :, :, 0] if a.ndim == 4 else a

READERS = {"tiff": [("GDAL", gdal and by_gdal), ("GTIFF_RAW", gdal and by_raw_gdal), ("tifffile", tifffile and by_tifffile)], "nifti": [("nibabel", nibabel and by_nibabel)],
           "picture": [("GDAL", gdal and by_gdal)]}

for line in sys.stdin:
    request = json.loads(line)
    answers = []
    for name, read in READERS[request["kind"]]:
        if not read: continue
        try:
            a = read(request["path"])
            if a.dtype.kind == "c": raise ValueError("complex")
            if a.size > 2 ** 27: raise ValueError("too large to compare")
            out = f"{request['out']}.{name}"
            np.ascontiguousarray(a).astype("f8").tofile(out)
            answers.append(dict(name=name, shape=list(a.shape), type=str(a.dtype), out=out))
        except BaseException as error: answers.append(dict(name=name, error=str(error)[:200]))
    print(json.dumps(answers), flush=True)
