import { ownPage } from './own-page.ts';
import type { Page, Visit } from './page.ts';

/** Pages of operators. For all other readers they do not exist, also when they send a form. */
export function deskPage(own: Parameters<typeof ownPage>[0]): Page {
  const page = ownPage(own);
  return {
    get: (visit) => (isOperator(visit) ? page.get(visit) : null),
    post: (visit) => (isOperator(visit) ? (page.post?.(visit) ?? null) : null),
  };
}

const isOperator = ({ user }: Visit): boolean => user?.is_operator === true;
