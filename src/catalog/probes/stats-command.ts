import { parseArgs } from 'node:util';
import { type Coverage, runnableShare } from '#catalog/items/coverage.ts';
import { EXECUTION_CLASSES } from '#catalog/items/kinds.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { CommandIo } from '#core/command-io.ts';
import { defined } from '#core/defined.ts';
import { visible } from '#core/markdown/escape.ts';
import { countCoverage, KNOWN, type Known, type ProviderCoverage, type ToolSources } from './coverage.ts';
import type { RunnableDeps } from './runnable.ts';

/** `capstand stats`: counts listings by provider, and with `--coverage` what of them runs here. */

export const STATS_USAGE = `stats [--coverage] [--json]

  --coverage   how many listings run here, need input, were not tried, failed or are unsupported, and why; and
               the share with a title, license, README or SKILL.md, files and icon, of those that do not run or were not
               tried, with a reason, and of the servers, with tools
  --json       as JSON

  Counts now; GET /api/marketplace/registry/stats has the numbers of the last few minutes.`;

interface StatsCommandDeps extends RunnableDeps {
  clock: Clock;
  signal: AbortSignal;
}

/** Returns the exit code. */
export async function statsCommand(
  argv: string[],
  io: Pick<CommandIo, 'stdout'>,
  deps: StatsCommandDeps,
): Promise<number> {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({ args: argv, options: { coverage: flag, json: flag } });
  const counted_at = isoTime(deps.clock.now());
  const providers = await countCoverage(deps, deps.signal);
  const total = sumOf(providers);
  if (values.json) {
    const shown = [...providers, total].map(({ provider, by_execution_class, coverage, known, tools }) => ({
      provider,
      listings: coverage.listings,
      by_execution_class,
      ...defined({ coverage: values.coverage ? { ...coverage, runnable_share: runnableShare(coverage) } : undefined }),
      ...defined({ known: values.coverage ? known : undefined }),
      ...defined({ tools: values.coverage ? tools : undefined }),
    }));
    io.stdout.write(`${JSON.stringify({ counted_at, providers: shown.slice(0, -1), total: shown.at(-1) })}\n`);
    return 0;
  }
  io.stdout.write(table([...providers, total], values.coverage));
  if (values.coverage)
    io.stdout.write(`\n${knownTable([...providers, total])}${toolsText(total.tools)}${reasonsText(providers)}`);
  return 0;
}

type Row = Omit<ProviderCoverage, 'provider'> & { provider: string };

function sumOf(providers: readonly ProviderCoverage[]): Row {
  const sum = (read: (row: ProviderCoverage) => number): number =>
    providers.reduce((total, row) => total + read(row), 0);
  const by_execution_class = Object.fromEntries(
    EXECUTION_CLASSES.map((name) => [name, sum((row) => row.by_execution_class[name] ?? 0)]),
  );
  const coverage: Coverage = {
    listings: sum((row) => row.coverage.listings),
    runs: sum((row) => row.coverage.runs),
    needs_input: sum((row) => row.coverage.needs_input),
    not_tried: sum((row) => row.coverage.not_tried),
    failed: sum((row) => row.coverage.failed),
    unsupported: sum((row) => row.coverage.unsupported),
    reasons: [],
  };
  const known = Object.fromEntries(KNOWN.map((name) => [name, sum((row) => row.known[name])])) as Known;
  const tools: ToolSources = {
    servers: sum((row) => row.tools.servers),
    listed: sum((row) => row.tools.listed),
    probed: sum((row) => row.tools.probed),
    not_probed: sum((row) => row.tools.not_probed),
  };
  return { provider: 'all', by_execution_class, coverage, known, tools };
}

function table(rows: readonly Row[], withCoverage: boolean): string {
  const head = ['provider', 'listings', ...EXECUTION_CLASSES, ...(withCoverage ? COVERAGE_HEAD : [])];
  const lines = rows.map(({ provider, by_execution_class, coverage }) => [
    provider,
    `${coverage.listings}`,
    ...EXECUTION_CLASSES.map((name) => `${by_execution_class[name] ?? 0}`),
    ...(withCoverage ? coverageCells(coverage) : []),
  ]);
  return aligned(head, lines);
}

/** Shares of the listings, because the numbers alone say little. */
function knownTable(rows: readonly Row[]): string {
  const lines = rows.map(({ provider, coverage: { listings }, known, tools: { servers } }) => [
    provider,
    ...KNOWN.map((name) => {
      const of = name === 'tools' ? servers : listings;
      return percentOf(of === 0 ? null : known[name] / of);
    }),
  ]);
  return aligned(['provider', ...KNOWN], lines);
}

/** Few lists name tools, so that their share says more about probes than about servers. */
const toolsText = ({ servers, listed, probed, not_probed }: ToolSources): string =>
  servers === 0
    ? ''
    : `tools, of ${servers} servers: ${listed} in the records of providers, ${probed} seen by a probe; ${not_probed} unknown and never probed\n`;

function aligned(head: string[], lines: string[][]): string {
  const widths = head.map((word, column) => Math.max(word.length, ...lines.map((line) => (line[column] ?? '').length)));
  const text = ([first = '', ...rest]: string[]): string =>
    [first.padEnd(widths[0] ?? 0), ...rest.map((cell, column) => cell.padStart(widths[column + 1] ?? 0))].join('  ');
  return [head, ...lines].map((line) => `${text(line)}\n`).join('');
}

const COVERAGE_HEAD = ['runs', 'needs input', 'not tried', 'failed', 'unsupported', 'runnable'];

function coverageCells(coverage: Coverage): string[] {
  const { runs, needs_input, not_tried, failed, unsupported } = coverage;
  const share = runnableShare(coverage);
  return [...[runs, needs_input, not_tried, failed, unsupported].map(String), percentOf(share)];
}

const percentOf = (share: number | null): string =>
  share === null ? '-' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;

function reasonsText(providers: readonly ProviderCoverage[]): string {
  return providers
    .filter(({ coverage }) => coverage.reasons.length > 0)
    .map(({ provider, coverage }) => {
      const lines = coverage.reasons.map(
        ({ reason, detail, count }) =>
          `${`${count}`.padStart(8)}  ${reason}${detail === '' ? '' : `: ${visible(detail).replace(/\s+/gu, ' ')}`}\n`,
      );
      return `\n${provider}\n${lines.join('')}`;
    })
    .join('');
}
