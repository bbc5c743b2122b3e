import { coreProblem } from '#core/errors.ts';

/**
 * Password rules (NIST SP 800-63B): 8 to 256 characters of any kind, compared in Unicode form NFKC, so that the
 * keyboard does not matter. Only the most common passwords are rejected.
 */

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;

/** The form in which passwords are hashed. */
export const normalPassword = (text: string): string => text.normalize('NFKC');

/** Returns a new password in that form. Throws a 400 `http.invalid` (`input`) for the field. */
export function newPassword(text: string, email: string, field = 'password'): string {
  const password = normalPassword(text);
  const reason = weakness(password, email);
  if (reason !== null)
    throw coreProblem('http.invalid', `Weak password: it ${reason}. Choose another one.`, {
      reason: 'input',
      errors: [{ pointer: `/${field}`, detail: reason }],
    });
  return password;
}

function weakness(password: string, email: string): string | null {
  const characters = [...password.toLowerCase()];
  const core = password
    .toLowerCase()
    .replace(/^[^a-z]{1,256}/, '')
    .replace(/[^a-z]{1,256}$/, '');
  const local = email.slice(0, email.lastIndexOf('@'));
  if (!password.isWellFormed()) return 'contains an unpaired surrogate';
  if (characters.length < PASSWORD_MIN) return `has fewer than ${PASSWORD_MIN} characters`;
  if (new Set(characters).size < 4) return 'repeats a few characters';
  if (isRun(characters)) return 'is a sequence of consecutive characters';
  if (COMMON.has(core)) return 'is a commonly used password';
  if ([email, local].includes(password.toLowerCase())) return 'is the email address';
  return null;
}

/** `12345678`, `hgfedcba`. */
function isRun(characters: string[]): boolean {
  const codes = characters.map((character) => character.codePointAt(0) as number);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] as number)));
  return steps.size === 1 && Math.abs([...steps][0] as number) === 1;
}

/** The most common passwords without digits and signs around them. */
const COMMON = new Set([
  'password',
  'passwort',
  'passw0rd',
  'p@ssword',
  'p@ssw0rd',
  'qwerty',
  'qwertz',
  'azerty',
  'qwertyui',
  'qwertyuiop',
  'asdfgh',
  'asdfghjk',
  'asdfghjkl',
  'zxcvbn',
  'zxcvbnm',
  'letmein',
  'welcome',
  'iloveyou',
  'admin',
  'administrator',
  'abc',
  'abcd',
  'abcdef',
  'football',
  'baseball',
  'basketball',
  'dragon',
  'monkey',
  'sunshine',
  'princess',
  'master',
  'superman',
  'batman',
  'shadow',
  'michael',
  'trustno',
  'starwars',
  'pokemon',
  'whatever',
  'computer',
  'internet',
  'changeme',
  'secret',
  'default',
  'guest',
  'test',
  'testtest',
  'capstan',
  'q1w2e3r4',
  'q1w2e3r4t',
  'w2e3r',
]);
