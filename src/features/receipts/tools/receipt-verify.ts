import type { TSchema } from 'typebox';
import { Type } from '../../../platform/json-schema/type.ts';
import { tool } from '../../../platform/tools/tool.ts';
import { quoted } from '../../../platform/tools/words.ts';
import { BUNDLE_EXAMPLE } from '../examples.ts';
import type { ReceiptKeys } from '../receipt-keys.ts';
import { type Verdict, verdictOf } from '../verdict.ts';

const text = Type.String();
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const receiptVerify = (keys: Pick<ReceiptKeys, 'published'>) =>
  tool({
    name: 'receipt_verify',
    title: 'Verify a receipt',
    description:
      'Check the receipt of a run: signature, place in the log, checkpoint, and whether this service issued it. Use it before ' +
      'you rely on what somebody says was run. It proves that this version ran on this input at that time with this result, ' +
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
      valid: Type.Boolean(),
      ...{ issuer: text, failed: orNull(text), detail: text },
      statement: orNull(Type.Object({})),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { bundle: BUNDLE_EXAMPLE },
    run: async ({ bundle }) => {
      const verdict = await verdictOf(keys, bundle);
      return { structured: verdict, text: textOf(verdict) };
    },
  });

function textOf({ valid, failed, detail, statement }: Verdict): string {
  if (!valid || statement === null) return `Not valid (${failed}): ${detail}`;
  const { predicate, subject } = statement;
  const { status, started_at, finished_at, execution_class } = predicate;
  const what = subject.map(({ name, digest }) => `${quoted(name)} sha256:${digest.sha256}`).join(', ');
  return `Valid. ${detail} It says: ${what} (${execution_class}) ${status}, ${started_at} to ${finished_at}.`;
}
