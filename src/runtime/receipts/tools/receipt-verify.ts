import type { TSchema } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { quoted } from '#core/tools/words.ts';
import { BUNDLE_EXAMPLE } from '../examples.ts';
import { type Trust, type Verdict, verdictOf } from '../verdict.ts';

const text = Type.String();
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const receiptVerify = (trust: Trust) =>
  tool({
    name: 'receipt_verify',
    title: 'Verify a receipt',
    description:
      'Check the receipt of a run: signature, place in the log, checkpoint, and whether a trusted issuer signed it. Rely on its ' +
      'content only if `valid` is true. It proves that this version ran on this input at that time with this result, ' +
      'not that the result is right. Read receipt://{id} for the bundle of a run of this service.',
    scope: null,
    input: Type.Object(
      {
        bundle: Type.Record(text, Type.Unknown(), {
          description: 'The whole bundle: dsse, log_entry, checkpoint and jwk.',
        }),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      verdict: text,
      valid: Type.Boolean({ description: 'Consistent, and signed by a trusted issuer.' }),
      consistent: Type.Boolean({ description: 'Anyone can create a consistent bundle with their own key.' }),
      issuer: text,
      failed: orNull(text),
      detail: text,
      statement: orNull(Type.Object({})),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { bundle: BUNDLE_EXAMPLE },
    run: async ({ bundle }) => {
      const verdict = await verdictOf(trust, bundle);
      return { structured: verdict, text: textOf(verdict) };
    },
  });

function textOf({ valid, failed, detail, statement }: Verdict): string {
  if (statement === null) return `Not valid (${failed}): ${detail}`;
  const { predicate, subject } = statement;
  const { status, started_at, finished_at, execution_class } = predicate;
  const what = subject.map(({ name, digest }) => `${quoted(name)} sha256:${digest.sha256}`).join(', ');
  const said = `${what} (${execution_class}) ${status}, ${started_at} to ${finished_at}.`;
  return valid ? `Valid. ${detail} It says: ${said}` : `Not valid (${failed}): ${detail} It claims, unproven: ${said}`;
}
