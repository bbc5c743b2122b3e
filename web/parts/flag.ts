import { type Html, html, raw } from '../server/html.ts';

/**
 * The icon of a listing that has none: a signal flag drawn from its id. The same id always gives the same flag. It is decoration and
 * never an identifier, because two listings can have the same flag.
 */

/** The colours of the ground and of the figure. */
const COLOURS: readonly (readonly [ground: string, figure: string])[] = [
  ['#0b5461', '#f4ead2'],
  ['#f4ead2', '#0b5461'],
  ['#17323f', '#e8b04a'],
  ['#e8b04a', '#17323f'],
  ['#b5432f', '#f7ecd8'],
  ['#f7ecd8', '#b5432f'],
  ['#29507f', '#f5eedd'],
  ['#29507f', '#f0bb55'],
  ['#4c9aa3', '#14303a'],
  ['#93c9d3', '#0d4a57'],
  ['#d9662f', '#f8e8c8'],
  ['#17323f', '#d9662f'],
  ['#68497a', '#f2dfca'],
  ['#507b56', '#f5eedd'],
  ['#8c3040', '#f0d2b2'],
  ['#dd9c8d', '#672638'],
  ['#ecc877', '#8a3126'],
  ['#5d8d86', '#f5eedd'],
];

/** The figures on a ground of 40 by 40. */
const PATTERNS: readonly string[] = [
  // Halves, quarters and thirds.
  'M0 0h40v20H0z',
  'M0 0h20v20H0zm20 20h20v20H20z',
  'M0 14h40v12H0z',
  'M0 0h40v10H0zm0 30h40v10H0z',
  'M0 0h12v40H0z',
  // Corners and triangles.
  'M0 0h40L0 40z',
  'M0 0l40 20L0 40z',
  'M0 0h40L20 20zm0 40h40L20 20z',
  'M0 20L20 0h20L0 40z',
  'M20 4l17 32H3z',
  // Crosses.
  'M16 0h8v16h16v8H24v16h-8V24H0v-8h16z',
  'M10 0h8v16h22v8H18v16h-8V24H0v-8h10z',
  'M0 0h8l12 12L32 0h8v8L28 20l12 12v8h-8L20 28 8 40H0v-8l12-12L0 8z',
  // One figure in the middle.
  'M12 12h16v16H12z',
  'M20 6l14 14-14 14L6 20z',
  'M20 9a11 11 0 1 1 0 22 11 11 0 0 1 0-22z',
  'M20 7a13 13 0 1 1 0 26 13 13 0 0 1 0-26zm0 7a6 6 0 1 0 0 12 6 6 0 0 0 0-12z',
  'M0 0h40v40H0zm7 7v26h26V7z',
  // Stripes and checks.
  'M0 0h40v8H0zm0 16h40v8H0zm0 16h40v8H0z',
  'M0 0h14L0 14zm28 0h12v2L2 40H0V28zm12 26v14H26z',
  'M0 0h10v10H0zm20 0h10v10H20zM10 10h10v10H10zm20 0h10v10H30zM0 20h10v10H0zm20 0h10v10H20zM10 30h10v10H10zm20 0h10v10H30z',
  // Waves, a quarter of a disc, and a disc above a stripe.
  'M0 12l20-9 20 9v9l-20-9-20 9zm0 18l20-9 20 9v9l-20-9-20 9z',
  'M0 0h34A34 34 0 0 1 0 34z',
  'M20 5a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM0 30h40v6H0z',
];

const TURNS = 4;

/** All flags that there are. */
export const FLAGS = COLOURS.length * PATTERNS.length * TURNS;

/** The number of the flag of a listing, from 0. */
export function flagNumber(id: string): number {
  // FNV-1a, whose last bits are mixed so that ids that differ in one character differ in each part of the flag.
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) % FLAGS;
}

/** The parts of a flag by its number: colours, the path of the figure, and its turn in degrees. */
export function flagParts(number: number): { ground: string; figure: string; pattern: string; turn: number } {
  const [ground, figure] = COLOURS[number % COLOURS.length] as (typeof COLOURS)[number];
  const rest = Math.floor(number / COLOURS.length);
  const pattern = PATTERNS[rest % PATTERNS.length] as string;
  return { ground, figure, pattern, turn: Math.floor(rest / PATTERNS.length) * 90 };
}

/** The drawing of a flag by its number. */
export function flagDrawing(number: number): string {
  const { ground, figure, pattern, turn } = flagParts(number);
  const turned = turn === 0 ? '' : ` transform="rotate(${turn} 20 20)"`;
  return `<path fill="${ground}" d="M0 0h40v40H0z"/><path fill="${figure}" fill-rule="evenodd"${turned} d="${pattern}"/>`;
}

/** `size` is small (24 px), of cards (32), of rows (40) or of titles (72). */
export const flag = (id: string, size: 's' | 'm' | 'l' | 'xl' = 'l'): Html =>
  html`<svg class="flag ${size}" viewBox="0 0 40 40" aria-hidden="true" focusable="false">${raw(flagDrawing(flagNumber(id)))}</svg>`;
