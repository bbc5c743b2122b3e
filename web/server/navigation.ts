/** The links of the frame, in order. */

export interface Way {
  href: string;
  label: string;
  /** Other paths whose pages belong to it. */
  within?: readonly string[];
}

const BROWSE: Way = { href: '/marketplace', label: 'Browse', within: ['/skills', '/registry'] };

const COLLECTIONS: Way = { href: '/collections', label: 'Collections' };
const PUBLISH: Way = { href: '/publish', label: 'Publish' };
const DOCS: Way = { href: '/docs', label: 'Docs' };

export const WAYS: readonly Way[] = [BROWSE, COLLECTIONS, PUBLISH, DOCS];

/** For signed-in users. */
export const OWN_WAYS: readonly Way[] = [
  BROWSE,
  { href: '/chat', label: 'Chat' },
  { href: '/dashboard/connections', label: 'Connections' },
  { href: '/dashboard/tasks', label: 'Runs', within: ['/runs'] },
  DOCS,
];

/** For operators, after the others. */
export const DESK: Way = { href: '/desk', label: 'Operate' };

/** At the foot of every page. */
export const FOOT_WAYS: readonly Way[] = [
  { href: '/marketplace?provider=capstan', label: 'Published here' },
  COLLECTIONS,
  PUBLISH,
  { href: '/providers', label: 'Providers' },
  { href: '/reference', label: 'API reference' },
  { href: '/api', label: 'JSON' },
  { href: '/api/schema', label: 'OpenAPI' },
  { href: '/api/docs.md', label: 'Docs as Markdown' },
  { href: '/llms.txt', label: 'llms.txt' },
  { href: '/feeds/new.atom', label: 'New listings' },
];

/** The sign-in link. */
export const SIGN_IN: Way = { href: '/signin', label: 'Sign in' };
