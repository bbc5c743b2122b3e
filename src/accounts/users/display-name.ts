import { Type } from '#core/json-schema/type.ts';

const MAX_CHARACTERS = 80;

/** No control characters, except for joiners that scripts and emoji need. */
const CHARACTERS = /^(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|[\u200C\u200D])+$/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

const isVisibleName = (text: string): boolean => text.trim() === text && CHARACTERS.test(text) && VISIBLE.test(text);

/** A name that people read. Checked in code, because not every JSON Schema implementation supports Unicode classes. */
export const visibleName = (what: string) =>
  Type.Refine(
    Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS,
      description: `${what} Any script. No control characters, no leading or trailing spaces.`,
    }),
    isVisibleName,
    () => 'must contain a visible character, no control characters, and no leading or trailing spaces',
  );

/** The name that others see. */
export const DisplayName = visibleName('Display name.');

/** Converts an external name to one that a user could have chosen; empty if nothing visible is left. */
export function cleanDisplayName(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[^\P{Cf}\u200C\u200D]|[\p{Cc}\p{Cs}\p{Co}]/gu, '')
    .trim();
  const name = [...plain].slice(0, MAX_CHARACTERS).join('').trim();
  return VISIBLE.test(name) ? name : '';
}
