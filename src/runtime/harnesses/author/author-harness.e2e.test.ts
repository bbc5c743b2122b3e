import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Check, type XSchema } from 'typebox/schema';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import type { ModelDeps } from '#runtime/skills/author/write-with-model.ts';
import { harnessRequest } from '#test/hostile-requests.ts';
import { checkHarness } from '../check-harness.ts';
import { authorHarness } from './author-harness.ts';
import { HarnessRequest } from './harness-request.ts';

const nobody = { caller: null, share: OWN_SHARE, signal: new AbortController().signal };
const write = (request: HarnessRequest) => authorHarness({} as ModelDeps, request, nobody);

test('any request produces a harness without errors, or http.invalid with the field', async () => {
  let written = 0;
  await fc.assert(
    fc.asyncProperty(harnessRequest, async (asked) => {
      fc.pre(Check(HarnessRequest as XSchema, asked));
      const made = await write(asked).catch((error) => {
        assert.ok(error instanceof Problem && error.code === 'http.invalid', String(error.stack));
        // An error about files requires that files were given.
        const blamed = (error.errors ?? []).map((fieldError) => fieldError.pointer);
        assert.ok(
          blamed.length > 0 && (asked.files?.length || !blamed.some((pointer) => pointer.startsWith('/files'))),
          error.message,
        );
        return null;
      });
      if (made === null) return;
      written += 1;
      const { violations, manifest } = checkHarness(made.files, { directory: made.checked.name });
      assert.deepEqual(
        violations.filter((violation) => violation.severity === 'error'),
        [],
      );
      // The parser reads back exactly the requested names.
      assert.deepEqual(
        manifest?.mcp_servers.map((mcpServer) => mcpServer.name).sort(),
        (asked.servers ?? []).map((server) => server.name).sort(),
      );
      assert.deepEqual(
        manifest?.env.map((variable) => variable.name).sort(),
        (asked.env ?? []).map((variable) => variable.name).sort(),
      );
    }),
    { numRuns: 60 },
  );
  assert.ok(written > 10, `${written} were written`);
});

test('lists the skills given by the caller, and refuses one that breaks a rule with its file', async () => {
  const skill = { path: 'skills/one/SKILL.md', content: '---\nname: one\ndescription: One.\n---\n# One\n' };
  const made = await write({ description: 'Demo', files: [skill], skills: ['clawhub/ada/two'] });
  assert.deepEqual(
    [made.made_by, made.is_llm, made.checked.manifest?.skills],
    [
      'template',
      false,
      [
        { path: 'skills/one', ref: null, digest: null },
        { path: null, ref: 'clawhub/ada/two', digest: null },
      ],
    ],
  );
  await assert.rejects(write({ description: 'Demo', files: [{ ...skill, path: 'skills/two/SKILL.md' }] }), {
    code: 'http.invalid',
    errors: [{ pointer: '/files/0', detail: /./ }].map(() => ({
      pointer: '/files/0',
      detail:
        'skills/two/SKILL.md:2:1: error name-directory: "name" must equal the name of its directory, two. Give the directory and the skill the same name',
    })),
  });
});

test('escapes a description that looks like a file inclusion', async () => {
  const made = await write({ description: '@references/a.md' });
  assert.match(`${Buffer.from(made.files.get('HARNESS.md') as Uint8Array)}`, /^\\@references\/a\.md$/m);
});
