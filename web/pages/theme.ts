import { isOwnPath } from '../server/own-path.ts';
import type { Page } from '../server/page.ts';
import { THEME_COOKIE } from '../server/theme.ts';

/** Handles the theme switch of the frame for readers without scripts. */
export const theme: Page = {
  get: () => ({ location: '/', status: 303 }),
  post: ({ form }) => {
    const to = form.get('to') ?? '/';
    const value = form.get('theme') === 'dark' ? 'dark' : 'light';
    const cookie = `${THEME_COOKIE}=${value}; Path=/; Max-Age=31536000; SameSite=Lax`;
    return { location: isOwnPath(to) ? to : '/', status: 303, cookies: [cookie] };
  },
};
