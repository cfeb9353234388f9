"""The page of skerry as a widget of Jupyter and VS Code: an array goes in, the recipe of what is seen comes out."""
from __future__ import annotations

import io
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _images as images
from ._engine import Array, Engine, Result, Table, default_engine

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError("Expected anywidget for skerry.Lab; install it with: pip install skerry[lab]") from error

PAGE = Path(__file__).parent / "page"

_lock = threading.Lock()
_server: ThreadingHTTPServer | None = None


class Handler(SimpleHTTPRequestHandler):
    """The files of the page, for this computer alone."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}

    def send_head(self) -> Any:
        # A page of another site that names this computer as its own may not read it.
        host = self.headers.get("Host", "").rsplit(":", 1)[0]
        if host not in ("127.0.0.1", "localhost"):
            self.send_error(403)
            return None
        try:
            return super().send_head()
        except ValueError:
            self.send_error(404)
            return None

    def list_directory(self, path: Any) -> None:
        self.send_error(404)

    def log_message(self, *_: Any) -> None:
        pass


def address() -> str:
    """Where the page is served from: a thread of this program, started with the first widget."""
    global _server
    with _lock:
        if _server is None:
            _server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(PAGE)))
            threading.Thread(target=_server.serve_forever, name="skerry.Lab", daemon=True).start()
        return f"http://127.0.0.1:{_server.server_address[1]}/"


SCRIPT = """
export function render({ model, el }) {
  const page = new URL(model.get("page"));
  page.searchParams.set("embed", location.origin);
  const frame = document.createElement("iframe");
  frame.src = page.href;
  frame.title = "skerry lab";
  frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0`;
  el.append(frame);
  let id = 0;
  const waiting = new Map();
  const ask = (message) => new Promise((resolve) => {
    waiting.set(++id, resolve);
    frame.contentWindow.postMessage({ skerry: 1, id, ...message }, page.origin);
  });
  const told = (name, value) => { model.set(name, value); model.save_changes(); };
  const failed = ({ error, picture, notes = picture?.notes ?? [] }) => told("message", error?.message ?? notes.join(" "));
  let last = "";
  // The page's own settings for a picture come before those that Python gave to begin with, and are not for Python.
  let begun = false;
  let newest;
  const hear = ({ recipe, count }) => {
    last = JSON.stringify(recipe);
    model.set("count", count ?? 0);
    told("recipe", recipe);
  };
  const send = async () => failed(await ask({ file: model.get("_file"), name: model.get("name") }));
  const take = async () => {
    const recipe = model.get("recipe");
    if (Object.keys(recipe).length === 0 || JSON.stringify(recipe) === last) return;
    last = JSON.stringify(recipe);
    failed(await ask({ recipe }));
  };
  const listen = async ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== page.origin || data?.skerry !== 1) return;
    if (data.ready) {
      await send();
      await take();
      begun = true;
      if (newest) hear(newest);
    } else if (data.id !== undefined) {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    } else if (data.recipe) {
      newest = data;
      if (begun) hear(data);
    }
  };
  addEventListener("message", listen);
  model.on("change:_file", send);
  model.on("change:recipe", take);
  return () => {
    removeEventListener("message", listen);
    model.off("change:_file", send);
    model.off("change:recipe", take);
    frame.remove();
  };
}
"""


class Lab(anywidget.AnyWidget):
    """
    The page with its tools on an array: an image, a volume (z, y, x), or an image of three or four channels of uint8 (y, x, c).

        lab = skerry.Lab(image)
        lab                      # the page, below the cell
        lab.recipe               # what was set there; assigning one sets it
        lab.labels, lab.table    # what this recipe gives, as run() computes it

    image: the array; assigning `lab.image` shows another one.
    recipe: a recipe to begin with.
    name: the name that the page shows, and files that it saves begin with.
    height: of the page, in CSS pixels.
    page: the address of a page of skerry lab; by default this program serves it to browsers of this computer.
    engine: the engine that computes `labels`, `table` and `result`; one for the whole program by default.

    Raises ValueError for an array that the page has no picture of.
    """

    _esm = SCRIPT
    _file = traitlets.Bytes(b"").tag(sync=True)
    name = traitlets.Unicode("array.npy").tag(sync=True)
    page = traitlets.Unicode("").tag(sync=True)
    height = traitlets.Int(640).tag(sync=True)
    recipe = traitlets.Dict().tag(sync=True)
    #: Objects that the page counts.
    count = traitlets.Int(0).tag(sync=True)
    #: What the page says of the picture or of a recipe, if it says something.
    message = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        image: ArrayLike,
        recipe: dict[str, Any] | None = None,
        *,
        name: str = "array",
        height: int = 640,
        page: str | None = None,
        engine: Engine | None = None,
    ) -> None:
        self._engine = engine
        self._results: tuple[Any, Result] | None = None
        super().__init__(recipe=recipe or {}, name=f"{name}.npy", height=height, page=page or address())
        self.image = image

    @property
    def image(self) -> np.ndarray:
        """The array."""
        return self._image

    @image.setter
    def image(self, image: ArrayLike) -> None:
        array = images.pixels(image)
        self._channels = array.ndim == 3 and array.dtype == np.uint8 and array.shape[-1] in (3, 4) and min(array.shape[:2]) > 4
        if array.ndim not in (2, 3) or 0 in array.shape:
            raise ValueError(f"Expected an image to have two or three axes with pixels, got the shape {array.shape}.")
        self._image, self._results = array, None
        file = io.BytesIO()
        np.save(file, np.ascontiguousarray(array))
        self._file = file.getvalue()

    @property
    def result(self) -> Result:
        """What the recipe gives for the image, or for the slice of the volume that the page shows."""
        recipe = self.recipe
        if not recipe:
            raise ValueError("Expected a recipe, which comes from the page once it is shown, got none.")
        if self._results is None or self._results[0] != recipe:
            image, plain = self._image, dict(recipe)
            inputs = dict(plain.get("input", {}))
            page = inputs.pop("page", None)
            if isinstance(page, int) and not self._channels:
                image, plain = image[page], {**plain, "input": inputs}
            axis = -1 if self._channels else None
            engine = self._engine or default_engine()
            self._results = (recipe, engine.run(plain, image, channel_axis=axis))
        return self._results[1]

    @property
    def labels(self) -> Array | None:
        """The labels of the objects; None if the recipe finds none, as for distances and colours."""
        return self.result.labels

    @property
    def mask(self) -> Array | None:
        """The mask of a fill."""
        return self.result.mask

    @property
    def table(self) -> Table | None:
        """The table of the objects."""
        return self.result.table
