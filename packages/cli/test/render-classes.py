# A map of five classes as a GeoTIFF in UTM, and what gdal_polygonize makes of it. Run by maps.test.ts through npm run goldens.
import base64, json, os, sys, tempfile
import numpy as np
from osgeo import gdal, ogr, osr
gdal.UseExceptions()
folder = tempfile.mkdtemp()
rng = np.random.default_rng(3)
coarse = rng.integers(0, 6, (12, 15)).astype("u1")
a = np.kron(coarse, np.ones((4, 4), "u1"))
a[rng.random(a.shape) < 0.05] = 0
h, w = a.shape
srs = osr.SpatialReference(); srs.ImportFromEPSG(32632)
out = {}
def write(name, transform, crs, options=()):
    path = os.path.join(folder, name)
    d = gdal.GetDriverByName("GTiff").Create(path, w, h, 1, gdal.GDT_Byte, list(options))
    d.SetGeoTransform(transform)
    if crs: d.SetProjection(crs.ExportToWkt())
    d.GetRasterBand(1).SetNoDataValue(0)
    d.GetRasterBand(1).WriteArray(a)
    d = None
    return path
utm = write("utm.tif", (600000.5, 10, 0, 5300000.25, 0, -10), srs)
wgs = osr.SpatialReference(); wgs.ImportFromEPSG(4326)
degrees = write("degrees.tif", (8, 0.001, 0, 48, 0, -0.001), wgs)
turned = write("turned.tif", (600000, 8, 3, 5300000, 3, -8), srs)
point = write("point.tif", (600000.5, 10, 0, 5300000.25, 0, -10), srs, ["PROFILE=GeoTIFF"])
d = gdal.Open(point, gdal.GA_Update); d.SetMetadataItem("AREA_OR_POINT", "Point"); d = None
feet = osr.SpatialReference(); feet.ImportFromEPSG(2263)
us = write("feet.tif", (980000, 5, 0, 200000, 0, -5), feet)
files = {}
for name, path in [("utm", utm), ("degrees", degrees), ("turned", turned), ("point", point), ("feet", us)]:
    ds = gdal.Open(path)
    files[name] = dict(file=base64.b64encode(open(path, "rb").read()).decode(), transform=ds.GetGeoTransform())
d = gdal.Open(utm)
mem = ogr.GetDriverByName("Memory").CreateDataSource("m")
layer = mem.CreateLayer("p", srs, ogr.wkbPolygon); layer.CreateField(ogr.FieldDefn("value", ogr.OFTInteger))
gdal.Polygonize(d.GetRasterBand(1), d.GetRasterBand(1).GetMaskBand(), layer, 0)
features = [dict(value=f.GetField(0), area=f.GetGeometryRef().GetArea(), geometry=json.loads(f.GetGeometryRef().ExportToJson())) for f in layer]
sys.stdout.write(json.dumps(dict(files=files, polygons=features, width=w, height=h)))
