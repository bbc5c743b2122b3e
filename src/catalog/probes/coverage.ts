import type { Kysely } from 'kysely';
import { detailsOf } from '#catalog/details/details.ts';
import { documentsOfMany } from '#catalog/details/documents.ts';
import type { Coverage } from '#catalog/items/coverage.ts';
import { HELD } from '#catalog/items/facts.ts';
import { EXECUTION_CLASSES, PROVIDERS, type ProviderId } from '#catalog/items/kinds.ts';
import type { RunnableReason } from '#catalog/items/runnable.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';
import { type ListedRow, listed, type RunnableDeps, runnableOf } from './runnable.ts';

/** Counts which listings of each provider run here, by the same rules as the page of a listing. */

export interface ProviderCoverage {
  provider: ProviderId;
  by_execution_class: Record<string, number>;
  coverage: Coverage;
  known: Known;
  tools: ToolSources;
}

/** Where the tools of servers are known from. */
export interface ToolSources {
  servers: number;
  /** In the record or the detail of their provider. */
  listed: number;
  /** Seen by a probe; servers of the former may be among these. */
  probed: number;
  /** Whose tools are unknown, because no probe has tried them. */
  not_probed: number;
}

/**
 * How many listings have what their pages show: `readme` counts SKILL.md too, `tools` servers alone, and `reason` those that
 * do not run, or were not tried, with a reason.
 */
export const KNOWN = ['title', 'license', 'readme', 'files', 'tools', 'icon', 'reason'] as const;
export type Known = Record<(typeof KNOWN)[number], number>;

type Outcome = 'runs' | 'needs_input' | 'not_tried' | 'failed' | 'unsupported';

const OUTCOMES: Record<RunnableReason, Outcome> = {
  ok: 'runs',
  startable: 'not_tried',
  wants_network: 'needs_input',
  auth_needed: 'needs_input',
  missing_env: 'needs_input',
  failed: 'failed',
  not_mcp: 'failed',
  unreachable: 'failed',
  unsupported: 'unsupported',
};

/** Rows per query: their install information takes some milliseconds of this thread. */
const A_PAGE = 200;
const MOST_REASONS = 20;
/** Distinct texts that are counted apart; a provider could otherwise list any number of registries. */
const MOST_COUNTED = 1_000;
const DETAIL_CHARS = 200;

/** Reads every listing. Throws the signal's reason if it is aborted. */
export async function countCoverage(deps: RunnableDeps, signal: AbortSignal): Promise<ProviderCoverage[]> {
  const found: ProviderCoverage[] = [];
  for (const provider of PROVIDERS) found.push(await coverageOf(deps, provider, signal));
  return found;
}

