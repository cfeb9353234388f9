# Renders small BMP and PPM files in every form that Pillow writes and that old programs write, and the colours that Pillow reads. Prints JSON. Run by
# bmp.test.ts through npm run goldens.
import base64, io, json, struct
import numpy as np
from PIL import Image
rng = np.random.default_rng(54)
out = []

def add(name, data, channels=3):
    back = Image.open(io.BytesIO(data)); back = np.asarray(back.convert("RGBA" if channels == 4 else "RGB"))
    out.append(dict(name=name, file=base64.b64encode(data).decode(), shape=list(back.shape), values=back.ravel().tolist()))

def bmp(bits, rows, width, height, compression=0, palette=b"", extra=b"", size=40, used=0):
    head = struct.pack("<IiiHHIIiiII", size, width, height, 1, bits, compression, len(rows), 2835, 2835, used, 0) + extra
    return b"BM" + struct.pack("<IHHI", 14 + len(head) + len(palette) + len(rows), 0, 0, 14 + len(head) + len(palette)) + head + palette + rows

for width in (1, 5, 8, 33):
    for mode in ("1", "L", "P", "RGB"):
        image = Image.fromarray(rng.integers(0, 256, (4, width, 3), dtype=np.uint8)).convert(mode) if mode != "P" else Image.fromarray(rng.integers(0, 256, (4, width, 3), dtype=np.uint8)).quantize(7)
        b = io.BytesIO(); image.save(b, "BMP"); add(f"{mode} {width}", b.getvalue())
    pal = b"".join(bytes([*rng.integers(0, 256, 3, dtype=np.uint8), 0]) for _ in range(16))
    four = rng.integers(0, 256, (4, 4 * ((width * 4 + 31) // 32)), dtype=np.uint8).tobytes()
    add(f"4 bits {width}", bmp(4, four, width, 4, palette=pal)); add(f"4 bits, first row first {width}", bmp(4, four, width, -4, palette=pal))
    five = rng.integers(0, 256, (4, 4 * ((width * 16 + 31) // 32)), dtype=np.uint8).tobytes()
    add(f"16 bits {width}", bmp(16, five, width, 4))
    add(f"565 {width}", bmp(16, five, width, 4, compression=3, extra=struct.pack("<III", 0xF800, 0x7E0, 0x1F)))
    wide = rng.integers(0, 256, (4, width, 4), dtype=np.uint8).tobytes()
    add(f"32 bits {width}", bmp(32, wide, width, -4))
    add(f"alpha {width}", bmp(32, wide, width, 4, compression=3, size=108, extra=struct.pack("<IIII", 0xFF0000, 0xFF00, 0xFF, 0xFF000000) + b"\0" * 52), 4)
pal = b"".join(bytes([*rng.integers(0, 256, 3, dtype=np.uint8), 0]) for _ in range(256))
runs = bytes([5, 7, 0, 3, 1, 2, 3, 0, 0, 0, 8, 9, 0, 0, 8, 4, 0, 0, 3, 200, 0, 5, 1, 2, 3, 4, 5, 0, 0, 1])
add("run lengths", bmp(8, runs, 8, 4, compression=1, palette=pal))
for mode, most in (("RGB", 255), ("L", 255)):
    image = Image.fromarray(rng.integers(0, 256, (4, 5, 3), dtype=np.uint8)).convert(mode)
    b = io.BytesIO(); image.save(b, "PPM"); add(f"Netpbm {mode}", b.getvalue())
print(json.dumps(out))
