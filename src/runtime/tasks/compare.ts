import { shareOfUser } from '#accounts/quotas/share-of-user.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { createDiffKept, type DiffKept } from '#core/text-diff/diff-kept.ts';
import { ATTR } from '#core/traces/conventions.ts';
import type { StoredSpan } from '#core/traces/span.ts';
import { listRunSpans } from '#core/traces/spans.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask, notComparable } from './refusals.ts';
import { filesOf, shownTask, type Task } from './task.ts';
import { findTask } from './tasks.ts';

/** GET /api/agents/tasks/{id}/compare/{other} */
export function compareTasks({ db, clock }: TasksDeps): Handler<typeof tasksContract.compare> {
  const diff = createDiffKept();
  return async ({ params: { id, other }, caller: { user_id } }) => {
    const [first, second] = [await findTask(db, { user_id, id }), await findTask(db, { user_id, id: other })];
    if (first === undefined || second === undefined) throw noSuchTask();
    if (first.capability_kind !== second.capability_kind || first.capability_ref !== second.capability_ref)
      throw notComparable(second.status);
    const share = await shareOfUser(db, user_id, clock.now());
    return json({
      runs: [await sideOf(db, first), await sideOf(db, second)],
      input: await comparison(diff, first.input, second.input, share),
      output: await comparison(diff, first.output ?? 'null', second.output ?? 'null', share),
      input_files: filesCompared(first.input_files, second.input_files),
      output_files: filesCompared(first.output_files, second.output_files),
    });
  };
}

async function sideOf(db: TasksDeps['db'], task: Task) {
  const { trace_id, span_id, user_id, started_at, finished_at } = task;
  const spans = trace_id === null || span_id === null ? [] : await listRunSpans(db, { user_id, trace_id, span_id });
  const took = started_at === null || finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at);
  return { ...shownTask(task), duration_ms: took, hosts: hostsOf(spans), usage: usageOf(spans) };
}

/** The servers that were called, and the hosts that boxes reached. */
function hostsOf(spans: readonly StoredSpan[]): string[] {
  const hosts = spans.flatMap(({ attributes }) => {
    const server = attributes[ATTR.server_address];
    const reached = attributes[ATTR.package_hosts];
    const lines = Array.isArray(reached) ? reached.map(String).filter((line) => line.startsWith('reached ')) : [];
    return [...(typeof server === 'string' ? [server] : []), ...lines.map((line) => line.split(' ')[1] ?? '')];
  });
  return [...new Set(hosts)].sort();
}

/** What language models counted. */
function usageOf(spans: readonly StoredSpan[]) {
  const chats = spans.filter(({ attributes }) => attributes[ATTR.operation] === 'chat');
  const sum = (name: string) => chats.reduce((all, { attributes }) => all + (Number(attributes[name]) || 0), 0);
  return {
    model_requests: chats.length,
    input_tokens: sum(ATTR.input_tokens),
    output_tokens: sum(ATTR.output_tokens),
  };
}

/** Longer values are only said to be equal or not. */
const MOST_CHARACTERS = 256 * 1_024;

async function comparison(diff: DiffKept, first: string, second: string, share: Share) {
  if (first === second) return { is_equal: true, lines: [] };
  if (Math.max(first.length, second.length) > MOST_CHARACTERS) return { is_equal: false, lines: null };
  const [from, to] = [textOf(first), textOf(second)];
  return from === to ? { is_equal: true, lines: [] } : { is_equal: false, lines: await diff(from, to, share) };
}

/** Text as it is, other values with sorted members, so that only differences differ. */
function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : JSON.stringify(value, sorted, 2);
}

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function filesCompared(first: string | null, second: string | null) {
  const [from, to] = [filesOf(first), filesOf(second)];
  return [...new Set([...from.keys(), ...to.keys()])].sort().map((path) => {
    const [a, b] = [from.get(path), to.get(path)];
    const isEqual = a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
    const change = a === undefined ? 'added' : b === undefined ? 'removed' : isEqual ? 'same' : 'changed';
    return { path, change };
  });
}
