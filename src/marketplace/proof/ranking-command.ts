import { parseArgs } from 'node:util';
import type { CommandIo } from '#core/command-io.ts';
import { visible } from '#core/markdown/escape.ts';
import { type AuditDeps, auditRanking } from './audit-ranking.ts';
import { type Explanation, explainRanking } from './explain-ranking.ts';

/** `capstand audit ranking`: recomputes levels and scores from the receipts. Returns the exit code. */

export const RANKING_USAGE = 'audit ranking [--capability ID] [--json]';

export async function rankingCommand(
  argv: string[],
  { stdout, stderr }: Pick<CommandIo, 'stdout' | 'stderr'>,
  deps: AuditDeps,
): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { capability: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  if (values.capability !== undefined) {
    const explained = await explainRanking(deps, values.capability);
    if (explained === null) {
      stderr.write('capstand audit ranking: no receipts found for it.\n');
      return 3;
    }
    stdout.write(values.json ? `${JSON.stringify(explained)}\n` : textOf(explained));
    return 0;
  }
  const audit = await auditRanking(deps);
  const { entries, capabilities, differences, waiting } = audit;
  if (values.json) stdout.write(`${JSON.stringify(audit)}\n`);
  else {
    for (const difference of differences) stdout.write(`${visible(difference)}\n`);
    for (const id of waiting) stdout.write(`pending recomputation: ${visible(id)}\n`);
    stdout.write(
      `${entries} receipts, ${capabilities} scores: ${differences.length === 0 ? 'all match the receipts' : `${differences.length} differences`}.\n`,
    );
  }
  return differences.length === 0 ? 0 : 1;
}

function textOf({ id, score, runs }: Explanation): string {
  const lines = runs.map(({ at, subject, caller, receipt_id, verdict }) =>
    [at, receipt_id, visible(subject), caller === null ? '-' : `caller ${caller}`, verdict].join('  '),
  );
  const head =
    score === null
      ? `${id}: no recent runs`
      : `${id}: ${score.level}, hot ${score.hot_score}, ${score.runs} runs of 7 days by ${score.callers}, ${Math.round(score.success_rate * 100)} % succeeded`;
  return `${visible(head)}\n${lines.join('\n')}\n`;
}
