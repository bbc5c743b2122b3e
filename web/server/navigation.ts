/** The links of the frame, in order. */

export interface Way {
  href: string;
  label: string;
}

export const WAYS: readonly Way[] = [
  { href: '/marketplace', label: 'Marketplace' },
  { href: '/registry', label: 'Registry' },
  { href: '/skills', label: 'Skills' },
  { href: '/providers', label: 'Providers' },
  { href: '/docs', label: 'Docs' },
  { href: '/reference', label: 'API' },
];

/** Only for signed-in users. */
export const OWN_WAYS: readonly Way[] = [
  { href: '/chat', label: 'Chat' },
  { href: '/dashboard', label: 'Dashboard' },
];

/** The sign-in link. */
export const SIGN_IN: Way = { href: '/signin', label: 'Sign in' };
