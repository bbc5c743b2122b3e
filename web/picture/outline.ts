/** The paths of our own drawings as polygons: M, L, H, V, A and Z, in both cases, with circular arcs. */

type Point = readonly [x: number, y: number];

const TOKEN = /[a-z]|-?(?:\d*\.\d+|\d+)/gi;
const ARC_STEPS = 24;

/** Numbers that follow a command. */
const TAKES: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, a: 7, z: 0 };

export function polygonsOf(path: string): Point[][] {
  const tokens = path.match(TOKEN) ?? [];
  const polygons: Point[][] = [];
  let pen: Point = [0, 0];
  let command = 'M';
  for (let at = 0; at < tokens.length; ) {
    if (/^[a-z]$/i.test(tokens[at] as string)) command = tokens[at++] as string;
    const lower = command.toLowerCase();
    const numbers = tokens.slice(at, at + (TAKES[lower] ?? 0)).map(Number);
    at += numbers.length;
    if (lower === 'z') {
      pen = polygons.at(-1)?.[0] ?? pen;
      continue;
    }
    const next = reached(command, numbers, pen);
    if (lower === 'm') polygons.push([next]);
    else if (lower === 'a') polygons.at(-1)?.push(...arc(pen, next, numbers));
    else polygons.at(-1)?.push(next);
    pen = next;
    // What follows a move without a command is a line.
    if (lower === 'm') command = command === 'm' ? 'l' : 'L';
  }
  return polygons;
}

function reached(command: string, numbers: readonly number[], [x, y]: Point): Point {
  const lower = command.toLowerCase();
  const [baseX, baseY] = command === lower ? [x, y] : [0, 0];
  const last = numbers.at(-1) ?? 0;
  if (lower === 'h') return [baseX + last, y];
  if (lower === 'v') return [x, baseY + last];
  return [baseX + (numbers.at(-2) ?? 0), baseY + last];
}

/** A part of a circle, as SVG defines it by its ends. */
function arc([x1, y1]: Point, [x2, y2]: Point, [given = 0, , , large, sweep]: readonly number[]): Point[] {
  const [dx, dy] = [(x2 - x1) / 2, (y2 - y1) / 2];
  const half = Math.hypot(dx, dy);
  const radius = Math.max(given, half);
  const height = Math.sqrt(radius ** 2 - half ** 2) * (large === sweep ? -1 : 1);
  const [centreX, centreY] = [x1 + dx - (dy / half) * height, y1 + dy + (dx / half) * height];
  const from = Math.atan2(y1 - centreY, x1 - centreX);
  let turn = Math.atan2(y2 - centreY, x2 - centreX) - from;
  if (sweep === 1 && turn < 0) turn += 2 * Math.PI;
  if (sweep === 0 && turn > 0) turn -= 2 * Math.PI;
  return Array.from({ length: ARC_STEPS }, (_, step) => {
    const angle = from + (turn * (step + 1)) / ARC_STEPS;
    return [centreX + radius * Math.cos(angle), centreY + radius * Math.sin(angle)];
  });
}

/** Rows of points in a pixel. */
const SUB_ROWS = 4;

/** How much of each pixel of a square polygons cover, from 0 to 1, row after row. What is enclosed twice is not covered. */
export function coverage(polygons: readonly (readonly Point[])[], side: number): Float32Array {
  const covered = new Float32Array(side * side);
  for (let row = 0; row < side * SUB_ROWS; row++) {
    const crossings = crossingsAt(polygons, (row + 0.5) / SUB_ROWS);
    const line = covered.subarray(Math.floor(row / SUB_ROWS) * side, (Math.floor(row / SUB_ROWS) + 1) * side);
    for (let at = 0; at + 1 < crossings.length; at += 2)
      cover(line, Math.max(0, crossings[at] as number), Math.min(side, crossings[at + 1] as number));
  }
  return covered;
}

/** Where a horizontal line crosses the edges, from left to right. */
function crossingsAt(polygons: readonly (readonly Point[])[], y: number): number[] {
  const crossings: number[] = [];
  for (const polygon of polygons)
    for (let at = 0, before = polygon.length - 1; at < polygon.length; before = at++) {
      const [x1, y1] = polygon[at] as Point;
      const [x2, y2] = polygon[before] as Point;
      if (y1 > y !== y2 > y) crossings.push(((x2 - x1) * (y - y1)) / (y2 - y1) + x1);
    }
  return crossings.sort((a, b) => a - b);
}

function cover(line: Float32Array, from: number, to: number): void {
  for (let x = Math.floor(from); x < to; x++)
    line[x] = (line[x] as number) + (Math.min(to, x + 1) - Math.max(from, x)) / SUB_ROWS;
}

/** Polygons of a drawing in other units and turned about its middle, by quarters. */
export function placed(
  polygons: readonly Point[][],
  { side, to, turn }: { side: number; to: number; turn: number },
): Point[][] {
  const scale = to / side;
  const [cos, sin] = [Math.round(Math.cos((turn * Math.PI) / 180)), Math.round(Math.sin((turn * Math.PI) / 180))];
  return polygons.map((polygon) =>
    polygon.map(([x, y]): Point => {
      const [u, v] = [x - side / 2, y - side / 2];
      return [(u * cos - v * sin + side / 2) * scale, (u * sin + v * cos + side / 2) * scale];
    }),
  );
}
