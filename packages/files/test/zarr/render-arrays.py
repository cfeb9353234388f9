# Writes arrays of Zarr 2 and 3 with tensorstore, one of each codec, type, order and key, into goldens/arrays.json.gz: their keys and bytes.
# Their values follow from a formula, which arrays.test.ts computes for itself.
#
#     python packages/files/test/zarr/render-arrays.py
#
# Made with tensorstore 0.1.85.

import base64, gzip, json, os, shutil, tempfile

import numpy as np
import tensorstore as ts

SHAPE = (11, 14, 17)
CHUNKS = (5, 5, 5)
SHARDS = (10, 10, 10)


def base(shape=SHAPE):
    z, y, x = np.ogrid[:shape[0], :shape[1], :shape[2]]
    v = (x * 7 + y * 13 + z * 29) % 251
    return np.where((x // 4 + y // 3 + z // 2) % 3 != 0, v, 0).astype(np.int64)

def holes(shape=SHAPE):
    """Where '-holes' arrays hold fill_value: whole chunks, and shards at y 10.., x 10..."""
    z, y, x = np.ogrid[:shape[0], :shape[1], :shape[2]]
    return ((z // 5 + y // 5 + x // 5) % 3 == 1) | ((y // 10 == 1) & (x // 10 == 1) & (z >= 0))

def expected(dtype, hole=False, fill=0):
    """dtype: numpy dtype string. Signed ints: v-100 where v != 0 (int8 wraps modulo 256). Floats: v/8."""
    dt = np.dtype(dtype)
    v = base()
    if dt.kind == 'f':
        r = (v / 8).astype(dt)
    elif dt.kind == 'i':
        r = np.where(v != 0, v - 100, 0).astype(dt)
    else:
        r = v.astype(dt)
    if hole:
        r[np.broadcast_to(holes(), r.shape)] = fill
    return r


index, files_of = [], {}
out = tempfile.mkdtemp()

def put(name, spec, dtype, hole=False, fill=0, **info):
    folder = os.path.join(out, name)
    data = expected(dtype, hole, fill)
    s = ts.open({**spec, 'kvstore': {'driver': 'file', 'path': folder + '/'}}, create=True, delete_existing=True).result()
    s[...].write(data).result()
    files = {}
    for path, _, names in os.walk(folder):
        for each in names:
            whole = os.path.join(path, each)
            files[os.path.relpath(whole, folder)] = base64.b64encode(open(whole, 'rb').read()).decode()
    index.append({'name': name, 'dtype': dtype, 'holes': hole, 'fill': fill, 'files': files})

# ---------------------------------------------------------------- v2
def blosc(cname, shuffle, blocksize=0, clevel=5):
    return {'id': 'blosc', 'cname': cname, 'clevel': clevel, 'shuffle': shuffle, 'blocksize': blocksize}
NONE, ZLIB, GZIP, BZ2, ZSTD = None, {'id': 'zlib', 'level': 5}, {'id': 'gzip', 'level': 5}, {'id': 'bz2', 'level': 5}, {'id': 'zstd', 'level': 3}
SEP = {'.': 'dot', '/': 'slash'}

def v2(comp, dtype='<u2', order='C', sep='.', hole=False, fill=0, extra='', null_fill=False):
    cn = 'none' if comp is None else comp['id']
    if cn == 'zlib': cn = 'zlib5'
    if cn == 'blosc': cn = f"blosc-{comp['cname']}-shuffle{comp['shuffle']}"
    dt = {'|u1': 'u1', '>u2': 'u2be', '|i1': 'i1'}.get(dtype, dtype[1:])
    name = f'v2-{cn}{extra}-{order}-{SEP[sep]}-{dt}' + ('-holes' if hole else '') + (f'-fill{fill}' if fill else '') + ('-fillnull' if null_fill else '')
    put(name, {'driver': 'zarr', 'metadata': {'zarr_format': 2, 'shape': SHAPE, 'chunks': CHUNKS, 'dtype': dtype, 'compressor': comp, 'order': order,
        'filters': None, 'fill_value': None if null_fill else fill, 'dimension_separator': sep}},
        dtype, hole, fill, compressor=comp, order=order, separator=sep, chunks=list(CHUNKS))

for c in (NONE, ZLIB, GZIP, BZ2, ZSTD): v2(c)
for cn in ('lz4', 'zstd', 'zlib', 'blosclz', 'lz4hc'):
    for s in (0, 1, 2): v2(blosc(cn, s))
v2(blosc('snappy', 1))
v2(blosc('lz4', 1, 0, 0), extra='-clevel0')                  # stored ('memcpyed')
for c, sep in ((NONE, '.'), (NONE, '/'), (ZLIB, '.'), (ZSTD, '/'), (blosc('zstd', 2), '.')): v2(c, order='F', sep=sep)
for c in (NONE, ZLIB, blosc('zstd', 2)): v2(c, sep='/')
for dt in ('|u1', '>u2', '<i2', '<u4', '<f4', '<f8', '|i1'):
    v2(blosc('zstd', 2), dt, sep='/')
    if dt in ('|u1', '>u2', '<f4'): v2(ZLIB if dt != '>u2' else NONE, dt)
v2(blosc('lz4', 1), '<f4', order='F', sep='/')
v2(ZSTD, '>u2', order='F')
v2(ZLIB, hole=True, sep='/')
v2(blosc('lz4', 1), hole=True)
v2(blosc('lz4', 1), hole=True, fill=9)
v2(ZSTD, '|u1', hole=True, null_fill=True)

# ---------------------------------------------------------------- v3
NP = {'uint8': '|u1', 'uint16': '<u2', 'int16': '<i2', 'uint32': '<u4', 'float32': '<f4'}
LE, BE = [{'name': 'bytes', 'configuration': {'endian': e}} for e in ('little', 'big')]
B1 = {'name': 'bytes'}
G = {'name': 'gzip', 'configuration': {'level': 5}}
Z = {'name': 'zstd', 'configuration': {'level': 3, 'checksum': False}}
ZC = {'name': 'zstd', 'configuration': {'level': 3, 'checksum': True}}
CRC = {'name': 'crc32c'}
T = {'name': 'transpose', 'configuration': {'order': [2, 1, 0]}}
T201 = {'name': 'transpose', 'configuration': {'order': [2, 0, 1]}}
def B(cname, shuffle, dtype):
    return {'name': 'blosc', 'configuration': {'cname': cname, 'clevel': 5, 'shuffle': shuffle, 'typesize': np.dtype(NP[dtype]).itemsize, 'blocksize': 0}}
def shard(inner, loc, indexcodecs=(LE, CRC)):
    return {'name': 'sharding_indexed', 'configuration': {'chunk_shape': CHUNKS, 'codecs': inner, 'index_codecs': list(indexcodecs), 'index_location': loc}}

def v3(tag, codecs, dtype='uint16', hole=False, fill=0, key=('default', '/')):
    sh = 'shard' in tag
    cs = SHARDS if sh else CHUNKS
    name = f'v3-{tag}-{dtype}' + ('-holes' if hole else '') + (f'-fill{fill}' if fill else '')
    if key != ('default', '/'): name += f'-{key[0]}key-{SEP[key[1]]}'
    put(name, {'driver': 'zarr3', 'metadata': {'shape': SHAPE, 'data_type': dtype, 'fill_value': fill, 'codecs': codecs,
        'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': cs}},
        'chunk_key_encoding': {'name': key[0], 'configuration': {'separator': key[1]}}}},
        NP[dtype], hole, fill, data_type=dtype, codecs=codecs, chunks=list(cs), inner=list(CHUNKS) if sh else None)
v3('bytesle', [LE]); v3('bytesbe', [BE])
v3('gzip', [LE, G]); v3('zstd', [LE, Z]); v3('zstdsum', [LE, ZC]); v3('crc32c', [LE, CRC])
for cn in ('lz4', 'zstd'):
    for s in ('noshuffle', 'shuffle', 'bitshuffle'): v3(f'blosc-{cn}-{s}', [LE, B(cn, s, 'uint16')])
v3('transpose210', [T, LE]); v3('transpose210-zstd', [T, LE, Z])
v3('transpose201-be-gzip', [T201, BE, G])
for dt in ('uint8', 'int16', 'uint32', 'float32'):
    first = B1 if dt == 'uint8' else LE
    v3('blosc-zstd-bitshuffle', [first, B('zstd', 'bitshuffle', dt)], dt)
    if dt in ('uint8', 'float32'): v3('zstd', [first, Z], dt)
    v3('shard-end-blosc-lz4-shuffle', [shard([first, B('lz4', 'shuffle', dt)], 'end')], dt)
v3('be-gzip', [BE, G], 'float32')
for loc in ('start', 'end'):
    v3(f'shard-{loc}-gzip', [shard([LE, G], loc)])
    v3(f'shard-{loc}-zstd', [shard([LE, Z], loc)])
    v3(f'shard-{loc}-blosc-zstd-shuffle', [shard([LE, B('zstd', 'shuffle', 'uint16')], loc)])
    v3(f'shard-{loc}-zstd', [shard([LE, Z], loc)], hole=True)
v3('shard-end-none', [shard([LE], 'end')])
v3('shard-end-nocrcindex-zstd', [shard([LE, Z], 'end', (LE,))])
v3('shard-end-innertranspose210-crc32c', [shard([T, LE, CRC], 'end')])
v3('shard-end-zstd', [shard([LE, Z], 'end')], hole=True, fill=9)
v3('zstd', [LE, Z], hole=True); v3('zstd', [LE, Z], hole=True, fill=9)
v3('gzip', [LE, G], key=('v2', '.')); v3('gzip', [LE, G], key=('default', '.'))

target = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'goldens', 'arrays.json.gz')
with gzip.GzipFile(target, 'wb', mtime=0) as file:
    file.write(json.dumps(index).encode())
shutil.rmtree(out)
print(len(index), 'arrays,', os.path.getsize(target), 'bytes')
