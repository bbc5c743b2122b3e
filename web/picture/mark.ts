import type { Pixels } from './png.ts';

/** The logo as pixels, drawn by distances to its strokes: `style/icon.svg` where an SVG is not taken. */

type Colour = readonly [red: number, green: number, blue: number];
type Distance = (x: number, y: number) => number;

/** On a square of 48, the middle of the drum in its middle. */
const SIDE = 48;
const MIDDLE = SIDE / 2;
const STROKE = 2.8;
const CORNER = 11;

const GROUND: Colour = [0x0b, 0x54, 0x61];
const WHITE: Colour = [0xff, 0xff, 0xff];
const ROPE: Colour = [0xf3, 0x9a, 0x5b];

const DRUM = 7.5;

/** From a line between two points. */
function line(x1: number, y1: number, x2: number, y2: number): Distance {
  const [dx, dy] = [x2 - x1, y2 - y1];
  return (x, y) => {
    const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
    return Math.hypot(x - x1 - dx * along, y - y1 - dy * along) - STROKE / 2;
  };
}

const disc =
  (radius: number): Distance =>
  (x, y) =>
    Math.hypot(x, y) - radius;

/** The upper half of the drum's edge. */
const arc: Distance = (x, y) =>
  (y <= 0 ? Math.abs(Math.hypot(x, y) - DRUM) : Math.hypot(Math.abs(x) - DRUM, y)) - STROKE / 2;

const bars = [line(0, -13, 0, 13), line(-11.3, -6.5, 11.3, 6.5), line(11.3, -6.5, -11.3, 6.5)];
const tail = line(DRUM, 0, DRUM, 15);

/** From the bottom to the top. */
const LAYERS: readonly (readonly [Colour, Distance])[] = [
  [WHITE, (x, y) => Math.min(...bars.map((bar) => bar(x, y)))],
  [WHITE, disc(DRUM + STROKE / 2)],
  [GROUND, disc(DRUM - STROKE / 2)],
  [ROPE, (x, y) => Math.min(arc(x, y), tail(x, y))],
  [WHITE, disc(3)],
];

/** A square filled to its edges, or with round corners and their transparency. */
export function markPixels(size: number, hasCorners = false): Pixels {
  const rgb = new Uint8Array(size * size * 3);
  const alpha = hasCorners ? new Uint8Array(size * size) : undefined;
  const scale = SIDE / size;
  for (let at = 0; at < size * size; at++) {
    const x = ((at % size) + 0.5) * scale - MIDDLE;
    const y = (Math.floor(at / size) + 0.5) * scale - MIDDLE;
    let colour: Colour = GROUND;
    for (const [own, distance] of LAYERS) colour = mixed(colour, own, covered(distance(x, y), scale));
    rgb.set(colour, at * 3);
    if (alpha !== undefined) alpha[at] = Math.round(covered(corner(x, y), scale) * 255);
  }
  return alpha === undefined ? { width: size, height: size, rgb } : { width: size, height: size, rgb, alpha };
}

/** How much of a pixel is within the edge. */
const covered = (distance: number, scale: number): number => Math.max(0, Math.min(1, 0.5 - distance / scale));

const mixed = (below: Colour, above: Colour, share: number): Colour =>
  share === 0
    ? below
    : ([0, 1, 2].map((at) => (below[at] as number) * (1 - share) + (above[at] as number) * share) as unknown as Colour);

const corner: Distance = (x, y) => {
  const inner = MIDDLE - CORNER;
  return Math.hypot(Math.max(0, Math.abs(x) - inner), Math.max(0, Math.abs(y) - inner)) - CORNER;
};
