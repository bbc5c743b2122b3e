import { webAddress } from '#core/outbound/web-address.ts';

/** Text of strangers inside Markdown of ours: it stays text, whatever it is made of. */

/** Invisible or reordering: what hides text from a reader that a machine still reads. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u{FFF9}-\u{FFFB}]/gu;
/** Joiner and emoji selector where they really make an emoji. */
const IN_EMOJI =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F})\u{200D}(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}0-9#*])\u{FE0F}/uy;

/** Each hidden character as `put` says; white space and emoji stay as they are. */
export const replaceHidden = (text: string, put: (char: string, at: number) => string): string =>
  text.toWellFormed().replace(HIDDEN, (char, at: number) => {
    if (char >= '\t' && char <= '\r') return char;
    if (char !== '\u{200D}' && char !== '\u{FE0F}') return put(char, at);
    IN_EMOJI.lastIndex = at;
    return IN_EMOJI.test(text) ? char : put(char, at);
  });

/** Zero-width, bidirectional and control characters become `⟨U+200B⟩`. */
export const visible = (text: string): string =>
  replaceHidden(text, (char) => {
    const shown = SHOWN.get(char) ?? `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
    SHOWN.set(char, shown);
    return shown;
  });

/** There are some four thousand at most. */
const SHOWN = new Map<string, string>();

/**
 * Addresses, which many readers of Markdown turn into links by themselves, escaped or not. Each part is tried only
 * where it can begin, and then taken whole, so that no character is looked at more than a few times.
 */
const ADDRESS = /(?:(?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:)?\/\/|www\.)[^\s|]+|(?<![^\s@|])[^\s@|]+@[^\s@|]+/gi;
const SPECIAL = /[\\`*_[\]<>&#|~$!{}]/g;
/** What makes a list, a heading underline or a rule, but only where a line begins. */
const AT_START = /^(?:[-+=:]|\d{1,9}(?=[.)]))/;

/** One line of text, without links, markup or line breaks of its own. Addresses in it show as code. */
export const escapeInline = (text: string): string =>
  escapeWithin(text).replace(AT_START, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));

/** The same for the middle of a line of ours, where digits and dashes begin no list. */
export const escapeWithin = (text: string): string => {
  const line = visible(text).replace(/\s+/gu, ' ').trim();
  let escaped = '';
  let from = 0;
  for (const { 0: address, index } of line.matchAll(ADDRESS)) {
    escaped += escapeSpecial(line.slice(from, index)) + codeSpan(address);
    from = index + address.length;
  }
  return escaped + escapeSpecial(line.slice(from));
};

const escapeSpecial = (text: string): string => text.replace(SPECIAL, '\\$&');

/** A code span whose fence is longer than any run of backticks inside. Not for tables, where `|` ends a cell. */
export const codeSpan = (text: string): string => {
  const line = visible(text).replace(/\s+/gu, ' ').trim();
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
};

/** A fenced block that its content cannot close. `language` is ours. */
export const codeBlock = (text: string, language = ''): string => {
  const lines = text
    .split(/\r\n|[\r\n\u{2028}\u{2029}]/u)
    .map(visible)
    .join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}${language}\n${lines}\n${fence}`;
};

/** A link to a web address of a stranger's, or its text where it is none. */
export const webLink = (text: string, address: string): string => {
  const url = webAddress(address);
  if (url === null) return escapeInline(text);
  const target = url.replace(/[()<>\\`|*_[\]]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `[${visible(text).replace(/\s+/gu, ' ').trim().replace(SPECIAL, '\\$&')}](<${target}>)`;
};

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
