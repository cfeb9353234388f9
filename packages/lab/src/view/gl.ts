// Draws the picture on the left of a divider and the result on its right, from a window of the result as large as the
// canvas. Until the labels of a new threshold arrive, a shader makes the same comparison and tints the picture.

import { palette } from "@skerry/files";
import { COLOURS, rampColours } from "@skerry/files/internal";
import { defined } from "skerry/internal";
import type { Opened } from "../files/open.js";
import type { Tint } from "../settings/objects.js";
import type { Layer } from "../state/found.js";
import type { Camera } from "./camera.js";
import { fragmentOf, type Part, VERTEX } from "./shaders.js";
import { freeTiles, makeTiles, noTiles, type Tiles } from "./tiles.js";

/** One channel of the picture, which is drawn instead of its colours. */
export interface ShownPlane {
  /** 0: luma; 1 to 4: red, green, blue, alpha; 5: a stain. */
  readonly kind: number;
  /** The weight of each channel's density for a stain, and the amounts that are shown as black and white. */
  readonly weights: readonly [number, number, number];
  readonly amounts: readonly [number, number];
}

/** State that is drawn beside the picture. */
export interface Scene {
  readonly camera: Camera;
  /** The divider, 0 to 1 of the canvas's width. */
  readonly divider: number;
  /** Layers of the two sides. */
  readonly left: readonly Layer[];
  readonly right: readonly Layer[];
  /** Whether the left side is the result that is kept for comparison. */
  readonly isCompared: boolean;
  /** Comparison that is drawn on the right until the result arrives. */
  readonly tint: Tint | undefined;
  /** How strong colours are, 0 to 1. */
  readonly opacity: number;
  /** Values shown as black and white, for pictures that are not 8-bit. */
  readonly level: readonly [number, number];
  readonly plane: ShownPlane | undefined;
  /** The range of a map's colours, and the distance between its lines; 0 for no lines. */
  readonly span: readonly [number, number];
  readonly apart: number;
  /** The label to outline; 0 for none. */
  readonly hovered: number;
  /** How far the ants have marched, in canvas pixels. */
  readonly ants: number;
}

/** A window of the result. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly step: number;
  readonly data: Uint32Array;
}

const RULES = ["bright", "dark", "both", "nonzero"];
const CHANNELS = ["luma", "red", "green", "blue", "alpha"];
/** Colours of a map's ramp. */
const RAMP = 1024;
/** Labels per row of a texture of flags or colours. */
const FLAGS = 4096;

