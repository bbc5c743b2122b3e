import { fold } from '#catalog/changes/fold.ts';
import { editDistance } from '#core/text/edit-distance.ts';

/** Confusable names, in the manner of UTS 39. Pure. */

/** Letters of other scripts that look like Latin ones. Compatibility forms and accents are folded before. */
const CONFUSABLES: Record<string, string> = {
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

/** The skeleton of a name: equal for names that differ in case, accents, separators, scripts or digits for letters. */
export function skeletonOf(name: string): string {
  const drawn = [...fold(name.toWellFormed())].map((char) => CONFUSABLES[char] ?? char).join('');
  return drawn
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('i', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

const LEAST_CHARS = 5;

/** Whether the edit distance is at most one, counting a swap of neighbours as one. Short names must be equal. */
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

/** Minimum length for listings, which are also distinguished by their publishers. */
export const LEAST_OF_LISTING = 6;

/**
 * Whether one listing's name is a typo of the other. Names that differ in a digit, such as sum-2025 and sum-2026, are not.
 * Skeletons have letters for digits, so the names are compared, too.
 */
export const isSlip = (name: string, other: string): boolean =>
  Math.min(skeletonOf(name).length, skeletonOf(other).length) >= LEAST_OF_LISTING &&
  isNear(skeletonOf(name), skeletonOf(other)) &&
  (/\d/.test(name) ? name.replace(/\d/g, '0') !== other.replace(/\d/g, '0') : true);

/** Parts of the skeleton of which a one-letter typo leaves at least one unchanged. */
export function endsKept(look: string): { head: string; tail: string } {
  const half = Math.floor(look.length / 2);
  return { head: look.slice(0, half - 1), tail: look.slice(half + 1) };
}
