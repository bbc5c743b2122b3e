import type { Share } from '#core/fair-queue/share.ts';
import type { RigSpec } from '#runtime/rigs/rig.ts';
import { checkApart } from '../check-input.ts';
import type { Outcome } from '../result.ts';

/** Checks a rig's answer against its output schema. */

interface Promised {
  spec: Pick<RigSpec, 'output'>;
}

/** One sentence each; empty if it matches. */
export async function outputFaults({ spec }: Promised, output: unknown, share: Share): Promise<string[]> {
  if (spec.output === null) return [];
  const checked = await checkApart(spec.output, output, share);
  if ('unusable' in checked) return [`The output schema ${checked.unusable}.`];
  return checked.errors.map(({ pointer, detail }) => `${pointer === '' ? 'The answer' : pointer} ${detail}.`);
}

/** The unchanged run, or a failure `output_unfit` that keeps the run and its answer. */
export async function fitOutput(rig: Promised, outcome: Outcome, share: Share): Promise<Outcome> {
  if (outcome.status !== 'completed') return outcome;
  const [fault] = await outputFaults(rig, outcome.output, share);
  if (fault === undefined) return outcome;
  const error = `The answer does not match the rig's output schema: ${fault}`;
  return { ...outcome, status: 'failed', reason: 'output_unfit', error };
}
