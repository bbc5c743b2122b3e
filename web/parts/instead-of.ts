import { type Html, html } from '../server/html.ts';
import { type Asked, addressOf } from './asked.ts';

interface Instead {
  corrected?: { from: string; to: string }[];
  translated?: { from: string; to: string }[];
}

/** What was searched for instead of what was typed, or that it was searched for as it is; both with the way back. */
export function insteadOf({ corrected = [], translated = [] }: Instead, asked: Asked): Html | null {
  if (asked.as_typed && asked.search !== '')
    return html`<p class="hint">Results for <b><bdi>${asked.search}</bdi></b> as typed. <a href="${addressOf({ ...asked, as_typed: false, offset: 0 })}">Correct and translate words too</a></p>`;
  if (corrected.length === 0 && translated.length === 0) return null;
  const instead = [...corrected, ...translated];
  const text = NO_SPACES.test(asked.search)
    ? instead.map(({ to }) => to).join(' ')
    : instead.reduce((words, { from, to }) => replaced(words, from, to), asked.search);
  return html`<p class="hint">Results for <b><bdi>${text}</bdi></b>. <a href="${addressOf({ ...asked, as_typed: true, offset: 0 })}">Search for <bdi>${asked.search}</bdi> instead</a></p>`;
}

/** Scripts without spaces between words. */
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** `from` is folded: in lower case, without accents. */
function replaced(text: string, from: string, to: string): string {
  const at = folded(text).indexOf(from);
  return at === -1 ? `${text} (${to})` : folded(text).slice(0, at) + to + folded(text).slice(at + from.length);
}

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();
