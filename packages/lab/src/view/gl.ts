// Draws the picture on the left of a divider and its objects on the right, each in a colour of its own, in one fragment shader.
// While labels of a new threshold are on their way, the same comparison tints the picture from its own pixels.

import type { Opened } from "../files/open.js";
import type { Camera } from "./camera.js";
import { FRAGMENT, VERTEX } from "./shaders.js";

/** What is drawn beside the picture. */
export interface Scene {
  readonly camera: Camera;
  /** The divider, 0 to 1 of the canvas's width. */
  readonly divider: number;
  readonly threshold: number;
  readonly dark: boolean;
  /** Whether the labels are those of the threshold. */
  readonly settled: boolean;
  /** The label to outline; 0 for none. */
  readonly hovered: number;
}

/** Labels of a window of the picture. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly step: number;
  readonly data: Uint32Array;
}

export class Renderer {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #image: WebGLTexture;
  readonly #labels: WebGLTexture;
  #size = { width: 1, height: 1 };
  #view: Omit<View, "data"> = { x: 0, y: 0, width: 1, height: 1, step: 1 };

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#program = link(gl);
    this.#image = gl.createTexture();
    this.#labels = gl.createTexture();
    this.showLabels({ ...this.#view, data: new Uint32Array(1) });
  }

  /** The longest side of a picture that can be drawn. */
  get mostPixels(): number {
    return this.#gl.getParameter(this.#gl.MAX_TEXTURE_SIZE) as number;
  }

  showImage({ width, height, channels, data }: Opened): void {
    const gl = this.#gl;
    this.#size = { width, height };
    gl.bindTexture(gl.TEXTURE_2D, this.#image);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    const [inner, format] = channels === 1 ? [gl.R8, gl.RED] : [gl.RGBA8, gl.RGBA];
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, width, height, 0, format, gl.UNSIGNED_BYTE, data);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.useProgram(this.#program);
    gl.uniform1i(this.#at("grey"), Number(channels === 1));
    this.showLabels({ x: 0, y: 0, width: 1, height: 1, step: 1, data: new Uint32Array(1) });
  }

  showLabels({ data, ...view }: View): void {
    const gl = this.#gl;
    this.#view = view;
    gl.bindTexture(gl.TEXTURE_2D, this.#labels);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32UI, view.width, view.height, 0, gl.RED_INTEGER, gl.UNSIGNED_INT, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  draw({ camera, divider, threshold, dark, settled, hovered }: Scene): void {
    const gl = this.#gl;
    const { width, height } = gl.canvas;
    gl.viewport(0, 0, width, height);
    gl.useProgram(this.#program);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.#labels);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#image);
    gl.uniform1i(this.#at("image"), 0);
    gl.uniform1i(this.#at("labels"), 1);
    gl.uniform2f(this.#at("size"), this.#size.width, this.#size.height);
    gl.uniform2f(this.#at("canvas"), width, height);
    gl.uniform3f(this.#at("camera"), camera.x, camera.y, camera.scale);
    gl.uniform3f(this.#at("view"), this.#view.x, this.#view.y, this.#view.step);
    gl.uniform1f(this.#at("divider"), divider * width);
    gl.uniform1f(this.#at("threshold"), threshold);
    gl.uniform1i(this.#at("dark"), Number(dark));
    gl.uniform1i(this.#at("settled"), Number(settled));
    gl.uniform1ui(this.#at("hovered"), hovered);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  #at(name: string): WebGLUniformLocation | null {
    return this.#gl.getUniformLocation(this.#program, name);
  }
}

function link(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type) as WebGLShader;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "shader");
  return program;
}
