import { type Headers, readCookie } from './session.ts';

/** Light or dark, where the reader chose one: the page comes in it, so that nothing flashes. */

export type Theme = 'light' | 'dark';

export const THEME_COOKIE = 'capstan-theme';

export function readTheme(headers: Headers): Theme | null {
  const value = readCookie(headers, THEME_COOKIE);
  return value === 'light' || value === 'dark' ? value : null;
}
