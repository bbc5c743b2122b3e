import { parseArgs } from 'node:util';
import { printable } from '#accounts/users/users-table.ts';
import { OPERATOR_CLI } from '#core/audit/audit.ts';
import type { CommandIo } from '#core/command-io.ts';
import { Problem } from '#core/problem/problem.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { REASON_KINDS, type ReasonKind } from './kinds.ts';
import { type Decision, decide } from './make-decision.ts';
import { readModeration } from './read-moderation.ts';
import { listReportRows } from './reports.ts';

export const MODERATION_USAGE = `usage: capstand moderation <what>

  list                                            open reports, oldest first
  show ID                                         active moderation actions and history of a capability
  flag ID --kind KIND --reason TEXT [--rule TEXT] [--listing PROVIDER/ID …] [--whole]
  yank ID --version VERSION --reason TEXT         withdraws one version of a listing published here
  takedown ID --kind KIND --reason TEXT [--rule TEXT] [--listing PROVIDER/ID …] [--whole]
  lift ID --measure MEASURE --reason TEXT         ends a flag or takedown and grants its appeal
  uphold ID --measure MEASURE --reason TEXT       rejects an appeal
  dismiss ID --reason TEXT                        closes the open reports
  overrule ID --reason TEXT [--listing …]         marks the current findings as harmless
  reinstate ID --reason TEXT [--listing …]        ends that: what was found counts again

ID is a capability's. A flag or takedown concerns the listings that are named, or all with --whole; else what open reports name.
KIND is ${REASON_KINDS.join(', ')}.
Reasons are public. All actions are recorded in the audit log (capstand audit).
Exit codes: 0 success; 1 failed; 2 invalid usage; 3 capability not found.
`;

type Deps = Pick<MarketplaceDeps, 'db' | 'engine' | 'clock' | 'base_url'>;
type Io = Pick<CommandIo, 'stdout' | 'stderr'>;

const OPTIONS = {
  kind: { type: 'string' },
  reason: { type: 'string' },
  rule: { type: 'string' },
  measure: { type: 'string' },
  version: { type: 'string' },
  listing: { type: 'string', multiple: true },
  whole: { type: 'boolean' },
} as const;

/** `capstand moderation`. Returns the exit code. */
export async function moderationCommand([what = '', ...argv]: string[], io: Io, deps: Deps): Promise<number> {
  const { positionals, values } = parseArgs({ args: argv, allowPositionals: true, options: OPTIONS });
  const [id] = positionals;
  try {
    if (what === 'list' && positionals.length === 0) return await list(io, deps);
    if (what === 'show' && id !== undefined && positionals.length === 1) return await show(io, deps, id);
    const order = id === undefined || positionals.length !== 1 ? null : orderOf(what, id, values);
    if (order === null) {
      io.stderr.write(MODERATION_USAGE);
      return 2;
    }
    const { changed } = await decide(deps, { actor: OPERATOR_CLI }, order);
    io.stdout.write(`${order.id}: ${changed.join(', ')}.\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'not_found') throw error;
    io.stderr.write(`capstand moderation: ${error.message}\n`);
    return 3;
  }
}

interface Values {
  kind?: string | undefined;
  reason?: string | undefined;
  rule?: string | undefined;
  measure?: string | undefined;
  version?: string | undefined;
  listing?: string[] | undefined;
  whole?: boolean | undefined;
}

/** Null if an option is missing. Decides on the current state, because the command shows no revision. */
function orderOf(
  what: string,
  id: string,
  { kind, reason, rule, measure, version, listing, whole }: Values,
): Decision | null {
  if (reason === undefined || reason.trim() === '') return null;
  const listings = listing?.map((text) => {
    const slash = text.indexOf('/');
    return { provider: text.slice(0, slash), external_id: text.slice(slash + 1) };
  });
  const common = { id, reason, revision: null, listings };
  if (what === 'dismiss' || what === 'overrule' || what === 'reinstate') return { ...common, decision: what };
  if (what === 'yank') return version === undefined ? null : { ...common, decision: what, version };
  if (what === 'lift' || what === 'uphold')
    return measure === undefined ? null : { ...common, decision: what, measure_id: measure };
  const known = REASON_KINDS.find((reasonKind) => reasonKind === kind) satisfies ReasonKind | undefined;
  if ((what !== 'flag' && what !== 'takedown') || known === undefined) return null;
  return { ...common, decision: what, kind: known, rule, whole };
}

const MOST = 200;

async function list({ stdout, stderr }: Io, { db }: Deps): Promise<number> {
  const open = { status: 'open', kind: undefined, capability_ids: null, reporter_id: null };
  const { items, total_count } = await listReportRows(db, open, { limit: MOST, offset: 0 });
  for (const item of items)
    stdout.write(`${item.created_at}  ${item.kind.padEnd(13)}  ${item.capability_id}  ${printable(item.text)}\n`);
  if (total_count === 0) stderr.write('No open reports.\n');
  if (total_count > items.length) stderr.write(`${total_count - items.length} more.\n`);
  return 0;
}

async function show({ stdout }: Io, deps: Deps, id: string): Promise<number> {
  const { status, measures, history, id: standsId } = await readModeration(deps, id);
  stdout.write(`${standsId}: ${status}\n`);
  for (const measure of measures)
    stdout.write(
      `  ${measure.measure} ${measure.id}  ${measure.kind}  ${printable(measure.reason)}  appeal: ${measure.appeal.status}\n`,
    );
  for (const change of history)
    stdout.write(`  ${change.at}  ${change.change}  by ${change.by}  ${printable(change.reason)}\n`);
  return 0;
}
