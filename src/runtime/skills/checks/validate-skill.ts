import { error, inOrder, openReport, quoted, type Violation, warning } from '#catalog/checks/violation.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { checkApart } from '#core/json-schema/check-apart.ts';
import { checkSkillApart } from './check-apart.ts';
import type { CheckedSkill } from './check-skill.ts';

/** The static checks, and whether the example matches the schema. The files are untrusted, so a worker thread checks them. */

export const EXAMPLE_RULES = {
  'example-unfit': error('Change the example or the schema, so that the example is an input that works.'),
  'example-unchecked': warning('Make the schema simpler: without alternatives of alternatives and slow patterns.'),
};

const EXAMPLE = 'assets/example.json';

export async function validateSkill(
  files: ReadonlyMap<string, Uint8Array>,
  { share, signal, ...about }: { share: Share; signal?: AbortSignal; paths?: string[]; directory?: string },
): Promise<CheckedSkill> {
  const checked = await checkSkillApart({ files, ...about }, share);
  const violations = [...checked.violations, ...(await exampleViolations(checked, share, signal))];
  return { ...checked, violations: violations.toSorted(inOrder) };
}

async function exampleViolations(
  { schema, example }: CheckedSkill,
  share: Share,
  signal: AbortSignal | undefined,
): Promise<Violation[]> {
  if (schema === null || example === null) return [];
  const report = openReport(EXAMPLE_RULES);
  const answer = await checkApart(schema, example.input, share, signal);
  if ('refused' in answer)
    report.add(
      'example-unchecked',
      EXAMPLE,
      `Not checked: too many checks are queued. Retry in ${answer.retry_after_s} s.`,
    );
  else if ('unusable' in answer)
    report.add('example-unchecked', EXAMPLE, `The example was not checked: the schema ${answer.unusable}.`);
  else
    for (const { pointer, detail } of answer.errors)
      report.add(
        'example-unfit',
        EXAMPLE,
        `${quoted(pointer === '' ? '/' : pointer)} does not fit the schema: ${quoted(detail)}.`,
      );
  return report.violations();
}
