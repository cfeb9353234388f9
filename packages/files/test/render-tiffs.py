# Renders small TIFFs by GDAL, tifffile and libtiff's tiffcp: types, bits, compressions, layouts, orders of bytes, pages. Prints JSON: of
# each file its bytes, how to read it, and the values that were written. Run by tiff.test.ts through npm run goldens.
import base64, io, json, os, struct, subprocess, sys, tempfile, zlib
import numpy as np, tifffile
from osgeo import gdal
gdal.UseExceptions()
out, folder = [], tempfile.mkdtemp()
rng = np.random.default_rng(5)
H, W = 20, 30

def add(name, data, values, read=None, within=0):
    """values: pages x rows x columns x channels."""
    v = np.asarray(values)
    if v.ndim == 2: v = v[..., None]
    if v.ndim == 3: v = v[None]
    wide = v.astype("f8")
    out.append(dict(name=name, file=base64.b64encode(data).decode(), shape=list(v.shape), read=read or {}, within=within,
                    values=base64.b64encode(wide.tobytes()).decode()))

def array(kind, shape=(H, W), bits=None):
    signed = kind[0] in "if"
    a = (rng.integers(-100, 100, shape) if signed else rng.integers(0, 200, shape)).astype(kind)
    # Flat parts, so that packed strips differ from each other.
    a[..., :5, :10] = 7
    if kind[0] in "iu" and kind[1] != "8":
        info = np.iinfo(kind)
        a.flat[:4] = [info.min, info.max, info.max // 2, info.min // 2]
    if kind[0] == "f":
        a.flat[:4] = [-0.5, 0.25, 1000, -1000]
    if bits:
        a = (a.astype("u8") % (2 ** bits)).astype(kind)
    return a

def tiffile(name, a, values=None, read=None, **options):
    f = io.BytesIO()
    tifffile.imwrite(f, a, **options)
    add("tifffile " + name, f.getvalue(), a if values is None else values, read)

TYPES = {"u1": gdal.GDT_Byte, "u2": gdal.GDT_UInt16, "i2": gdal.GDT_Int16, "u4": gdal.GDT_UInt32, "i4": gdal.GDT_Int32,
         "f4": gdal.GDT_Float32, "f8": gdal.GDT_Float64, "u8": gdal.GDT_UInt64, "i8": gdal.GDT_Int64}

def geotiff(name, bands, options=(), read=None, values=None, prepare=None, within=0):
    """bands: bands x rows x columns."""
    path = os.path.join(folder, "a.tif")
    n, h, w = bands.shape
    d = gdal.GetDriverByName("GTiff").Create(path, w, h, n, TYPES[bands.dtype.str[1:]], list(options))
    if prepare: prepare(d)
    for i in range(n): d.GetRasterBand(i + 1).WriteArray(bands[i])
    d = None
    data = open(path, "rb").read()
    os.remove(path)
    add("GDAL " + name, data, bands[0] if values is None else values, read, within)

# tifffile: types, orders, layouts.
for kind in ["u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4", "f8", "u8", "i8"]:
    a = array(kind)
    for order in "<>":
        for label, options in [("plain", {}), ("deflate", dict(compression="zlib")), ("strips", dict(rowsperstrip=3)), ("tiles", dict(tile=(16, 16)))]:
            tiffile(f"{kind} {order} {label}", a, byteorder=order, photometric="minisblack", **options)
    tiffile(f"{kind} pages", np.stack([a, a[::-1], a[:, ::-1]]), np.stack([a, a[::-1], a[:, ::-1]])[..., None], dict(page="all"), photometric="minisblack")
    tiffile(f"{kind} page 2", np.stack([a, a[::-1], a[:, ::-1]]), a[:, ::-1], dict(page=2), photometric="minisblack")
    tiffile(f"{kind} big", a, photometric="minisblack", bigtiff=True)
for kind in ["u1", "u2"]:
    a = array(kind, (H, W, 3))
    tiffile(f"{kind} RGB", a, photometric="rgb")
    tiffile(f"{kind} RGB planes", np.moveaxis(a, 2, 0).copy(), a, photometric="rgb", planarconfig="separate")
    tiffile(f"{kind} RGB tiles", a, photometric="rgb", tile=(16, 16), compression="zlib")
    b = array(kind, (H, W, 4))
    tiffile(f"{kind} RGBA", b, b[..., :3], photometric="rgb", extrasamples=["unassalpha"])
    tiffile(f"{kind} RGBA alpha", b, b[..., 3], dict(channel="alpha"), photometric="rgb", extrasamples=["unassalpha"])
    tiffile(f"{kind} RGBA associated", b, b[..., :3], photometric="rgb", extrasamples=["assocalpha"])
    tiffile(f"{kind} white is zero", b[..., 0].copy(), photometric="miniswhite")
s = array("u1", (2, 3, 4, H, W))
tiffile("ImageJ hyperstack", s, s[0, :, 0][..., None], imagej=True, metadata={"axes": "TZCYX"})
tiffile("ImageJ hyperstack channel 2 time 1", s, s[1, :, 2][..., None], dict(channel=2, time=1), imagej=True, metadata={"axes": "TZCYX"})
tiffile("ImageJ slices", s[0, :, 0], s[0, :, 0][..., None], imagej=True, metadata={"axes": "ZYX"})
tiffile("ImageJ channels", s[0, 0], s[0, 0, 1], dict(channel=1), imagej=True, metadata={"axes": "CYX"})
tiffile("OME", s, s[1, :, 3][..., None], dict(channel=3, time=1), ome=True, metadata={"axes": "TZCYX"}, photometric="minisblack")
c = np.moveaxis(s, 2, 0).copy()
tiffile("OME other order", c, s[1, :, 3][..., None], dict(channel=3, time=1), ome=True, metadata={"axes": "CTZYX"}, photometric="minisblack")

# GDAL: compressions, predictors, bits, bands, layouts.
for compression in ["NONE", "LZW", "PACKBITS", "DEFLATE", "ZSTD", "LERC", "LERC_DEFLATE", "LERC_ZSTD"]:
    for kind in ["u1", "u2", "i2", "u4", "i4", "f4", "f8"]:
        a = array(kind)
        for layout in [(), ("TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16")]:
            geotiff(f"{kind} {compression} {'tiles' if layout else 'strips'}", a[None], (f"COMPRESS={compression}",) + layout)
for kind in ["u2", "i4", "f4", "f8"]:
    geotiff(f"{kind} big-endian LERC", array(kind)[None], ("COMPRESS=LERC_ZSTD", "ENDIANNESS=BIG"))
missing = array("f4"); missing[:5] = np.nan
geotiff("f4 LERC, not measured", missing[None], ("COMPRESS=LERC", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"))
geotiff("24 bits big-endian", array("u4", bits=8)[None] * 65793, ("NBITS=24", "ENDIANNESS=BIG"))
for compression in ["LZW", "DEFLATE", "ZSTD"]:
    for endian in ["LITTLE", "BIG"]:
        for kind in ["u1", "u2", "i2", "u4", "i4", "f4", "f8", "u8", "i8"]:
            geotiff(f"{kind} {compression} {endian} predictor 2", array(kind)[None], (f"COMPRESS={compression}", "PREDICTOR=2", f"ENDIANNESS={endian}"))
        # libtiff 4.5 writes the planes of big-endian floats in reverse, against Adobe's note, and no reader, itself included, reads them.
        for kind in ["f4", "f8"] if endian == "LITTLE" else []:
            geotiff(f"{kind} {compression} {endian} predictor 3", array(kind)[None], (f"COMPRESS={compression}", "PREDICTOR=3", f"ENDIANNESS={endian}", "BLOCKYSIZE=7"))
    for interleave in ["PIXEL", "BAND"]:
        b = array("u2", (5, H, W))
        for n in [0, 4]:
            geotiff(f"u2 {compression} {interleave} predictor 2, band {n} of 5", b, (f"COMPRESS={compression}", f"INTERLEAVE={interleave}", "PREDICTOR=2"), dict(channel=n), b[n])
for bits in [1, 2, 3, 4, 5, 6, 7]:
    geotiff(f"{bits} bits", array("u1", bits=bits)[None], (f"NBITS={bits}",))
    geotiff(f"{bits} bits LZW tiles", array("u1", bits=bits)[None], (f"NBITS={bits}", "COMPRESS=LZW", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"))
for bits in [9, 10, 12, 15]:
    geotiff(f"{bits} bits", array("u2", bits=bits)[None], (f"NBITS={bits}",))
for bits in [17, 20, 24, 31]:
    geotiff(f"{bits} bits", array("u4", bits=bits)[None], (f"NBITS={bits}",))
half = array("f4")[None]
geotiff("half floats", half, ("NBITS=16",))
geotiff("half floats predictor 3", half, ("NBITS=16", "COMPRESS=DEFLATE", "PREDICTOR=3"))
b = array("u1", (3, H, W), bits=4)
geotiff("3 bands of 4 bits", b, ("NBITS=4", "INTERLEAVE=PIXEL", "PHOTOMETRIC=MINISBLACK"), dict(channel=1), b[1])
b = array("u1", (4, H, W))
geotiff("4 bands without alpha", b, ("ALPHA=NO",), dict(channel=3), b[3])
geotiff("4 bands, colours", b, ("ALPHA=YES", "PHOTOMETRIC=RGB"), None, np.moveaxis(b[:3], 0, 2))
geotiff("CMYK, band 2", b, ("PHOTOMETRIC=CMYK",), dict(channel=2), b[2])
b = array("f4", (2, H, W))
geotiff("2 bands of floats", b, (), dict(channel=1), b[1])
geotiff("sparse", np.zeros((1, 40, 40), "u2"), ("SPARSE_OK=TRUE", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"))
geotiff("BigTIFF", array("u2")[None], ("BIGTIFF=YES",))

def palette(d):
    table = gdal.ColorTable()
    for i in range(8): table.SetColorEntry(i, (i * 30, 255 - i, i, 255))
    d.GetRasterBand(1).SetColorTable(table)
a = array("u1", bits=3)
colours = np.stack([a.astype(int) * 30, 255 - a.astype(int), a.astype(int)], -1)
geotiff("palette, numbers", a[None], ("PHOTOMETRIC=PALETTE",), dict(indices=True), None, palette)
geotiff("palette, index", a[None], ("PHOTOMETRIC=PALETTE", "NBITS=4"), dict(channel="index"), None, palette)
geotiff("palette, colours", a[None], ("PHOTOMETRIC=PALETTE",), None, colours, palette)

# Big-endian floats by predictor 3, as Adobe's note has them: of each row the highest bytes first, as differences.
for kind in ["f2", "f4", "f8"]:
    a = array(kind)
    planes = a.astype(">" + kind).view("u1").reshape(H, W, -1).transpose(0, 2, 1).reshape(H, -1)
    packed = zlib.compress(np.diff(planes, axis=1, prepend=np.zeros((H, 1), "u1")).astype("u1").tobytes())
    tags = [(256, 4, 1, W), (257, 4, 1, H), (258, 3, 1, a.itemsize * 8 << 16), (259, 3, 1, 8 << 16), (262, 3, 1, 1 << 16), (273, 4, 1, 200), (277, 3, 1, 1 << 16),
            (278, 4, 1, H), (279, 4, 1, len(packed)), (317, 3, 1, 3 << 16), (339, 3, 1, 3 << 16)]
    head = b"MM\0*" + struct.pack(">IH", 8, len(tags)) + b"".join(struct.pack(">HHII", *tag) for tag in tags) + b"\0\0\0\0"
    add(f"Adobe {kind} big-endian predictor 3", head.ljust(200, b"\0") + packed, a)

# JPEG: what GDAL reads, within 2 levels.
def jpeg(name, bands, options):
    path = os.path.join(folder, "j.tif")
    n, h, w = bands.shape
    d = gdal.GetDriverByName("GTiff").Create(path, w, h, n, gdal.GDT_Byte, ["COMPRESS=JPEG", "JPEG_QUALITY=85"] + list(options))
    for i in range(n): d.GetRasterBand(i + 1).WriteArray(bands[i])
    d = None
    read = gdal.Open(path).ReadAsArray()
    add("GDAL JPEG " + name, open(path, "rb").read(), np.moveaxis(read, 0, 2) if n == 3 else read, None, 2)
y, x = np.mgrid[0:64, 0:96]
smooth = np.stack([128 + 100 * np.sin(x / 9), 128 + 90 * np.cos(y / 7), 128 + 80 * np.sin((x + y) / 11)]).astype("u1")
jpeg("grey", smooth[:1], [])
jpeg("grey tiles", smooth[:1], ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=32"])
jpeg("YCbCr", smooth, ["PHOTOMETRIC=YCBCR"])
jpeg("YCbCr tiles", smooth, ["PHOTOMETRIC=YCBCR", "TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=32"])
jpeg("RGB", smooth, ["PHOTOMETRIC=RGB", "INTERLEAVE=PIXEL"])
jpeg("RGB planes", smooth, ["PHOTOMETRIC=RGB", "INTERLEAVE=BAND"])

# Overviews and masks are no pages.
path = os.path.join(folder, "o.tif")
a = array("u1", (64, 64))
d = gdal.GetDriverByName("GTiff").Create(path, 64, 64, 1, gdal.GDT_Byte)
d.GetRasterBand(1).WriteArray(a); d = None
cog = os.path.join(folder, "cog.tif")
gdal.Translate(cog, path, format="COG", creationOptions=["BLOCKSIZE=32", "OVERVIEWS=AUTO", "COMPRESS=DEFLATE"])
add("GDAL COG", open(cog, "rb").read(), a)
gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
d = gdal.Open(path, gdal.GA_Update); d.BuildOverviews("NEAREST", [2, 4]); d.CreateMaskBand(gdal.GMF_PER_DATASET); d = None
add("GDAL overviews and a mask", open(path, "rb").read(), a)

# libtiff's tiffcp: order of bits, strips of other lengths, orders of bytes.
for label, options in [("fill order 2", ["-f", "lsb2msb"]), ("fill order 2 LZW", ["-f", "lsb2msb", "-c", "lzw"]), ("LZW predictor 2", ["-c", "lzw:2"]),
                       ("zip, 7 rows", ["-c", "zip", "-r", "7"]), ("packbits tiles", ["-c", "packbits", "-t", "-w", "16", "-l", "16"]), ("big-endian zip 2", ["-B", "-c", "zip:2"]),
                       ("planes", ["-p", "separate"]), ("8 GiB form", ["-8"])]:
    for kind, shape in [("u1", (H, W, 3)), ("u2", (H, W))]:
        if label == "planes" and len(shape) < 3: continue
        a = array(kind, shape)
        src, dst = os.path.join(folder, "s.tif"), os.path.join(folder, "d.tif")
        tifffile.imwrite(src, a, photometric="rgb" if len(shape) == 3 else "minisblack")
        subprocess.run(["tiffcp", *options, src, dst], check=True, stderr=subprocess.DEVNULL)
        add(f"tiffcp {kind} {label}", open(dst, "rb").read(), a)
sys.stdout.write(json.dumps(out))
