import { inOrder, openReport, type Violation } from '#catalog/checks/violation.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { refusedCheck } from '#core/json-schema/check-apart.ts';
import type { Place } from '#core/text/lines.ts';
import { workKind } from '#core/workers/kind.ts';
import { worker_pool } from '#core/workers/worker-pool.ts';
import type { Path } from '#core/yaml/read-yaml-map.ts';
import { checkRig } from './check-rig.ts';
import type { ParsedRig } from './parse-rig-work.ts';
import type { Rig } from './rig.ts';
import { rigReader } from './rig-reader.ts';
import { RIG_RULES } from './rig-rules.ts';

/** Reads an untrusted rig.yaml: the rig, or its errors with their places. */

export const RIG_YAML = 'rig.yaml';

type RigRead = { rig: Rig; violations: [] } | { rig: null; violations: Violation[] };

const PARSE = workKind<typeof import('./parse-rig-work.ts')>(new URL('./parse-rig-work.ts', import.meta.url));

/** Throws `http.unavailable` (`checks`) or `http.limit_exceeded` (`checks`) if the check cannot run now. */
export async function readRigYaml(text: string, share: Share): Promise<RigRead> {
  const report = openReport(RIG_RULES);
  const parsed = await parse(text, [], share);
  if (!parsed.is_readable) {
    report.add('rig-yaml', RIG_YAML, `rig.yaml ${parsed.detail}.`, parsed.place);
    return { rig: null, violations: report.violations() };
  }
  const { rig, faults } = parsed;
  for (const { rule, detail, place } of faults) report.add(rule, RIG_YAML, detail, place);
  // Only valid schemas can be used to check values.
  if (faults.length === 0) {
    const reader = rigReader();
    await checkRig(reader, rig, share);
    const places = await placesOf(
      text,
      reader.faults.map(({ path }) => path),
      share,
    );
    for (const [index, { rule, detail }] of reader.faults.entries()) report.add(rule, RIG_YAML, detail, places[index]);
  }
  const violations = report.violations().toSorted(inOrder);
  return violations.length === 0 ? { rig, violations: [] } : { rig: null, violations };
}

/** A rig with such an error is parsed again for its places, so that valid rigs do not carry them. */
async function placesOf(text: string, paths: readonly Path[], share: Share): Promise<Place[]> {
  if (paths.length === 0) return [];
  const parsed = await parse(text, paths, share);
  return parsed.is_readable ? parsed.places : [];
}

async function parse(text: string, paths: readonly Path[], share: Share): Promise<ParsedRig> {
  const outcome = await worker_pool.run(PARSE, { text, paths }, { share });
  switch (outcome.status) {
    case 'done':
      return outcome.answer;
    case 'busy':
    case 'over_budget':
      throw refusedCheck({ refused: outcome.status, retry_after_s: outcome.retry_after_s });
    default:
      return { is_readable: false, detail: 'takes too long to read', place: { line: 1, column: 1 } };
  }
}
