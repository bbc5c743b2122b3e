import fc from 'fast-check';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import { startTracing } from '#core/traces/tracing.ts';
import { skillOfFiles } from '#runtime/bundles/skill-of-files.ts';
import { authorHarness } from '#runtime/harnesses/author/author-harness.ts';
import { checkHarness } from '#runtime/harnesses/check-harness.ts';
import { embeddedSandbox } from '#runtime/sandbox/embedded.ts';
import { authorSkill } from '#runtime/skills/author/author-skill.ts';
import { INPUT_TYPES, LANGUAGES, planSkill } from '#runtime/skills/author/skill-request.ts';
import { writeSkill } from '#runtime/skills/author/template-skill.ts';
import type { ModelDeps } from '#runtime/skills/author/write-with-model.ts';
import { checkSkill } from '#runtime/skills/checks/check-skill.ts';
import { harnessRequest, skillRequest } from '../hostile-requests.ts';
import { runPython } from '../many-checks.ts';
import { skillRunner } from '../run-skill.ts';
import { readChecks, unmet } from '../skill-checks.ts';

/**
 * `npm run soak -- authors [runs]`: so many hostile requests, each refused or written without an error; then the script
 * of every language in the sandbox, with inputs of every type that fit and that do not.
 */
const [runs = '20000'] = process.argv.slice(2);
const nobody = { share: OWN_SHARE, caller: null, signal: new AbortController().signal };
const deps = {} as ModelDeps;

type Made = { files: Map<string, Uint8Array>; checked: { name: string } };

async function soak<R>(
  what: string,
  requests: fc.Arbitrary<R>,
  write: (value: R) => Promise<Made>,
  errors: (made: Made) => number,
) {
  const counts = { written: 0, refused: 0 };
  const property = fc.asyncProperty(requests, async (request) => {
    const made = await write(request).catch((error: unknown) => {
      if (error instanceof Problem) return null;
      throw error;
    });
    if (made === null) counts.refused += 1;
    else {
      counts.written += 1;
      if (errors(made) > 0) throw new Error('what was written has an error');
    }
  });
  await fc.assert(property, { numRuns: Number(runs) });
  process.stdout.write(`${what}: ${counts.written} written without an error, ${counts.refused} refused\n`);
}

const isError = ({ severity }: { severity: string }) => severity === 'error';
await soak(
  'skills',
  skillRequest,
  (request) => authorSkill(deps, request, nobody),
  ({ files, checked }) => checkSkill(files, { directory: checked.name }).violations.filter(isError).length,
);
await soak(
  'harnesses',
  harnessRequest,
  (request) => authorHarness(deps, request, nobody),
  ({ files, checked }) => checkHarness(files, { directory: checked.name }).violations.filter(isError).length,
);

const sandbox = embeddedSandbox();
const tracing = startTracing({ save: async () => {}, on_error: () => {} });
const VALUES = {
  string: 'a "b"\n',
  number: 1.5,
  integer: 2,
  boolean: false,
  array: [1, { a: null }],
  object: { b: [] },
};
const inputs = INPUT_TYPES.map((type) => ({ name: `a_${type}`, type, required: type !== 'object' }));
const all = Object.fromEntries(INPUT_TYPES.map((type) => [`a_${type}`, VALUES[type]]));
const refused = (name: string, input: unknown, error_contains: string) => ({
  name,
  input,
  expect: { exit_code: 2, error_contains },
});
for (const language of LANGUAGES) {
  const skill = skillOfFiles(writeSkill(planSkill({ description: 'Echo', language, inputs })), {
    name: '',
    description: '',
    version: '',
    license: '',
  });
  const { a_object: _left_out, ...required } = all;
  const checks = [
    ...readChecks(skill),
    { name: 'every type', input: all, expect: { output: { ok: true, input: all } } },
    { name: 'without what may be left out', input: required, expect: { output: { ok: true, input: required } } },
    ...INPUT_TYPES.map((type) =>
      refused(`null as ${type}`, { ...all, [`a_${type}`]: null }, `a_${type} must be of type ${type}`),
    ),
    refused('a number with a fraction', { ...all, a_integer: 1.5 }, 'a_integer must be of type integer'),
    refused('a boolean as number', { ...all, a_number: true }, 'a_number must be of type number'),
    refused('missing', {}, 'is missing'),
    ...[[], 'text', null, 1].map((input) => refused(`${JSON.stringify(input)} as input`, input, 'must be an object')),
  ];
  async function one(check: (typeof checks)[number]) {
    const ran = await skillRunner({ sandbox, tracing })(skill, check.input);
    return { ...ran, exit_code: ran.exit_code ?? -1 };
  }
  const shown = language === 'python' ? ((await runPython(sandbox, [{ skill, checks }]))[0] ?? []) : [];
  if (language !== 'python') for (const check of checks) shown.push(await one(check));
  const lines = checks.flatMap((check, at) =>
    unmet(check, shown[at] as never).map((line) => `${language}, ${check.name}: ${line}\n`),
  );
  process.stdout.write(
    `${lines.join('')}${language}: ${checks.length - lines.length} of ${checks.length} checks hold\n`,
  );
  if (lines.length > 0) process.exitCode = 1;
}
await sandbox.close();
await tracing.close();
process.exit();
