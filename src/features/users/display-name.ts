import Type from 'typebox';

/** Begins and ends visibly, has something to see, and no controls but the joiners that scripts and emoji need. */
const PATTERN =
  '^(?!\\s)(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])(?:[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}]|[\\u200C\\u200D])+(?<!\\s)$';

/** The name that others see. */
export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: PATTERN,
  description: 'Any script. No control characters, no spaces around it.',
});

const MAX_CHARACTERS = 80;

/** A name from elsewhere in the form that a user could have given it; empty where nothing visible is left. */
export function cleanDisplayName(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[^\P{Cf}\u200C\u200D]|[\p{Cc}\p{Cs}\p{Co}]/gu, '')
    .trim();
  const name = [...plain].slice(0, MAX_CHARACTERS).join('').trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : '';
}
