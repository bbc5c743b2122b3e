import type { Share } from '#core/fair-queue/share.ts';
import type { RigSpec } from '#runtime/rigs/rig.ts';
import { checkApart } from '../check-input.ts';
import type { Outcome } from '../result.ts';

/** A rig's answer against the schema that it promises. */

interface Promised {
  spec: Pick<RigSpec, 'output'>;
}

/** A sentence each; empty where it fits. */
export async function outputFaults({ spec }: Promised, output: unknown, share: Share): Promise<string[]> {
  if (spec.output === null) return [];
  const checked = await checkApart(spec.output, output, share);
  if ('unusable' in checked) return [`The output schema ${checked.unusable}.`];
  return checked.errors.map(({ pointer, detail }) => `${pointer === '' ? 'The answer' : pointer} ${detail}.`);
}

/** The run as it is, or failed as `output_unfit`: what ran and what it answered stays to be seen. */
export async function fitOutput(rig: Promised, outcome: Outcome, share: Share): Promise<Outcome> {
  if (outcome.status !== 'completed') return outcome;
  const [fault] = await outputFaults(rig, outcome.output, share);
  if (fault === undefined) return outcome;
  const error = `The answer does not fit the rig's output schema: ${fault}`;
  return { ...outcome, status: 'failed', reason: 'output_unfit', error };
}
