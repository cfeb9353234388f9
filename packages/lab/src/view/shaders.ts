// The shaders of the view: one triangle over the canvas, one fragment shader for the picture on the left of the divider and the
// result on its right. It is drawn once per tile of the picture, cut to that tile.

export const VERTEX = `#version 300 es
void main() {
  // One triangle that covers the canvas.
  vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}`;

export const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D image;
uniform highp usampler2D result;
uniform sampler2D palette;
uniform highp usampler2D flags;
uniform vec4 tile;
uniform vec2 canvas;
uniform vec3 camera;
uniform vec3 view;
uniform float divider;
uniform vec2 level;
uniform bool grey;
uniform bool deep;
uniform int tool;
uniform int rule;
uniform int channel;
uniform vec2 bounds;
uniform bool settled;
uniform uint hovered;
uniform float ants;
uniform vec2 crosshair;
out vec4 color;

const int COLOURS = 4096;
const int FLAGS = 4096;

uint resultAt(vec2 pixel) {
  ivec2 at = ivec2(floor((floor(pixel) - view.xy) / view.z));
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, textureSize(result, 0)))) return 0u;
  return texelFetch(result, at, 0).r;
}

bool isSelected(uint label) {
  ivec2 at = ivec2(int(label) % FLAGS, int(label) / FLAGS);
  return at.y < textureSize(flags, 0).y && texelFetch(flags, at, 0).r != 0u;
}

vec3 pictureAt(vec2 pixel) {
  vec4 own = texture(image, (pixel - tile.xy) / tile.zw);
  vec3 rgb = grey ? own.rrr : own.rgb;
  return deep ? clamp((rgb - level.x) / max(level.y - level.x, 1e-30), 0.0, 1.0) : rgb;
}

// The comparison that the engine makes, in the integers of Rec. 601.
bool isInside(vec2 pixel) {
  vec4 own = texelFetch(image, ivec2(floor(pixel - tile.xy)), 0);
  if (!deep) own = floor(own * 255.0 + 0.5);
  ivec3 rgb = ivec3(own.rgb);
  float luma = grey ? own.r : float((77 * rgb.r + 150 * rgb.g + 29 * rgb.b + 128) >> 8);
  float value = grey || channel == 0 ? luma : own[channel - 1];
  if (rule == 0) return value > bounds.y;
  if (rule == 1) return value < bounds.y;
  if (rule == 2) return value > bounds.y || value < min(bounds.x, bounds.y);
  return any(notEqual(grey ? own.rrr : own.rgb, vec3(0.0)));
}

vec3 objectAt(vec2 pixel, vec3 picture) {
  vec3 dimmed = picture * 0.45;
  if (!settled && rule < 4) return isInside(pixel) ? mix(picture, vec3(0.35, 0.75, 1.0), 0.6) : dimmed;
  uint label = resultAt(pixel);
  if (label == 0u) return dimmed;
  vec3 own = texelFetch(palette, ivec2(int(label % uint(COLOURS)), 0), 0).rgb;
  vec3 tint = mix(picture, own, 0.6);
  float reach = max(view.z, 1.0 / camera.z);
  bool edge = resultAt(pixel + vec2(reach, 0.0)) != label || resultAt(pixel - vec2(reach, 0.0)) != label
    || resultAt(pixel + vec2(0.0, reach)) != label || resultAt(pixel - vec2(0.0, reach)) != label;
  if (label == hovered || isSelected(label)) return edge ? vec3(1.0) : mix(tint, vec3(1.0), label == hovered ? 0.3 : 0.15);
  return edge ? tint * 0.7 : tint;
}

// Bit 0: selected; bit 1: what a click would take; from bit 8 on the number of a colour that was painted.
vec3 fillAt(vec2 pixel, vec2 place, vec3 picture) {
  uint bits = resultAt(pixel);
  uint coat = bits >> 8;
  vec3 shown = coat > 0u ? texelFetch(palette, ivec2(int(coat), 0), 0).rgb : picture;
  if ((bits & 2u) != 0u) shown = mix(shown, vec3(0.35, 0.75, 1.0), 0.35);
  if ((bits & 1u) == 0u) return shown;
  float reach = max(view.z, 1.0 / camera.z);
  bool edge = (resultAt(pixel + vec2(reach, 0.0)) & resultAt(pixel - vec2(reach, 0.0))
    & resultAt(pixel + vec2(0.0, reach)) & resultAt(pixel - vec2(0.0, reach)) & 1u) == 0u;
  if (!edge) return mix(shown, vec3(0.35, 0.75, 1.0), 0.3);
  return mod(floor((place.x + place.y + ants) / 4.0), 2.0) < 1.0 ? vec3(1.0) : vec3(0.0);
}

void main() {
  vec2 place = vec2(gl_FragCoord.x, canvas.y - gl_FragCoord.y);
  vec2 pixel = camera.xy + place / camera.z;
  if (any(lessThan(pixel, tile.xy)) || any(greaterThanEqual(pixel, tile.xy + tile.zw))) discard;
  vec3 picture = pictureAt(pixel);
  vec3 shown = place.x < divider ? picture : tool == 0 ? objectAt(pixel, picture) : fillAt(pixel, place, picture);
  vec2 from = abs(place - (crosshair - camera.xy) * camera.z);
  if (min(from.x, from.y) < 1.0 && max(from.x, from.y) < 14.0 && max(from.x, from.y) > 3.0) shown = 1.0 - shown;
  if (abs(place.x - divider) < 1.0) shown = vec3(1.0);
  color = vec4(shown, 1.0);
}`;
