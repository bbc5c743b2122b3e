import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { quoted } from '#core/tools/words.ts';
import type { RigsDeps } from '../deps.ts';
import { RIG_LINE_EXAMPLE } from '../examples.ts';
import { CheckShown, Finding, orNull } from '../shapes.ts';
import { verdictOnRig } from '../verdict-on-rig.ts';

const MOST_SHOWN = 20;

export const rigVerify = (deps: RigsDeps) =>
  tool({
    name: 'rig_verify',
    title: 'Verify a rig',
    description:
      'Compare everything that a rig uses with its lock. `verified` is false if anything changed or is missing, with what ' +
      'was expected and found. With `run_checks` its checks also run. rig_create with the same text locks it again.',
    scope: 'write',
    input: Type.Object(
      {
        rig: Type.String({ minLength: 1, maxLength: 100, description: 'Its id or name.' }),
        version: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Defaults to the newest.' })),
        run_checks: Type.Optional(Type.Boolean({ default: false, description: 'Run its checks.' })),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      verified: Type.Boolean(),
      version: Type.String(),
      lock_digest: Type.String(),
      findings: Type.Array(Finding),
      checks: orNull(Type.Array(CheckShown), 'Null if none was run.'),
    }),
    annotations: { read_only: false, destructive: false, idempotent: true, open_world: true },
    example: { rig: RIG_LINE_EXAMPLE.name },
    run: async ({ rig, ...order }, call) => {
      const verdict = await verdictOnRig(deps, { user_id: ownerOf(call), ref: rig }, order, call.signal);
      const structured = { ...verdict, findings: verdict.findings.slice(0, MOST_SHOWN) };
      const checks = (structured.checks ?? []).map(
        ({ name, passed, detail }) =>
          `- check ${quoted(name, 100)}: ${passed ? 'passed' : `failed. ${quoted(detail, 300)}`}`,
      );
      const findings = structured.findings.map(
        ({ part, code, detail }) => `- ${quoted(part, 200)} ${code}: ${quoted(detail, 300)}`,
      );
      const said = structured.verified ? 'is verified' : 'is not verified';
      return { structured, text: [`The rig ${structured.version} ${said}.`, ...findings, ...checks].join('\n') };
    },
  });
