import { webAddress } from '#core/outbound/web-address.ts';

/** Escapes untrusted text for our own Markdown, so that it stays plain text. */

/** Invisible and reordering characters, which hide text from readers but not from machines. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u{FFF9}-\u{FFFB}]/gu;
/** Joiners and variation selectors that are part of an emoji. */
const IN_EMOJI =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F})\u{200D}(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}0-9#*])\u{FE0F}/uy;

/** Replaces each hidden character with the result of `put`. White space and emoji stay. */
export const replaceHidden = (text: string, put: (char: string, at: number) => string): string =>
  text.toWellFormed().replace(HIDDEN, (char, at: number) => {
    if (char >= '\t' && char <= '\r') return char;
    if (char !== '\u{200D}' && char !== '\u{FE0F}') return put(char, at);
    IN_EMOJI.lastIndex = at;
    return IN_EMOJI.test(text) ? char : put(char, at);
  });

/** Shows zero-width, bidirectional and control characters as `⟨U+200B⟩`. */
export const visible = (text: string): string =>
  replaceHidden(text, (char) => {
    const shown = SHOWN.get(char) ?? `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
    SHOWN.set(char, shown);
    return shown;
  });

/** At most about four thousand entries. */
const SHOWN = new Map<string, string>();

/**
 * Addresses that many Markdown renderers turn into links, even if escaped. A match is tried only where one can begin
 * and then taken whole, so that no character is read more than a few times.
 */
const ADDRESS = /(?:(?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:)?\/\/|www\.)[^\s|]+|(?<![^\s@|])[^\s@|]+@[^\s@|]+/gi;
const SPECIAL = /[\\`*_[\]<>&#|~$!{}]/g;
/** Starts a list, a heading underline or a rule, but only at the beginning of a line. */
const AT_START = /^(?:[-+=:]|\d{1,9}(?=[.)]))/;

/** Escapes one line of text: no links, markup or line breaks. Addresses become code. */
export const escapeInline = (text: string): string =>
  escapeWithin(text).replace(AT_START, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));

/** Like `escapeInline`, for the middle of a line, where digits and dashes do not start a list. */
export function escapeWithin(text: string): string {
  const line = visible(text).replace(/\s+/gu, ' ').trim();
  let escaped = '';
  let from = 0;
  for (const { 0: address, index } of line.matchAll(ADDRESS)) {
    escaped += escapeSpecial(line.slice(from, index)) + spanOf(address);
    from = index + address.length;
  }
  return escaped + escapeSpecial(line.slice(from));
}

const escapeSpecial = (text: string): string => text.replace(SPECIAL, '\\$&');

/** A code span whose fence is longer than any run of backticks inside. Not for tables, where `|` ends a cell. */
export function codeSpan(text: string): string {
  const line = visible(text).replace(/\s+/gu, ' ').trim();
  return line === '' ? '' : spanOf(line);
}

/** Of one line that is visible already. A line may have thousands of addresses, so they are not cleaned again. */
function spanOf(line: string): string {
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A fenced block that its content cannot close. `language` is trusted. */
export function codeBlock(text: string, language = ''): string {
  const lines = text
    .split(/\r\n|[\r\n\u{2028}\u{2029}]/u)
    .map(visible)
    .join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}${language}\n${lines}\n${fence}`;
}

/** A link to an untrusted web address, or only the text if the address is invalid. */
export function webLink(text: string, address: string): string {
  const url = webAddress(address);
  if (url === null) return escapeInline(text);
  const target = url.replace(/[()<>\\`|*_[\]]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `[${visible(text).replace(/\s+/gu, ' ').trim().replace(SPECIAL, '\\$&')}](<${target}>)`;
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
