// The shaders of the view. One triangle over the canvas is drawn for each part of the canvas and tile of the picture,
// clipped to them. Each part has a minimal program of its own, because software runs every branch.

export const VERTEX = `#version 300 es
void main() {
  // One triangle that covers the canvas.
  vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}`;

const HEAD = `
precision highp float;
precision highp int;
uniform sampler2D image;
uniform vec4 tile;
uniform vec2 canvas;
uniform vec3 camera;
uniform float mipmap;
uniform vec2 level;
uniform bool grey;
uniform bool deep;
uniform float opacity;
out vec4 color;

#ifdef PLANE
// 0: luma, 1 to 4: a channel, 5: a stain, by its weights and the range of its amounts.
uniform int plane;
uniform vec3 weights;
uniform vec2 amounts;

vec3 planeOf(vec4 own) {
  if (plane == 5) {
    vec3 density = log(max(own.rgb, vec3(1e-6))) / log(1e-6);
    return vec3((max(dot(density, weights), 0.0) - amounts.x) / max(amounts.y - amounts.x, 1e-30));
  }
  return vec3(plane == 0 ? dot(own.rgb, vec3(77.0, 150.0, 29.0)) / 256.0 : own[plane - 1]);
}
#endif

vec2 placeOf() {
  return vec2(gl_FragCoord.x, canvas.y - gl_FragCoord.y);
}

vec2 pixelOf(vec2 place) {
  return camera.xy + place / camera.z;
}

vec4 texelAt(vec2 pixel) {
  return texelFetch(image, clamp(ivec2(floor(pixel - tile.xy)), ivec2(0), ivec2(tile.zw) - 1), 0);
}

// From 100 % on pixels are squares; below it one level of the mipmaps is enough.
vec3 pictureAt(vec2 pixel) {
  vec4 own = deep || camera.z >= 1.0 ? texelAt(pixel) : textureLod(image, (pixel - tile.xy) / tile.zw, mipmap);
  vec3 rgb = grey ? own.rrr : own.rgb;
#ifdef PLANE
  rgb = planeOf(own);
#endif
  return deep ? clamp((rgb - level.x) / max(level.y - level.x, 1e-30), 0.0, 1.0) : rgb;
}
`;

/** Reads the window of the result. Beyond its border the value at the border is repeated. */
const RESULT = `
uniform highp usampler2D result;
uniform vec3 view;

uint resultAt(vec2 pixel) {
  ivec2 at = ivec2(floor((floor(pixel) - view.xy) / view.z));
  return texelFetch(result, clamp(at, ivec2(0), textureSize(result, 0) - 1), 0).r;
}

vec2 reachOf() {
  return vec2(max(view.z, 1.0 / camera.z), 0.0);
}
`;

/** Outside a fence the picture is dim, and dashes go along its border. */
const FENCE = `
#ifdef FENCED
uniform highp usampler2D fence;

bool isFenced(vec2 pixel) {
  ivec2 at = ivec2(floor((floor(pixel) - view.xy) / view.z));
  return texelFetch(fence, clamp(at, ivec2(0), textureSize(fence, 0) - 1), 0).r != 0u;
}

vec3 fencedOf(vec3 shown, vec2 pixel, vec2 place) {
  vec2 reach = reachOf();
  bool own = isFenced(pixel);
  bool edge = own && !(isFenced(pixel + reach) && isFenced(pixel - reach)
    && isFenced(pixel + reach.yx) && isFenced(pixel - reach.yx));
  float dash = mod(floor((place.x - place.y) / 6.0), 2.0);
  return edge ? (dash > 0.0 ? vec3(1.0, 0.69, 0.4) : shown) : own ? shown : shown * 0.4;
}
#else
vec3 fencedOf(vec3 shown, vec2 pixel, vec2 place) {
  return shown;
}
#endif
`;

/** Colours of labels: their own, or those of the objects before them that they cover most. */
const COLOURS = `
uniform sampler2D palette;
uniform highp usampler2D inherited;
uniform bool inherits;

const int FLAGS = 4096;

vec3 colourOf(uint label) {
  uint own = label & 4095u;
  if (inherits) {
    ivec2 at = ivec2(int(label) % FLAGS, int(label) / FLAGS);
    if (at.y < textureSize(inherited, 0).y) own = texelFetch(inherited, at, 0).r;
  }
  return texelFetch(palette, ivec2(int(own), 0), 0).rgb;
}
`;

