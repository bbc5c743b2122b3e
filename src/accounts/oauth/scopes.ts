import { SCOPES, type Scope } from '#core/http/caller.ts';

/** Scopes of a request and their descriptions for the user. */

/** Default: everything that tools need, but not the account itself. */
export const USUAL_SCOPES: readonly Scope[] = ['read', 'write'];

/** Returns the known scopes in our order; others, such as `offline_access`, are ignored. */
export function readScopes(text: string | undefined): Scope[] {
  const named = (text ?? '').split(' ').filter((word) => word !== '');
  return named.length === 0 ? [...USUAL_SCOPES] : SCOPES.filter((scope) => named.includes(scope));
}

export const SCOPE_WORDS: Record<Scope, { title: string; detail: string }> = {
  read: {
    title: 'Read your data',
    detail: 'Your profile, connections, tasks and their results.',
  },
  write: {
    title: 'Act on your behalf',
    detail: 'Run tools and tasks, use your connections, and create and publish items under your name.',
  },
  admin: {
    title: 'Manage your account',
    detail: "Owner-only operations. Sensitive requests still require your wallet's signature.",
  },
};
