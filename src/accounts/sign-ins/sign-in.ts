import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { SignIn } from './sign-ins.ts';

/** A session as its owner sees it, without its tokens. */
export function shownSignIn(row: SignIn, current_id: string | null) {
  const { id, method, wallet, user_agent, signed_in_at, refreshed_at, expires_at, client_id, client_name } = row;
  const client = client_id === null ? null : { id: client_id, name: client_name ?? '', scopes: scopesOf(row) };
  return { id, method, wallet, user_agent, client, signed_in_at, refreshed_at, expires_at, current: id === current_id };
}

const scopesOf = ({ scope }: SignIn): string[] => (scope ?? '').split(' ');

export const noSuchSignIn = (): Problem =>
  accountsProblem('auth.not_found', 'Session not found.', { reason: 'session' });