/** Objects that are hovered or selected. */
const CHOICE = `
uniform highp usampler2D flags;
uniform uint hovered;

bool isChosen(uint label) {
  if (label == 0u) return false;
  ivec2 at = ivec2(int(label) % 4096, int(label) / 4096);
  return label == hovered || (at.y < textureSize(flags, 0).y && texelFetch(flags, at, 0).r != 0u);
}

bool isEdge(vec2 pixel, uint label) {
  vec2 reach = reachOf();
  return resultAt(pixel + reach) != label || resultAt(pixel - reach) != label
    || resultAt(pixel + reach.yx) != label || resultAt(pixel - reach.yx) != label;
}
`;

const PICTURE = `${HEAD}${RESULT}${FENCE}
void main() {
  vec2 place = placeOf();
  vec2 pixel = pixelOf(place);
  color = vec4(fencedOf(pictureAt(pixel), pixel, place), 1.0);
}`;

/** The picture with the outlines of hovered and selected objects. */
const MARKED = `${HEAD}${RESULT}${FENCE}${CHOICE}
void main() {
  vec2 place = placeOf();
  vec2 pixel = pixelOf(place);
  uint label = resultAt(pixel);
  vec3 picture = pictureAt(pixel);
  vec3 shown = isChosen(label) && isEdge(pixel, label) ? vec3(1.0) : picture;
  color = vec4(fencedOf(shown, pixel, place), 1.0);
}`;

/** The picture with the outlines of all objects. */
const OUTLINES = `${HEAD}${RESULT}${FENCE}${COLOURS}${CHOICE}
void main() {
  vec2 place = placeOf();
  vec2 pixel = pixelOf(place);
  uint label = resultAt(pixel);
  vec3 picture = pictureAt(pixel);
  vec3 line = isChosen(label) ? vec3(1.0) : mix(picture, colourOf(label), 0.4 + 0.6 * opacity);
  vec3 shown = label != 0u && isEdge(pixel, label) ? line : picture;
  color = vec4(fencedOf(shown, pixel, place), 1.0);
}`;

/** While labels are on their way: the comparison that the engine makes, in the integers of Rec. 601. */
const TINT = `${HEAD}
uniform int rule;
uniform int channel;
uniform vec2 bounds;

bool isInside(vec2 pixel) {
  vec4 own = texelAt(pixel);
  if (!deep) own = floor(own * 255.0 + 0.5);
  ivec3 rgb = ivec3(own.rgb);
  float luma = grey ? own.r : float((77 * rgb.r + 150 * rgb.g + 29 * rgb.b + 128) >> 8);
  float value = grey || channel == 0 ? luma : own[channel - 1];
  if (rule == 0) return value > bounds.y;
  if (rule == 1) return value < bounds.y;
  if (rule == 2) return value > bounds.y || value < min(bounds.x, bounds.y);
  return any(notEqual(grey ? own.rrr : own.rgb, vec3(0.0)));
}

void main() {
  vec2 pixel = pixelOf(placeOf());
  vec3 picture = pictureAt(pixel);
  color = vec4(isInside(pixel) ? mix(picture, vec3(0.35, 0.75, 1.0), 0.6) : picture * 0.45, 1.0);
}`;

const OBJECTS = `${HEAD}${RESULT}${FENCE}${COLOURS}
void main() {
  vec2 place = placeOf();
  vec2 pixel = pixelOf(place);
  vec3 picture = pictureAt(pixel);
  uint label = resultAt(pixel);
  vec2 reach = reachOf();
  // Small pixels have their lines on two sides, which takes half the time.
  bool edge = resultAt(pixel - reach) != label || resultAt(pixel - reach.yx) != label
    || camera.z > 2.0 && (resultAt(pixel + reach) != label || resultAt(pixel + reach.yx) != label);
  vec3 tint = mix(picture, colourOf(label), opacity) * (edge ? 0.7 : 1.0);
  color = vec4(fencedOf(label == 0u ? picture * 0.45 : tint, pixel, place), 1.0);
}`;

/** The objects in their colours. Hovered and selected objects are lighter and have a white outline. */
const CHOSEN = `${HEAD}${RESULT}${FENCE}${COLOURS}${CHOICE}
void main() {
  vec2 place = placeOf();
  vec2 pixel = pixelOf(place);
  vec3 picture = pictureAt(pixel);
  uint label = resultAt(pixel);
  bool edge = isEdge(pixel, label);
  vec3 tint = mix(picture, colourOf(label), opacity);
  vec3 shown = isChosen(label) ? (edge ? vec3(1.0) : mix(tint, vec3(1.0), 0.25)) : tint * (edge ? 0.7 : 1.0);
  color = vec4(fencedOf(label == 0u ? picture * 0.45 : shown, pixel, place), 1.0);
}`;

