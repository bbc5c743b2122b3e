import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { checkApart, refusedCheck } from '#core/json-schema/check-apart.ts';
import type { Problem } from '#core/problem/problem.ts';
import { inputSchemaOf, type JsonSchema, propertiesOf, type Rig } from './rig.ts';
import type { RigReader } from './rig-reader.ts';

/** Checks the relations between valid parts of a rig. */

/** Defaults and the inputs of checks against the parameters; throws `http.unavailable` (`checks`) if the check cannot run now. */
export async function checkRig(reader: RigReader, { spec }: Rig, share: Share): Promise<void> {
  const { parameters, checks, output } = spec;
  if (output !== null) await fits(reader, ['spec', 'output'], output, null, null, share);
  const usable = await fits(reader, ['spec', 'parameters'], parameters, null, null, share);
  if (!usable) return;
  for (const [name, schema] of Object.entries(propertiesOf(parameters))) {
    if (!Object.hasOwn(schema, 'default')) continue;
    const { $defs, definitions } = parameters;
    const one = {
      ...schema,
      ...defined({ $defs, definitions }),
    };
    const path = ['spec', 'parameters', 'properties', name, 'default'];
    await fits(reader, path, one, { value: schema.default }, 'default-unfit', share);
  }
  const asked = inputSchemaOf(parameters);
  for (const [index, { input }] of checks.entries())
    await fits(reader, ['spec', 'checks', index, 'input'], asked, { value: input }, 'check-unfit', share);
}

/** With null for the value, only checks whether the schema is usable. */
async function fits(
  reader: RigReader,
  path: (string | number)[],
  schema: JsonSchema,
  given: { value: unknown } | null,
  rule: 'default-unfit' | 'check-unfit' | null,
  share: Share,
): Promise<boolean> {
  const checked = await checkApart(schema, given === null ? {} : given.value, share);
  if ('refused' in checked) throw refusedCheck(checked);
  if ('unusable' in checked) {
    reader.fault('schema-unusable', path, `The schema ${checked.unusable}.`);
    return false;
  }
  const [first] = checked.errors;
  if (rule !== null && first !== undefined) reader.fault(rule, path, `${first.pointer || 'It'} ${first.detail}.`);
  return true;
}

export const checkBusy = (detail = 'Too many schemas are being checked; ask again in 2 s.'): Problem =>
  coreProblem('http.unavailable', detail, { reason: 'checks', headers: { 'retry-after': '2' } });
