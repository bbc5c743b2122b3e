/** What a relative path may look like, on its way into the sandbox and out of it. The child loads this file too. */

const MOST_CHARS = 1_024;
/** What file systems of this world take. */
const MOST_SEGMENT_BYTES = 255;
/** Drives, separators and controls of some system, what turns or breaks a line of text, halves of characters. */
const UNFIT = /^[a-z]:|[\\\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/iu;

/** Leads nowhere but below its directory. */
export const isInside = (path: string): boolean =>
  path.length <= MOST_CHARS &&
  !path.includes('\0') &&
  path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');

/** And can be saved on any system, under a name that shows what it is. */
export const isPlainPath = (path: string): boolean =>
  isInside(path) &&
  !UNFIT.test(path) &&
  path.split('/').every((segment) => Buffer.byteLength(segment) <= MOST_SEGMENT_BYTES);