/** Bit 0: selected; bit 1: preview of a click; from bit 8 on: the number of a painted colour. */
const MARKS = `
uniform float ants;

vec3 marksOn(vec3 picture, uint bits, vec2 pixel, vec2 place) {
  float blue = ((bits & 2u) != 0u ? 0.35 : 0.0) + ((bits & 1u) != 0u ? 0.25 : 0.0);
  vec2 reach = reachOf();
  bool edge = (bits & 1u) != 0u && (resultAt(pixel + reach) & resultAt(pixel - reach)
    & resultAt(pixel + reach.yx) & resultAt(pixel - reach.yx) & 1u) == 0u;
  float ant = mod(floor((place.x + place.y + ants) / 4.0), 2.0);
  return edge ? vec3(ant) : mix(picture, vec3(0.35, 0.75, 1.0), blue);
}
`;

/** The picture with its paint and the selection. */
const FILL = `${HEAD}${RESULT}${FENCE}${MARKS}
uniform sampler2D palette;

void main() {
  vec2 place = placeOf();
  vec2 pixel = pixelOf(place);
  uint bits = resultAt(pixel);
  uint coat = bits >> 8;
  vec3 painted = texelFetch(palette, ivec2(int(coat), 0), 0).rgb;
  vec3 shown = marksOn(coat > 0u ? painted : pictureAt(pixel), bits, pixel, place);
  color = vec4(fencedOf(shown, pixel, place), 1.0);
}`;

/** The picture and the selection, without paint. */
const ANTS = `${HEAD}${RESULT}${FENCE}${MARKS}
void main() {
  vec2 place = placeOf();
  vec2 pixel = pixelOf(place);
  color = vec4(fencedOf(marksOn(pictureAt(pixel), resultAt(pixel), pixel, place), pixel, place), 1.0);
}`;

/** Distances in colours, with lines of equal distance. */
const MAP = `${HEAD}${RESULT}${FENCE}
uniform sampler2D field;
uniform sampler2D ramp;
uniform vec2 span;
uniform float apart;

float valueAt(vec2 pixel) {
  ivec2 at = ivec2(floor((floor(pixel) - view.xy) / view.z));
  return texelFetch(field, clamp(at, ivec2(0), textureSize(field, 0) - 1), 0).r;
}

void main() {
  vec2 place = placeOf();
  vec2 pixel = pixelOf(place);
  vec3 picture = pictureAt(pixel);
  float value = valueAt(pixel);
  float part = (value - span.x) / max(span.y - span.x, 1e-30);
  bool isKnown = !isinf(value);
  vec3 shown = isKnown ? mix(picture, textureLod(ramp, vec2(part, 0.5), 0.0).rgb, opacity) : picture * 0.45;
  if (apart > 0.0 && isKnown) {
    vec2 reach = reachOf();
    float level = floor(value / apart);
    bool edge = floor(valueAt(pixel + reach) / apart) != level || floor(valueAt(pixel + reach.yx) / apart) != level;
    if (edge) shown = vec3(1.0);
  }
  color = vec4(fencedOf(shown, pixel, place), 1.0);
}`;

/** Classes in their colours; those that are not shown alone are dim. */
const CLASSES = `${HEAD}${RESULT}${FENCE}
uniform sampler2D palette;

void main() {
  vec2 place = placeOf();
  vec2 pixel = pixelOf(place);
  vec3 picture = pictureAt(pixel);
  uint own = resultAt(pixel);
  vec3 shown = own == 0u ? picture * 0.45 : mix(picture, texelFetch(palette, ivec2(int(own), 0), 0).rgb, opacity);
  color = vec4(fencedOf(shown, pixel, place), 1.0);
}`;

const FRAGMENTS = {
  picture: PICTURE,
  tint: TINT,
  objects: OBJECTS,
  chosen: CHOSEN,
  marked: MARKED,
  outlines: OUTLINES,
  fill: FILL,
  ants: ANTS,
  map: MAP,
  classes: CLASSES,
};

/** A part of the canvas by what it shows. */
export type Part = keyof typeof FRAGMENTS;

/** The shader of a part. Code for a fence, or for one channel instead of the colours, is left out if not needed. */
export const fragmentOf = (part: Part, isFenced: boolean, isPlane: boolean): string =>
  `#version 300 es\n${isFenced ? "#define FENCED\n" : ""}${isPlane ? "#define PLANE\n" : ""}${FRAGMENTS[part]}`;
