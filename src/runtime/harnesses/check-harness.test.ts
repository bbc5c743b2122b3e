import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '#test/any-text.ts';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { checkHarness } from './check-harness.ts';
import { readHarnessYaml } from './harness-yaml.ts';

const MD = '---\nname: demo\ndescription: Shows.\n---\n# Demo\n';
const YAML = 'version: "1"\nkind: harness\n';
const SKILL = '---\nname: one\ndescription: One.\n---\n# One\n';
const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const filesOf = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, file]) => [path, bytes(file)]));

/** `path:line:column rule` of each violation of a harness with the given files. */
const found = (files: Record<string, string>): string[] =>
  checkHarness(filesOf({ 'HARNESS.md': MD, ...files }), { directory: 'demo' }).violations.map(
    (violation) => `${violation.path}:${violation.line}:${violation.column} ${violation.rule}`,
  );
const inYaml = (yaml: string, more: Record<string, string> = {}): string[] =>
  found({ ...more, 'harness.yaml': YAML + yaml }).map((text) => text.replace('harness.yaml:', ''));

test('parses a complete harness in each notation that the format allows', () => {
  const yaml = `${YAML}metadata:
  name: demo
  version: 1.2.3
  tags: [a, b]
skills:
  - skills/one
  - one
  - clawhub/ada/two
  - ref: skills-sh/x
    digest: sha256:${'0'.repeat(64)}
mcp-servers:
  forge:
    url: https://a.example/\${TENANT}/mcp
    headers: { Authorization: "Bearer \${FORGE_TOKEN}" }
    tools: { allow: [list] }
  other: { ref: mcp-registry/io.example/x }
env:
  TENANT: main
  FORGE_TOKEN: { description: A token., secret: true }
  DEBUG:
instructions: [references/how.md, "Be brief."]
permissions: { allow: [forge.list], ask: [forge.create], deny: [] }
`;
  const checked = checkHarness(
    filesOf({ 'HARNESS.md': MD, 'harness.yaml': yaml, 'skills/one/SKILL.md': SKILL, 'references/how.md': 'How.' }),
  );
  assert.deepEqual(checked.violations, []);
  assert.deepEqual([checked.name, checked.version, checked.skills], ['demo', '1.2.3', ['skills/one']]);
  const { manifest } = checked;
  assert.deepEqual(manifest?.skills, [
    { path: 'skills/one', ref: null, digest: null },
    { path: 'skills/one', ref: null, digest: null },
    { path: null, ref: 'clawhub/ada/two', digest: null },
    { path: null, ref: 'skills-sh/x', digest: `sha256:${'0'.repeat(64)}` },
  ]);
  assert.deepEqual(
    manifest?.mcp_servers.map((mcpServer) => [mcpServer.name, mcpServer.url, mcpServer.ref, mcpServer.allow]),
    [
      ['forge', 'https://a.example/$'.concat('{TENANT}/mcp'), null, ['list']],
      ['other', null, 'mcp-registry/io.example/x', null],
    ],
  );
  assert.deepEqual(manifest?.env, [
    { name: 'TENANT', description: '', required: false, secret: false, default: 'main' },
    { name: 'FORGE_TOKEN', description: 'A token.', required: true, secret: true, default: null },
    { name: 'DEBUG', description: '', required: true, secret: false, default: null },
  ]);
  assert.deepEqual(manifest?.instructions, [{ path: 'references/how.md' }, { text: 'Be brief.' }]);
  assert.deepEqual(manifest?.permissions, { allow: ['forge.list'], ask: ['forge.create'], deny: [] });
  const listed = readHarnessYaml(
    bytes(
      `${YAML}mcp-servers: [{ name: a, command: npx, args: [x] }]\nenv: [A, { name: B, default: b }]\ninstructions: Be kind.\n`,
    ),
  );
  assert.deepEqual(
    listed.faults.map((fault) => fault.rule),
    ['server-command'],
  );
  assert.deepEqual(
    listed.manifest?.env.map((variable) => [variable.name, variable.default]),
    [
      ['A', null],
      ['B', 'b'],
    ],
  );
  assert.deepEqual(listed.manifest?.instructions, [{ text: 'Be kind.' }]);
});

