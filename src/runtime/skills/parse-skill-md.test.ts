import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '#test/any-text.ts';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { FRONTMATTER_KEYS, parseSkillMd, readSkillMd, SKILL_MD_LIMITS } from './parse-skill-md.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const withFrontmatter = (yaml: string): Uint8Array => bytes(`---\n${yaml}\n---\nbody\n`);
function detailsOf(text: string | Uint8Array, directory?: string): string {
  const parsed = parseSkillMd(typeof text === 'string' ? withFrontmatter(text) : text, directory);
  return parsed.ok ? 'ok' : parsed.violations.map((violation) => `${violation.pointer} ${violation.detail}`).join('\n');
}

test('parses the frontmatter and keeps the body as written', () => {
  const text =
    '\uFEFF---\r\nname: a-b\ndescription: >-\n  What it does\n  and when.\nlicense: MIT\nmetadata:\n  version: "1.0.0"\n---  \n# A\n---\nb';
  const parsed = parseSkillMd(bytes(text), 'a-b');
  assert.deepEqual(parsed, {
    ok: true,
    value: {
      frontmatter: {
        name: 'a-b',
        description: 'What it does and when.',
        license: 'MIT',
        metadata: { version: '1.0.0' },
      },
      body: '# A\n---\nb',
    },
  });
});

test('reports each broken rule with its pointer', () => {
  assert.match(detailsOf('name: A\ndescription: x'), /^\/name must be/);
  assert.match(detailsOf('name: a\ndescription: x', 'b'), /^\/name must equal .* b$/);
  assert.match(detailsOf('name: a'), /^\/description/);
  assert.match(detailsOf(`name: a\ndescription: ${'x'.repeat(1025)}`), /^\/description/);
  assert.match(detailsOf('name: a\ndescription: x\nversion: 1\na/b: 1'), /^\/version .*\n\/a~1b is not a key/);
  assert.match(detailsOf('name: a\ndescription: x\nmetadata: [1]'), /^\/metadata must be a map/);
  assert.match(detailsOf('name: a\ndescription: x\nmetadata:\n  version: 1.0'), /^\/metadata\/version .*quotes/);
  assert.match(detailsOf('name: a\ndescription: x\ncompatibility: 3'), /^\/compatibility/);
  assert.match(detailsOf(`name: a\ndescription: x\ncompatibility: ${'x'.repeat(501)}`), /^\/compatibility/);
});

test('gives the reason when a file cannot be read', () => {
  const cases: [Uint8Array, RegExp][] = [
    [bytes('# no frontmatter'), /does not begin/],
    [bytes('---\nname: a\n'), /no second line/],
    [new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff]), /not UTF-8/],
    [bytes('---\na: \0\n---\n'), /NUL/],
    [new Uint8Array(SKILL_MD_LIMITS.file_bytes + 1), /is over/],
    [withFrontmatter(`a: ${'x'.repeat(SKILL_MD_LIMITS.frontmatter_bytes)}`), /frontmatter over/],
    [withFrontmatter('a: [1'), /not plain YAML/],
    [withFrontmatter('a: 1\na: 2'), /not plain YAML/],
    [withFrontmatter('a: &a [1]\nb: *a'), /not plain YAML/],
    [withFrontmatter('- a'), /not a map/],
    [withFrontmatter(''), /not a map/],
    [withFrontmatter('a: !!js/function x'), /not plain YAML/],
    [withFrontmatter('a: 1\n...\nb: 2'), /not plain YAML/],
  ];
  for (const [file, expected] of cases) assert.match(detailsOf(file), expected);
});

test('refuses YAML with aliases or deep nesting quickly, and prototype keys are harmless', () => {
  const bomb = ['a0: &a0 [x]', ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)].join(
    '\n',
  );
  const nested = [`a: ${'['.repeat(16_000)}`, `a: ${'{a: '.repeat(4_000)}`, '- '.repeat(8_000), '? '.repeat(8_000)];
  const deep = Array.from({ length: 20 }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
  const refuseAll = () => {
    for (const yaml of [bomb, ...nested, deep]) assert.equal(readSkillMd(withFrontmatter(yaml)).ok, false);
  };
  assert.ok(cpuTimeOf(refuseAll, 2_000) < 2_000);
  const parsed = readSkillMd(withFrontmatter('__proto__: {polluted: 1}'));
  assert.ok(parsed.ok && Object.hasOwn(parsed.value.frontmatter, '__proto__'));
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('any bytes give a valid document or violations', () => {
  const yamlish = fc
    .array(
      fc.constantFrom(
        'name: a\n',
        'description: x\n',
        'metadata:\n',
        '  k: "v"\n',
        '- ',
        '? ',
        ': ',
        '&a ',
        '*a',
        '!t ',
        '|\n',
        '"',
        "'",
        '[',
        '{',
        '}',
        '\t',
        '---\n',
        '#',
        '<<: *a\n',
        '\r',
        'é',
        '%YAML 1.1\n',
      ),
      { maxLength: 40 },
    )
    .map((parts) => withFrontmatter(parts.join('')));
  const any = fc.oneof(fc.uint8Array({ maxLength: 300 }), yamlish, anyText().map(withFrontmatter));
  fc.assert(
    fc.property(any, (file) => {
      const parsed = parseSkillMd(file);
      if (!parsed.ok) {
        assert.ok(parsed.violations.length > 0);
        return;
      }
      const { frontmatter } = parsed.value;
      assert.ok(Object.keys(frontmatter).every((key) => (FRONTMATTER_KEYS as readonly string[]).includes(key)));
      assert.ok(Object.values(frontmatter.metadata ?? {}).every((value) => typeof value === 'string'));
    }),
    { numRuns: 500 },
  );
});
