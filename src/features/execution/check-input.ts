import { type Checked, checkAgainst } from '../../platform/json-schema/check.ts';
import { checkApart as checkInThread } from '../../platform/json-schema/check-apart.ts';
import { jsonFault } from '../../platform/keepable.ts';
import { type FieldError, Problem } from '../../platform/problem.ts';
import type { Capability } from './capability.ts';

/** The input of a run against its capability's schema. */

/** Throws `execution.input_unfit` with pointers, or `execution.schema_unusable` where nobody can tell. */
export async function checkInput(capability: Pick<Capability, 'kind' | 'name' | 'input_schema'>, input: unknown) {
  const { kind, name, input_schema } = capability;
  const fault = jsonFault(input);
  if (fault !== null) throw unfit(name, [{ pointer: '', detail: fault }]);
  if (input_schema === null) return;
  const checked = kind === 'skill' ? checkAgainst(input_schema, input) : await checkApart(input_schema, input);
  if ('unusable' in checked) throw unusable(name, checked.unusable);
  if (checked.errors.length > 0) throw unfit(name, checked.errors);
}

/** For schemas that strangers wrote. */
export async function checkApart(schema: Record<string, unknown>, input: unknown): Promise<Checked> {
  const checked = await checkInThread(schema, input);
  if (!('busy' in checked)) return checked;
  throw new Problem('unavailable', 'execution.check_busy', 'Too many inputs are being checked; ask again in 2 s.', {
    headers: { 'retry-after': '2' },
  });
}

const unfit = (name: string, errors: FieldError[]): Problem =>
  new Problem('unprocessable', 'execution.input_unfit', `The input does not fit what ${name} takes.`, { errors });

const unusable = (name: string, why: string): Problem =>
  new Problem('unprocessable', 'execution.schema_unusable', `The input schema of ${name} ${why}; it is not run.`);
