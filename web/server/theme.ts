import { type Headers, readCookie } from './session.ts';

/** The theme that the reader chose. The server renders it, so that the page does not flash. */

export type Theme = 'light' | 'dark';

export const THEME_COOKIE = 'capstan-theme';

export function readTheme(headers: Headers): Theme | null {
  const value = readCookie(headers, THEME_COOKIE);
  return value === 'light' || value === 'dark' ? value : null;
}