async function coverageOf(deps: RunnableDeps, provider: ProviderId, signal: AbortSignal): Promise<ProviderCoverage> {
  const by_execution_class = Object.fromEntries(EXECUTION_CLASSES.map((name) => [name, 0]));
  const counts: Record<Outcome, number> = { runs: 0, needs_input: 0, not_tried: 0, failed: 0, unsupported: 0 };
  const reasons = new Map<string, Coverage['reasons'][number]>();
  const known: Known = { title: 0, license: 0, readme: 0, files: 0, tools: 0, icon: 0, reason: 0 };
  const tools: ToolSources = { servers: 0, listed: 0, probed: 0, not_probed: 0 };
  let listings = 0;
  for await (const rows of pagesOf(deps.db, provider, signal)) {
    const shown = rows.map((row) => listed(deps, row));
    const targets = await targetsOf(
      deps.db,
      shown.flatMap(({ target_id }) => target_id ?? []),
    );
    const fetched = await fetchedOf(
      deps.db,
      provider,
      rows.map((row) => row.external_id),
    );
    for (const [index, row] of rows.entries()) {
      const of = shown[index] as (typeof shown)[number];
      const target = targets.get(of.target_id ?? '');
      const { reason, detail } = runnableOf(of, target);
      const has = (bit: number): boolean => (row.facts_held & bit) !== 0;
      known.title += Number(has(HELD.title));
      known.license += Number(row.license !== '');
      known.readme += Number(has(HELD.readme) || fetched.documents.has(row.external_id));
      known.files += Number(fetched.files.has(row.external_id));
      known.reason += Number(reason !== null && reason !== 'ok');
      if (row.listing_type === 'server') known.tools += countTools(tools, has(HELD.tools), target);
      known.icon += Number(has(HELD.icons));
      const outcome = reason === null ? 'not_tried' : OUTCOMES[reason as RunnableReason];
      listings += 1;
      counts[outcome] += 1;
      by_execution_class[row.execution_class] = (by_execution_class[row.execution_class] ?? 0) + 1;
      if (outcome === 'failed' || outcome === 'unsupported' || outcome === 'needs_input')
        countReason(reasons, reason as RunnableReason, detail);
    }
  }
  const textOf = ({ reason, detail }: Coverage['reasons'][number]): string => `${reason} ${detail}`;
  const sorted = [...reasons.values()].sort((a, b) => b.count - a.count || (textOf(a) < textOf(b) ? -1 : 1));
  return {
    provider,
    by_execution_class,
    coverage: { listings, ...counts, reasons: sorted.slice(0, MOST_REASONS) },
    known,
    tools,
  };
}

/** Returns 1 if the tools of a server are known. */
function countTools(tools: ToolSources, isListed: boolean, target: ProbeTargetRow | undefined): 0 | 1 {
  const isProbed = (target?.tool_count ?? 0) > 0;
  tools.servers += 1;
  tools.listed += Number(isListed);
  tools.probed += Number(isProbed);
  tools.not_probed += Number(!isListed && (target?.last_probed_at ?? null) === null);
  return isListed || isProbed ? 1 : 0;
}

/** Only reasons why a listing cannot run at all are told apart by their text, which has no names of listings. */
function countReason(reasons: Map<string, Coverage['reasons'][number]>, reason: RunnableReason, detail: string): void {
  const text =
    reason === 'unsupported' && reasons.size < MOST_COUNTED ? detail.slice(0, DETAIL_CHARS).toWellFormed() : '';
  const key = `${reason} ${text}`;
  const known = reasons.get(key);
  if (known === undefined) reasons.set(key, { reason, detail: text, count: 1 });
  else known.count += 1;
}

type CountedRow = ListedRow & Pick<ListingRow, 'license' | 'facts_held' | 'listing_type'>;

async function* pagesOf(db: Kysely<Schema>, provider: string, signal: AbortSignal): AsyncGenerator<CountedRow[]> {
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const rows = await db
      .selectFrom('listings')
      .select([
        'provider_id',
        'external_id',
        'version',
        'repository',
        'execution_class',
        'install',
        'license',
        'facts_held',
        'listing_type',
      ])
      .where('provider_id', '=', provider)
      .where('external_id', '>', after)
      .where('removed_at', 'is', null)
      .orderBy('external_id')
      .limit(A_PAGE)
      .execute();
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < A_PAGE) return;
    after = last.external_id;
  }
}

/** Which of these have a fetched README or SKILL.md, and a list of files. */
async function fetchedOf(db: Kysely<Schema>, provider_id: string, ids: readonly string[]) {
  const [documents, details] = await Promise.all([
    documentsOfMany(db, provider_id, ids),
    detailsOf(db, provider_id, ids),
  ]);
  const shown = documents.filter(({ kind }) => kind === 'readme' || kind === 'skill');
  const listed = [...details.values()].filter(({ files }) => files !== null);
  return {
    documents: new Set(shown.map(({ external_id }) => external_id)),
    files: new Set(listed.map(({ external_id }) => external_id)),
  };
}

async function targetsOf(db: Kysely<Schema>, ids: readonly string[]): Promise<Map<string, ProbeTargetRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('probe_targets').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
