import { stringsIn } from '#core/text/json-text.ts';
import { isSecretName, MASK, redactSecrets } from '#core/text/redact.ts';
import { ownTurn } from '#core/threads/own-turn.ts';

/**
 * Takes what looks like a secret, and given words such as the owner's email address, out of a value that others will
 * see. A result may have a megabyte of text, so the event loop gets its turn in between.
 */

export interface Concealer {
  /** Takes the values of members with secret names out of everything that follows, because a result may repeat them elsewhere. */
  learn(json: string): Promise<void>;
  text(text: string): Promise<string>;
  /** The texts and names in valid JSON, which is not parsed: an object with very many members would hold the event loop. */
  json(json: string): Promise<string>;
  bytes(bytes: Uint8Array): Promise<Uint8Array>;
  /** How many texts were changed so far. */
  count(): number;
}

/** Characters that are read without a pause. */
const CHUNK = 32_768;
/** Characters that a text counts for beside its own. */
const EACH = 16;

/** Private keys span lines, so they are taken out before a text is split at its lines. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;

export function concealer(words: readonly string[]): Concealer {
  const hidden = new Set(words.filter((word) => word.length >= LEAST_WORD));
  let hiddenWords = anyOf(hidden);
  const cleanOf: Clean = (text) => redactSecrets(hiddenWords === null ? text : text.replace(hiddenWords, MASK));
  let changed = 0;
  let read = 0;
  const pause = async (characters: number): Promise<void> => {
    read += characters;
    if (read < CHUNK) return;
    read = 0;
    await ownTurn();
  };
  const long = async (given: string): Promise<string> => {
    const whole = given.replace(PRIVATE_KEY, MASK);
    let clean = '';
    for (let at = 0; at < whole.length; ) {
      const end = endOfChunk(whole, at, cleanOf);
      clean += cleanOf(whole.slice(at, end));
      await pause(end - at);
      at = end;
    }
    return clean;
  };
  const noted = (given: string, clean: string): string => {
    if (clean !== given) changed++;
    return clean;
  };
  const text = async (given: string): Promise<string> => {
    // A text takes time even if it is empty.
    await pause(EACH);
    return noted(given, await long(given));
  };
  const learn = async (given: string): Promise<void> => {
    let left = MOST_LEARNED;
    for (const { text: string, value_of: member } of stringsIn(given)) {
      if (read + EACH + string.length < CHUNK) read += EACH + string.length;
      else await pause(EACH + string.length);
      if (member === null || !isLearned(string) || !isSecretName(member)) continue;
      hidden.add(string);
      left -= 1;
      if (left === 0) break;
    }
    hiddenWords = anyOf(hidden);
  };
  const json = async (given: string): Promise<string> => {
    let clean = '';
    let copied = 0;
    for (const { from, end, text: string, value_of: member } of stringsIn(given)) {
      const shown = await shownString(string, member);
      if (shown !== string) {
        clean += given.slice(copied, from) + JSON.stringify(shown);
        copied = end;
      }
    }
    return copied === 0 ? given : clean + given.slice(copied);
  };
  /** Most strings are short, and without a promise of their own. */
  const shownString = (string: string, member: string | null): string | Promise<string> => {
    const isBrief = string.length < CHUNK && read + EACH + string.length < CHUNK;
    if (!isBrief) return pause(EACH).then(() => stringAlone(string, member));
    read += EACH + string.length;
    return secretOf(string, member) ?? noted(string, briefly(string));
  };
  const stringAlone = async (string: string, member: string | null): Promise<string> =>
    secretOf(string, member) ?? noted(string, await long(string));
  const secretOf = (string: string, member: string | null): string | null => {
    if (member === null || string === '' || !isSecretName(member)) return null;
    changed++;
    return MASK;
  };
  const briefly = (given: string): string => (given === '' ? '' : cleanOf(given.replace(PRIVATE_KEY, MASK)));
  return {
    learn,
    text,
    json,
    count: () => changed,
    bytes: async (bytes) => {
      const given = textOf(bytes);
      if (given === null) return bytes;
      const clean = await text(given);
      return clean === given ? bytes : Buffer.from(clean);
    },
  };
}

/** Shorter words occur in other texts by chance. */
const LEAST_WORD = 6;
/** Of one value. Each is looked for at each character. */
const MOST_LEARNED = 20;
const LONGEST_LEARNED = 256;

const isLearned = ({ length }: string): boolean => length >= LEAST_WORD && length <= LONGEST_LEARNED;

/** Addresses are the same in any case. A word that contains another one is found first. */
function anyOf(words: ReadonlySet<string>): RegExp | null {
  if (words.size === 0) return null;
  const longestFirst = [...words].toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((word) => RegExp.escape(word)).join('|'), 'gi');
}

type Clean = (text: string) => string;

/** A text is split after one of these, in this order. */
const BREAKS = ['\n', ' ', ',', '"'];
/** Characters before the limit where a place to split is looked for, and those around it that decide. */
const LOOKED_AT = 4_096;
const AROUND = 512;
const MOST_TRIES = 8;

/** A place to split the text where no secret begins before it and ends after it. */
function endOfChunk(text: string, at: number, cleanOf: Clean): number {
  const limit = at + CHUNK;
  if (limit >= text.length) return text.length;
  const start = limit - LOOKED_AT;
  const last = text.slice(start, limit);
  for (const mark of BREAKS) {
    let place = last.lastIndexOf(mark);
    for (let tries = 0; place > 0 && tries < MOST_TRIES; tries++) {
      if (isBetweenSecrets(text, start + place + 1, cleanOf)) return start + place + 1;
      place = last.lastIndexOf(mark, place - 1);
    }
  }
  return limit;
}

function isBetweenSecrets(text: string, place: number, cleanOf: Clean): boolean {
  const [before, after] = [text.slice(place - AROUND, place), text.slice(place, place + AROUND)];
  return cleanOf(before + after) === cleanOf(before) + cleanOf(after);
}

/** Null if the bytes are not text. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
