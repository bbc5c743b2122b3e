import { leadOf, titleOf } from './guides.ts';

/** The guides that a search fits. */

export interface FoundGuide {
  name: string;
  title: string;
  lead: string;
}

const MOST_GUIDES = 2;
const MOST_WORDS = 8;

/** Every word must begin a word of the title or the first sentence; those in titles come first. */
export function foundGuides(guides: ReadonlyMap<string, string>, text: string): FoundGuide[] {
  const words = wordsOf(text.slice(0, 400)).slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  return [...guides]
    .map(([name, markdown]) => ({ name, title: titleOf(markdown), lead: leadOf(markdown) }))
    .map((guide) => ({ guide, inTitle: fits(guide.title, words), inAll: fits(`${guide.title} ${guide.lead}`, words) }))
    .filter(({ inAll }) => inAll)
    .toSorted((a, b) => Number(b.inTitle) - Number(a.inTitle))
    .slice(0, MOST_GUIDES)
    .map(({ guide }) => guide);
}

function fits(text: string, words: readonly string[]): boolean {
  const own = wordsOf(text);
  return words.every((word) => own.some((other) => other.startsWith(word)));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