test('reports each broken rule of HARNESS.md and harness.yaml at its line and column', () => {
  assert.deepEqual(found({}), []);
  assert.deepEqual(
    checkHarness(new Map()).violations.map((violation) => violation.rule),
    ['harness-md-missing'],
  );
  assert.deepEqual(found({ 'HARNESS.md': MD.replace('Shows.', 'x\ntools: all\nlicense: 3') }), [
    'HARNESS.md:4:1 frontmatter-key',
    'HARNESS.md:5:1 frontmatter-form',
  ]);
  assert.deepEqual(found({ 'HARNESS.md': MD.replace('demo', 'other') }), ['HARNESS.md:2:1 frontmatter-form']);
  assert.deepEqual(found({ 'harness.yaml': '' }), ['harness.yaml:1:1 manifest-yaml']);
  assert.deepEqual(found({ 'harness.yaml': 'kind: rig\nversion: 1\n' }), [
    'harness.yaml:2:1 manifest-version-unquoted',
    'harness.yaml:1:1 kind-unknown',
  ]);
  assert.deepEqual(inYaml('a: [1\n'), ['4:1 manifest-yaml']);
  assert.deepEqual(inYaml('env: &a {}\nmetadata: *a\n'), ['3:9 manifest-yaml']);
  assert.deepEqual(inYaml('env: {}\nenv: {}\n'), ['4:1 manifest-yaml']);
  assert.deepEqual(inYaml('mcp_servers: {}\nmetadata:\n  name: other\n  tag: x\n  version: 1.0\n'), [
    '3:1 manifest-key',
    '5:3 name-differs',
    '6:3 manifest-key',
    '7:3 manifest-form',
  ]);
  assert.deepEqual(inYaml('env: [1A, "B C"]\npermissions: { alow: [] , deny: [x], allow: [x, 1] }\n'), [
    '3:7 env-name',
    '3:11 env-name',
    '4:16 manifest-key',
    '4:49 manifest-form',
    '4:46 permission-twice',
  ]);
});

test('requires a URL, command or reference for each server, and no literal secrets', () => {
  const servers = [
    'mcp-servers:',
    '  a: { url: http://a.example }',
    '  b: { url: https://b.example, command: npx }',
    '  c: {}',
    '  d: https://d.example',
    '  e: { url: https://e.example, headers: { X-Api-Key: abcdef } }',
    '  f: { url: "https://f.example/$'.concat('{NOT_LISTED}" }'),
    '  "g h": { url: https://g.example }',
    '  i: { url: https://i.example, port: 3 }\n',
  ].join('\n');
  assert.deepEqual(inYaml(servers), [
    '4:8 server-entry',
    '5:3 server-entry',
    '6:3 server-entry',
    '7:3 server-entry',
    '10:3 server-entry',
    '11:32 manifest-key',
    '5:32 server-command',
    '8:43 secret-literal',
    '9:3 env-undeclared',
  ]);
});

test('reports missing files, broken skills, and cyclic links and inclusions', () => {
  assert.deepEqual(
    inYaml('skills: [skills/one, skills/none, ., "../x", {}]\ninstructions: [references/none.md]\n', {
      'skills/one/SKILL.md': SKILL.replace('One.', 'x\nversion: 1'),
      'skills/two/SKILL.md': SKILL,
      'skills/stray.md': '',
    }),
    [
      '3:22 skill-missing',
      '3:35 skill-contains-harness',
      '3:38 skill-contains-harness',
      '3:46 skill-entry',
      '4:16 instructions-missing',
      'skills/one/SKILL.md:4:1 frontmatter-key',
      'skills/two/SKILL.md:2:1 name-directory',
      '3:1 skill-unlisted',
      'skills/stray.md:1:1 skills-stray',
    ],
  );
  assert.deepEqual(
    found({
      'HARNESS.md': `${MD}[a](references/a.md)\n`,
      'references/a.md': '[back](../HARNESS.md) [b](b.md)\n@./c.md\n',
      'references/b.md': '[a](a.md) [gone](gone.md)\n',
      'references/c.md': '@d.md\n```\n@a.md\n```\n@gone.md\n',
      'references/d.md': '\n@c.md\n',
    }),
    [
      'references/b.md:1:18 link-broken',
      'references/c.md:5:1 include-missing',
      'references/d.md:2:1 include-cycle',
      'references/b.md:1:5 link-cycle',
    ],
  );
});

test('checks any input within 150 ms of processor time without a crash', () => {
  const yamlish = fc.array(
    fc.constantFrom(
      ...[
        'version: "1"\n',
        'kind: harness\n',
        'skills:\n',
        'mcp-servers:\n',
        'env:\n',
        'permissions:\n',
        'instructions:\n',
        'metadata:\n',
        '  a:\n',
        '    url: x\n',
        '  - ',
        '- ',
        '[',
        '{',
        '}',
        ']',
        ': ',
        ', ',
        '"',
        '&a ',
        '*a',
        '|\n',
        '__proto__: ',
        'constructor: ',
        '\0',
        '1',
        'null',
        '~',
      ],
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(yamlish, anyText({ maxLength: 100 }), (yaml, md) => {
      checkHarness(filesOf({ 'HARNESS.md': md, 'harness.yaml': yaml.join('') }));
    }),
    { numRuns: 40 },
  );
  const keys = Array.from({ length: 9_000 }, (_, at) => `k${at}: 1`).join('\n');
  const pieces = ['- ', '"', '@a.md\n', '[x](a.md) '];
  for (const text of [keys, ...pieces.map((piece) => piece.repeat(Math.ceil(100_000 / piece.length)))]) {
    const files = filesOf({ 'HARNESS.md': MD + text, 'harness.yaml': text.slice(0, 16_000), 'references/a.md': text });
    const ms = cpuTimeOf(() => checkHarness(files), 150);
    assert.ok(ms <= 150, `${JSON.stringify(text.slice(0, 12))}: ${Math.round(ms)} ms`);
  }
});
