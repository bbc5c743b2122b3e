import { isoTime } from '#core/clock/clock.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { AUDIT_ACTIONS } from './actions.ts';
import type { AuditFilter } from './audit.ts';

interface Asked {
  user_id?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** The filter of a request, with times in the form of the log. Throws a 400 for an action that does not exist. */
export function filterOf({ user_id, actor, action, since, until }: Asked): AuditFilter {
  return { user_id, actor, actions: actionsOf(action), since: timeOf(since), until: timeOf(until) };
}

const timeOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : isoTime(Date.parse(text));

function actionsOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const found = Object.keys(AUDIT_ACTIONS).filter((name) => name === text || name.startsWith(`${text}.`));
  if (found.length === 0) throw noSuchAction();
  return found;
}

const groups = (): string[] => [...new Set(Object.keys(AUDIT_ACTIONS).map((name) => name.split('.', 1)[0] as string))];

const noSuchAction = (): Problem =>
  coreProblem('http.invalid', `Unknown action. Actions begin with ${groups().join(', ')}.`, {
    reason: 'input',
    errors: [{ pointer: '/action', detail: `must be an action, or one of ${groups().join(', ')}` }],
  });
