import { checkApart } from '../../../platform/json-schema/check-apart.ts';
import { type CheckedSkill, checkSkill } from './check-skill.ts';
import { error, inOrder, openReport, quoted, type Violation, warning } from './violation.ts';

/** The static checks, and whether the example fits the schema: that one is a stranger's, so it is looked at in a thread. */

export const EXAMPLE_RULES = {
  'example-unfit': error('Change the example or the schema, so that the example is an input that works.'),
  'example-unchecked': warning('Make the schema simpler: without alternatives of alternatives and slow patterns.'),
};

const EXAMPLE = 'assets/example.json';

export async function validateSkill(
  files: ReadonlyMap<string, Uint8Array>,
  about: { paths?: string[]; directory?: string } = {},
): Promise<CheckedSkill> {
  const checked = checkSkill(files, about);
  const violations = [...checked.violations, ...(await exampleViolations(checked))];
  return { ...checked, violations: violations.toSorted(inOrder) };
}

async function exampleViolations({ schema, example }: CheckedSkill): Promise<Violation[]> {
  if (schema === null || example === null) return [];
  const report = openReport(EXAMPLE_RULES);
  const answer = await checkApart(schema, example.input);
  if ('busy' in answer)
    report.add('example-unchecked', EXAMPLE, 'Too many checks wait; whether it fits was not looked at.');
  else if ('unusable' in answer)
    report.add('example-unchecked', EXAMPLE, `Whether it fits cannot be told: the schema ${answer.unusable}.`);
  else
    for (const { pointer, detail } of answer.errors)
      report.add(
        'example-unfit',
        EXAMPLE,
        `${quoted(pointer === '' ? '/' : pointer)} does not fit the schema: ${quoted(detail)}.`,
      );
  return report.violations();
}
