import { fold } from '#catalog/changes/fold.ts';
import { editDistance } from '#core/text/edit-distance.ts';

/** When two names look alike. Pure. */

/** Letters of other scripts that are drawn as Latin ones; compatibility forms and accents are folded before. */
const DRAWN_ALIKE: Record<string, string> = {
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ғ: 'f',
  һ: 'h',
  і: 'i',
  ј: 'j',
  к: 'k',
  ӏ: 'l',
  м: 'm',
  н: 'h',
  п: 'n',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  у: 'y',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  ь: 'b',
  з: 'e',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  μ: 'u',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  γ: 'y',
  ω: 'w',
  σ: 'o',
  ı: 'i',
  ɡ: 'g',
  ɑ: 'a',
  ƅ: 'b',
  ɩ: 'i',
  ʟ: 'l',
  օ: 'o',
  ո: 'n',
  ս: 'u',
  հ: 'h',
  ց: 'g',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'p',
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '|': 'l',
  '!': 'l',
  $: 's',
  '@': 'a',
};

/** What names that look alike have in common: case, accents, separators, scripts and digits for letters do not matter. */
export function lookOf(name: string): string {
  const drawn = [...fold(name.toWellFormed())].map((char) => DRAWN_ALIKE[char] ?? char).join('');
  return drawn
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('i', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

const LEAST_CHARS = 5;

/**
 * Whether one letter more, less or other, or two neighbours in each other's place, make one of the other; short names are
 * too near to each other for that.
 */
export const isNear = (look: string, other: string): boolean =>
  look === other ||
  (Math.min(look.length, other.length) >= LEAST_CHARS &&
    Math.abs(look.length - other.length) <= 1 &&
    (editDistance(look, other) <= 1 || isSwapped(look, other)));

function isSwapped(look: string, other: string): boolean {
  const at = [...look].findIndex((char, index) => char !== other[index]);
  const swapped = `${look.slice(0, at)}${look[at + 1]}${look[at]}${look.slice(at + 2)}`;
  return look.length === other.length && at >= 0 && at < look.length - 1 && swapped === other;
}

/** Of listings, whose publishers tell them apart: six letters at least. */
export const LEAST_OF_LISTING = 6;

/**
 * Whether one listing's name is a slip of the other: not where digits tell them apart, as in sum-2025 and sum-2026. Looks
 * have letters for digits, so the names are looked at too.
 */
export const isSlip = (name: string, other: string): boolean =>
  Math.min(lookOf(name).length, lookOf(other).length) >= LEAST_OF_LISTING &&
  isNear(lookOf(name), lookOf(other)) &&
  (/\d/.test(name) ? name.replace(/\d/g, '0') !== other.replace(/\d/g, '0') : true);

/** What stays as it was at the one end or the other, wherever one letter slips. */
export function endsKept(look: string): { head: string; tail: string } {
  const half = Math.floor(look.length / 2);
  return { head: look.slice(0, half - 1), tail: look.slice(half + 1) };
}
