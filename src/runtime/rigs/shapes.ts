import type { TSchema } from 'typebox';
import { Type } from '#core/json-schema/type.ts';

/** The schemas of rigs in responses. */

const text = Type.String();
const time = Type.String({ format: 'date-time' });
export const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const Yaml = Type.String({
  minLength: 1,
  maxLength: 64 * 1024,
  description: 'A rig.yaml, whole. Its name and version are in it.',
});

const LINE = {
  id: text,
  name: text,
  version: Type.String({ description: 'The one that was stored last; of a rig that was asked for, the one shown.' }),
  description: text,
  digest: Type.String({ description: '`sha256:` of the original rig.yaml.' }),
  lock_digest: orNull(text, '`sha256:` of the current rig.lock; null if it was never resolved.'),
  created_at: time,
  updated_at: time,
};
export const RigLine = Type.Object(LINE);

export const Lock = Type.Object({
  digest: Type.String({ description: '`sha256:` of the content, as in receipts of its runs.' }),
  created_at: time,
  content: Type.String({
    description: 'rig.lock: JSON, the same bytes for the same parts. Digests of harness, skills and tools; the model.',
  }),
});

export const RigWhole = Type.Object({
  ...LINE,
  yaml: text,
  lock: orNull(Lock, 'The current lock; null if the rig was never resolved.'),
  versions: Type.Array(
    Type.Object({ version: text, digest: text, lock_digest: orNull(text, 'As above.'), created_at: time }),
    { description: 'The newest first.' },
  ),
});

export const Finding = Type.Object({
  part: Type.String({ description: 'Such as `skill skill/json-diff` or `tool forecast of weather`.' }),
  code: Type.String({ description: '`changed`, `tool_changed`, or why it is unavailable, such as `skill_gone`.' }),
  expected: orNull(text, 'The locked value.'),
  found: orNull(text, 'The current value; null if it is missing.'),
  detail: text,
});

export const CheckShown = Type.Object({
  name: text,
  passed: Type.Boolean(),
  detail: text,
  trace_id: orNull(text, 'Trace of the run.'),
});

export const VerifiedShown = Type.Object({
  verified: Type.Boolean({ description: 'Whether everything matches the lock, and each check that ran passed.' }),
  version: text,
  lock_digest: text,
  findings: Type.Array(Finding),
  checks: orNull(Type.Array(CheckShown), 'Null if no checks ran: not requested, or the lock does not match.'),
});
