"""Runs over blocks against SciPy, on a volume of a file: labels, areas and centroids.

    /usr/bin/python3 packages/cluster/outside/judge.py ../shared/data/head-flair.nii.gz 60

Needs python3-nibabel, python3-scipy, python3-zarr (2) and the build of skerry."""
import csv, os, subprocess, sys, tempfile

import nibabel, numpy as np, zarr
from scipy import ndimage

root = os.path.dirname(os.path.abspath(__file__))
skerry = ["node", os.path.join(root, "../../cli/bin/skerry.js")]
volume = np.asarray(nibabel.load(sys.argv[1]).dataobj).T
volume = np.ascontiguousarray(volume.astype("u2" if volume.max() > 255 else "u1"))
threshold = float(sys.argv[2])
print(os.path.basename(sys.argv[1]), volume.shape, volume.dtype)
failed = False
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "volume.zarr")
    zarr.save_array(path, volume, chunks=(32, 32, 32))
    for connectivity, steps in ((6, 1), (18, 2), (26, 3)):
        out = os.path.join(folder, f"labels-{connectivity}.zarr")
        table = os.path.join(folder, f"regions-{connectivity}.csv")
        flags = ["--threshold", f">{threshold}", "--connectivity", str(connectivity), "--properties", "area,centroid"]
        plan = os.path.join(folder, f"{connectivity}.json")
        with open(plan, "w") as file:
            subprocess.run(skerry + ["cluster", "plan", "label", path, *flags, "-o", out, "--regions", table, "--block", "64"], stdout=file, check=True)
        subprocess.run(skerry + ["cluster", "submit", plan, "--workers", "2", "--allow", folder, "--quiet"], check=True)
        expected, count = ndimage.label(volume > threshold, ndimage.generate_binary_structure(3, steps))
        subprocess.run(skerry + ["label", out, "--by", "labels", "-o", out + ".npy", "--quiet"], check=True)
        labels = np.load(out + ".npy").reshape(volume.shape)
        differing = int((labels != expected).sum())
        with open(table) as file:
            rows = list(csv.DictReader(file))
        areas = np.bincount(expected.ravel(), minlength=count + 1)[1:]
        wrong = int((np.array([int(row["area"]) for row in rows]) != areas).sum()) if len(rows) == count else count
        print(f"{connectivity} neighbours: {count} objects, {differing} voxels differ from SciPy, {wrong} areas differ, {len(rows)} rows")
        failed = failed or differing > 0 or wrong > 0 or len(rows) != count
sys.exit(1 if failed else 0)
