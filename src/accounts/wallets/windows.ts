/**
 * Windows: what one confirmation may cover for some minutes. Operations name theirs as `confirm_window`. Nothing that could lock the
 * owner out has one: links, passwords, device keys, and exporting or deleting the account.
 */
export const WINDOWS: Readonly<Record<string, string>> = {
  api_keys: 'list, create and revoke API keys',
  harnesses: 'read and change harnesses, their memory and their context',
  profile: 'read your profile, change your name and look up users',
  credentials: 'store credentials and secrets of connections and skills',
};

export const MAX_WINDOW_MINUTES = 10;

/** How the column `operation` of a challenge names a window. No operation id has a colon. */
export const windowColumn = (window: string): string => `window:${window}`;
export const IS_WINDOW = 'window:%';
