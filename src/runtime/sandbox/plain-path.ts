/** Rules for relative paths into and out of the sandbox. The child loads this file, too. */

const MOST_CHARS = 1_024;
/** The limits of common file systems. */
const MOST_SEGMENT_BYTES = 255;
/** Drives, separators and controls of some system, what turns or breaks a line of text, halves of characters. */
const UNFIT = /^[a-z]:|[\\\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/iu;

/** Whether the path stays below its directory. */
export const isInside = (path: string): boolean =>
  path.length <= MOST_CHARS &&
  !path.includes('\0') &&
  path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');

/** Whether the path also is a valid, visible name on every operating system. */
export const isPlainPath = (path: string): boolean =>
  isInside(path) &&
  !UNFIT.test(path) &&
  path.split('/').every((segment) => Buffer.byteLength(segment) <= MOST_SEGMENT_BYTES);