export class Renderer {
  readonly #gl: WebGL2RenderingContext;
  readonly #programs = new Map<string, Program>();
  readonly #result: WebGLTexture;
  readonly #objectColours: WebGLTexture;
  readonly #coatColours: WebGLTexture;
  readonly #flags: WebGLTexture;
  readonly #inherited: WebGLTexture;
  readonly #fence: WebGLTexture;
  readonly #field: WebGLTexture;
  readonly #ramp: WebGLTexture;
  /** The labels of a result that is kept for comparison, their colours, and flags of those that are outlined. */
  readonly #aside: WebGLTexture;
  readonly #asideColours: WebGLTexture;
  readonly #asideFlags: WebGLTexture;
  #asideInherits = false;
  #rampOf = "";
  #inherits = false;
  #fenced = false;
  #tiles: Tiles = noTiles({ channels: 1, data: new Uint8Array(0) });
  /** Makes the tiles that are left. */
  #rest: Generator<undefined> | undefined;
  #anySelected = false;
  /** The parameters of the last drawing of the left side, and how often tiles were added. */
  #side = "";
  #images = 0;
  /** Whether the result's texture has a size yet. */
  #isMade = false;
  #view: Omit<View, "data"> = { x: 0, y: 0, width: 1, height: 1, step: 1 };

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#result = gl.createTexture();
    this.#objectColours = gl.createTexture();
    this.#coatColours = gl.createTexture();
    this.#flags = gl.createTexture();
    this.#inherited = gl.createTexture();
    this.#fence = gl.createTexture();
    this.#field = gl.createTexture();
    this.#ramp = gl.createTexture();
    this.#aside = gl.createTexture();
    this.#asideColours = gl.createTexture();
    this.#asideFlags = gl.createTexture();
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.#colours(this.#objectColours, palette());
    this.showCoats([]);
    this.showSelected(new Set());
    this.showColours(undefined);
    this.showAsideColours(undefined);
    this.showAsideSelected(new Set());
    this.showFence(undefined);
    this.showResult({ ...this.#view, data: new Uint32Array(1) });
  }

  /** Bytes of the current picture's textures. */
  get uploaded(): number {
    return this.#tiles.bytes;
  }

  showImage(opened: Opened): void {
    freeTiles(this.#gl, this.#tiles);
    this.#tiles = noTiles(opened);
    this.#rest = makeTiles(this.#gl, opened, this.#tiles);
    this.showResult({ x: 0, y: 0, width: 1, height: 1, step: 1, data: new Uint32Array(1) });
  }

  /** Uploads tiles of the picture for about so long; false if none is left. */
  upload(milliseconds: number): boolean {
    const begin = performance.now();
    let isLeft = this.#rest?.next().done === false;
    while (isLeft && performance.now() - begin < milliseconds) isLeft = this.#rest?.next().done === false;
    if (!isLeft) this.#rest = undefined;
    this.#images++;
    return isLeft;
  }

  showResult({ data, ...view }: View): void {
    const gl = this.#gl;
    const same = this.#isMade && view.width === this.#view.width && view.height === this.#view.height;
    this.#isMade = true;
    this.#view = view;
    gl.bindTexture(gl.TEXTURE_2D, this.#result);
    if (same) {
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, view.width, view.height, gl.RED_INTEGER, gl.UNSIGNED_INT, data);
      return;
    }
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32UI, view.width, view.height, 0, gl.RED_INTEGER, gl.UNSIGNED_INT, data);
    nearest(gl);
  }

  /** Uploads the values of a map's window. */
  showMap({ data, ...view }: Omit<View, "data"> & { readonly data: Float32Array }): void {
    const gl = this.#gl;
    this.#view = view;
    this.#isMade = false;
    gl.bindTexture(gl.TEXTURE_2D, this.#field);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, view.width, view.height, 0, gl.RED, gl.FLOAT, data);
    nearest(gl);
  }

  /** Uploads the colours of a map between two values. */
  #showRamp([low, high]: readonly [number, number]): void {
    const key = `${low} ${high}`;
    if (key === this.#rampOf) return;
    this.#rampOf = key;
    const gl = this.#gl;
    const rgb = rampColours(low, high, RAMP);
    gl.bindTexture(gl.TEXTURE_2D, this.#ramp);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, RAMP, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, rgb);
    nearest(gl);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  }

  /** Uploads the colours that were painted, from index 1 on. */
  showCoats(colours: readonly (readonly [number, number, number])[]): void {
    const rgb = new Uint8Array(COLOURS * 3);
    for (const [i, colour] of colours.entries()) rgb.set(colour, 3 * (i + 1));
    this.#colours(this.#coatColours, rgb);
  }

  /** Uploads the labels of a result that is kept for comparison, in the window of the current one. */
  showAside({ width, height, data }: Pick<View, "width" | "height" | "data">): void {
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, this.#aside);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_INT, data);
    nearest(gl);
  }

  /** Uploads the colours that the labels of the kept result had. */
  showAsideColours(colours: Uint16Array | undefined): void {
    this.#asideInherits = colours !== undefined;
    this.#inheritedColours(this.#asideColours, colours);
  }

  /** Flags the labels of the kept result that are outlined. */
  showAsideSelected(labels: ReadonlySet<number>): void {
    this.#flagged(this.#asideFlags, labels);
  }

  /** Flags the selected labels. */
  showSelected(labels: ReadonlySet<number>): void {
    this.#anySelected = labels.size > 0;
    this.#flagged(this.#flags, labels);
  }

  #flagged(texture: WebGLTexture, labels: ReadonlySet<number>): void {
    const gl = this.#gl;
    const rows = 1 + Math.floor([...labels].reduce((most, label) => Math.max(most, label), 0) / FLAGS);
    const flags = new Uint8Array(FLAGS * rows);
    for (const label of labels) flags[label] = 1;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, FLAGS, rows, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, flags);
    nearest(gl);
  }

  /** Uploads colours that labels inherit from previous objects; undefined if each label has its own. */
  showColours(colours: Uint16Array | undefined): void {
    this.#inherits = colours !== undefined;
    this.#inheritedColours(this.#inherited, colours);
  }

  #inheritedColours(texture: WebGLTexture, colours: Uint16Array | undefined): void {
    const gl = this.#gl;
    const rows = Math.ceil((colours?.length ?? 1) / FLAGS);
    const all = new Uint16Array(FLAGS * rows);
    if (colours) all.set(colours);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, FLAGS, rows, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, all);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    nearest(gl);
  }

  /** Uploads which pixels of the result's window lie inside the fence; undefined without a fence. */
  showFence(inside: Uint8Array | undefined): void {
    const gl = this.#gl;
    this.#fenced = inside !== undefined;
    const { width, height } = inside ? this.#view : { width: 1, height: 1 };
    gl.bindTexture(gl.TEXTURE_2D, this.#fence);
    const data = inside ?? new Uint8Array(1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, data);
    nearest(gl);
  }

  #colours(texture: WebGLTexture, rgb: Uint8Array): void {
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, COLOURS, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, rgb);
    nearest(gl);
  }

  draw(scene: Scene): void {
    const gl = this.#gl;
    const { width, height } = gl.canvas;
    const middle = Math.round(Math.min(1, Math.max(0, scene.divider)) * width);
    gl.viewport(0, 0, width, height);
    // The canvas keeps its content. So a side with only the picture is not drawn again while only settings change.
    const { camera, level } = scene;
    const { isCompared } = scene;
    const compared = scene.right.includes("outlines") ? "outlines" : "chosen";
    const left = isCompared ? compared : this.#partOf(scene.left, scene);
    const side = [
      left,
      width,
      height,
      middle,
      camera.x,
      camera.y,
      camera.scale,
      ...level,
      this.#images,
      JSON.stringify(scene.plane),
    ].join();
    const stays = left === "picture" && !this.#fenced && side === this.#side;
    if (!stays) {
      gl.disable(gl.SCISSOR_TEST);
      gl.clearColor(0.05, 0.05, 0.06, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.enable(gl.SCISSOR_TEST);
      this.#drawPart(left, scene, 0, middle, isCompared);
    }
    this.#side = side;
    const tint = scene.tint && CHANNELS.includes(scene.tint.channel) && scene.right.includes("colours");
    const right = isCompared && scene.right.includes("colours") ? "chosen" : this.#partOf(scene.right, scene);
    this.#drawPart(tint ? "tint" : right, scene, middle, width);
  }

  #partOf(layers: readonly Layer[], { hovered }: Scene): Part {
    if (layers.includes("map")) return "map";
    if (layers.includes("classes")) return "classes";
    if (layers.includes("paint")) return "fill";
    if (layers.includes("ants")) return "ants";
    if (layers.includes("outlines")) return "outlines";
    const anyChosen = hovered > 0 || this.#anySelected;
    if (layers.includes("colours")) return anyChosen ? "chosen" : "objects";
    return anyChosen && layers.includes("chosen") ? "marked" : "picture";
  }

  /** Draws the columns [from, to) of the canvas. */
  #drawPart(part: Part, scene: Scene, from: number, to: number, isAside = false): void {
    if (from >= to) return;
    const gl = this.#gl;
    const { camera, tint, level, hovered, ants, opacity, plane } = scene;
    const { width, height } = gl.canvas;
    const program = this.#program(part, plane !== undefined);
    gl.useProgram(program.program);
    const palette = part === "fill" || part === "classes" ? this.#coatColours : this.#objectColours;
    if (part === "map") this.#showRamp(scene.span);
    const textures = defined<Record<string, WebGLTexture | null>>({
      result: isAside ? this.#aside : this.#result,
      palette,
      flags: isAside ? this.#asideFlags : this.#flags,
      inherited: isAside ? this.#asideColours : this.#inherited,
      fence: this.#fence,
      field: part === "map" ? this.#field : undefined,
      ramp: part === "map" ? this.#ramp : undefined,
    });
    for (const [i, [name, texture]] of Object.entries(textures).entries()) {
      gl.activeTexture(gl.TEXTURE1 + i);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform1i(program.at(name), i + 1);
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(program.at("image"), 0);
    gl.uniform2f(program.at("canvas"), width, height);
    gl.uniform3f(program.at("camera"), camera.x, camera.y, camera.scale);
    gl.uniform1f(program.at("mipmap"), Math.max(0, Math.round(-Math.log2(camera.scale))));
    gl.uniform3f(program.at("view"), this.#view.x, this.#view.y, this.#view.step);
    gl.uniform2f(program.at("level"), ...level);
    gl.uniform1i(program.at("grey"), Number(this.#tiles.grey));
    gl.uniform1i(program.at("deep"), Number(this.#tiles.deep));
    if (tint) {
      gl.uniform1i(program.at("rule"), RULES.indexOf(tint.rule));
      gl.uniform1i(program.at("channel"), CHANNELS.indexOf(tint.channel));
      gl.uniform2f(program.at("bounds"), tint.lower, tint.threshold);
    }
    if (plane) {
      gl.uniform1i(program.at("plane"), plane.kind);
      gl.uniform3f(program.at("weights"), ...plane.weights);
      gl.uniform2f(program.at("amounts"), ...plane.amounts);
    }
    gl.uniform1i(program.at("inherits"), Number(isAside ? this.#asideInherits : this.#inherits));
    gl.uniform1f(program.at("opacity"), opacity);
    gl.uniform2f(program.at("span"), ...scene.span);
    gl.uniform1f(program.at("apart"), scene.apart);
    gl.uniform1ui(program.at("hovered"), isAside ? 0 : hovered);
    gl.uniform1f(program.at("ants"), ants);
    for (const tile of this.#tiles.list) {
      const left = Math.max(from, Math.floor((tile.x - camera.x) * camera.scale));
      const right = Math.min(to, Math.ceil((tile.x + tile.width - camera.x) * camera.scale));
      const top = Math.max(0, Math.floor((tile.y - camera.y) * camera.scale));
      const bottom = Math.min(height, Math.ceil((tile.y + tile.height - camera.y) * camera.scale));
      if (left >= right || top >= bottom) continue;
      gl.scissor(left, height - bottom, right - left, bottom - top);
      gl.bindTexture(gl.TEXTURE_2D, tile.texture);
      gl.uniform4f(program.at("tile"), tile.x, tile.y, tile.width, tile.height);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
  }

  /** Compiles the shaders of a part before it is drawn: in software that takes longer than a frame. */
  prepare(part: Part): void {
    this.#program(part);
  }

  /** Waits until everything was drawn, by reading a pixel. */
  finish(): void {
    const gl = this.#gl;
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  #program(part: Part, isPlane = false): Program {
    const key = `${part} ${this.#fenced} ${isPlane}`;
    const known = this.#programs.get(key);
    if (known) return known;
    const program = new Program(this.#gl, fragmentOf(part, this.#fenced, isPlane));
    this.#programs.set(key, program);
    return program;
  }
}

function nearest(gl: WebGL2RenderingContext): void {
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
}

/** A program and the locations of its uniforms. Uniforms that it lacks are ignored. */
class Program {
  readonly program: WebGLProgram;
  readonly #gl: WebGL2RenderingContext;
  readonly #places = new Map<string, WebGLUniformLocation | null>();

  constructor(gl: WebGL2RenderingContext, fragment: string) {
    this.#gl = gl;
    this.program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(type) as WebGLShader;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) {
      throw new Error(gl.getProgramInfoLog(this.program) ?? "shader");
    }
  }

  at(name: string): WebGLUniformLocation | null {
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.#gl.getUniformLocation(this.program, name);
      this.#places.set(name, place);
    }
    return place;
  }
}
