// The shaders of the view.

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
uniform highp usampler2D labels;
uniform vec2 size;
uniform vec2 canvas;
uniform vec3 camera;
uniform vec3 view;
uniform float divider;
uniform float threshold;
uniform bool dark;
uniform bool settled;
uniform bool grey;
uniform uint hovered;
out vec4 color;

uint labelAt(vec2 pixel) {
  ivec2 at = ivec2(floor((floor(pixel) - view.xy) / view.z));
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, textureSize(labels, 0)))) return 0u;
  return texelFetch(labels, at, 0).r;
}

// Steps of the golden angle: neighbours in number are far apart in hue.
vec3 colorOf(uint label) {
  float hue = fract(float(label) * 0.61803399);
  vec3 rgb = clamp(abs(mod(hue * 6.0 + vec3(0.0, 4.0, 2.0), 6.0) - 3.0) - 1.0, 0.0, 1.0);
  return mix(vec3(1.0), rgb, 0.72) * (0.82 + 0.18 * fract(float(label) * 0.7548777));
}

void main() {
  vec2 place = vec2(gl_FragCoord.x, canvas.y - gl_FragCoord.y);
  vec2 pixel = camera.xy + place / camera.z;
  if (any(lessThan(pixel, vec2(0.0))) || any(greaterThanEqual(pixel, size))) {
    color = vec4(0.0);
    return;
  }
  vec4 own = texture(image, pixel / size);
  vec3 picture = grey ? own.rrr : own.rgb;
  bool line = abs(place.x - divider) < 1.0;
  if (line) {
    color = vec4(1.0);
    return;
  }
  if (place.x < divider) {
    color = vec4(picture, 1.0);
    return;
  }
  vec3 dimmed = picture * 0.45;
  if (!settled) {
    // The comparison that the engine makes, in the integers of Rec. 601.
    vec4 exact = texelFetch(image, ivec2(floor(pixel)), 0);
    ivec3 rgb = ivec3((grey ? exact.rrr : exact.rgb) * 255.0 + 0.5);
    int luma = grey ? rgb.r : (77 * rgb.r + 150 * rgb.g + 29 * rgb.b + 128) >> 8;
    bool inside = dark ? float(luma) < threshold : float(luma) > threshold;
    color = vec4(inside ? mix(picture, vec3(0.35, 0.75, 1.0), 0.6) : dimmed, 1.0);
    return;
  }
  uint label = labelAt(pixel);
  if (label == 0u) {
    color = vec4(dimmed, 1.0);
    return;
  }
  vec3 tint = mix(picture, colorOf(label), 0.7);
  if (label == hovered) {
    float reach = max(1.0, view.z) + 1.0 / camera.z;
    bool edge = labelAt(pixel + vec2(reach, 0.0)) != label || labelAt(pixel - vec2(reach, 0.0)) != label
      || labelAt(pixel + vec2(0.0, reach)) != label || labelAt(pixel - vec2(0.0, reach)) != label;
    tint = edge ? vec3(1.0) : mix(tint, vec3(1.0), 0.25);
  }
  color = vec4(tint, 1.0);
}`;
