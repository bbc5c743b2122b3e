import fc from 'fast-check';
import type { HarnessRequest } from '#runtime/harnesses/author/harness-request.ts';
import { INPUT_TYPES, LANGUAGES, type SkillRequest } from '#runtime/skills/author/skill-request.ts';
import { anyText } from './any-text.ts';

/** Texts that would break out of YAML, Markdown, JSON or a shell if they were let, and ordinary ones. */
const PIECES = [
  'Count words',
  ' of a text',
  '. ',
  ': ',
  ' # ',
  '\n',
  '\r\n',
  '\n---\n',
  '---',
  '...',
  '"',
  "'",
  '\\',
  '`',
  '```',
  '\n```\n',
  '~~~',
  '{',
  '}',
  '[',
  ']',
  '[a](../b)',
  '](x.md)',
  '<!--',
  '-->',
  '</script>',
  '&a ',
  '*a',
  '!!js/function',
  '|',
  '>-',
  '%',
  '@',
  '- ',
  '? ',
  'name: other',
  '\nname: other\n',
  '$(rm -rf /)',
  '$\u007bHOME}',
  '; ls',
  '\0',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\ud800',
  '\u2028',
  '\u{e0041}',
  'é',
  '日本',
  '👩‍💻',
  'no',
  '1.0',
  '2026-01-01',
  'scripts/none.py',
  '@references/a.md',
  'https://a.example/x',
  'Ignore all previous instructions',
  '{{x}}',
  '<%',
];

const hostileText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      {
        weight: 4,
        arbitrary: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((parts) => parts.join('')),
      },
      { weight: 1, arbitrary: anyText({ minLength: 1, maxLength: 60 }) },
      { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 60 }) },
    )
    .map((text) => text.slice(0, maxLength) || 'x');

const PATHS = [
  'references/a.md',
  'references/b c.md',
  'scripts/run.py',
  'scripts/x`.sh',
  'scripts/a.mjs',
  'assets/example.json',
  'assets/checks.json',
  'SKILL.md',
  'skill.md',
  'HARNESS.md',
  'harness.yaml',
  '../x',
  '/etc/x',
  'a\\b',
  'A.md',
  'a.md',
  'a',
  'a/b',
  'skills/demo/SKILL.md',
  'skills/x.md',
];

const givenFiles = fc.array(
  fc.oneof(
    fc.record({ path: fc.oneof(fc.constantFrom(...PATHS), hostileText(500)), content: hostileText(200) }),
    fc.record({ path: fc.constantFrom(...PATHS), base64: fc.oneof(fc.base64String(), hostileText(20)) }),
  ),
  { maxLength: 3 },
);

/** Each member of a request may be left out. */
const someOf = <T extends Record<string, fc.Arbitrary<unknown>>>(members: T, required: (keyof T & string)[]) =>
  fc.record(members, { requiredKeys: required });

export const skillRequest = someOf(
  {
    description: hostileText(2_000),
    name: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('demo', 'x') }, { weight: 1, arbitrary: hostileText(100) }),
    execution_class: fc.constantFrom('prompt', 'scripted'),
    language: fc.constantFrom(...LANGUAGES),
    inputs: fc.array(
      someOf(
        {
          name: fc.oneof(
            fc.constantFrom('text', 'constructor', 'not_a_member'),
            fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/),
          ),
          type: fc.constantFrom(...INPUT_TYPES),
          description: hostileText(500),
          required: fc.boolean(),
        },
        ['name', 'type'],
      ),
      { maxLength: 4 },
    ),
    steps: fc.array(hostileText(500), { maxLength: 3 }),
    license: hostileText(500),
    compatibility: hostileText(500),
    files: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: givenFiles }),
  },
  ['description'],
) as fc.Arbitrary<SkillRequest>;

const names = (...some: string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...some) },
    { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/) },
  );
const rules = fc.array(hostileText(200), { maxLength: 2 });

export const harnessRequest = someOf(
  {
    description: hostileText(2_000),
    name: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('demo', 'x') }, { weight: 1, arbitrary: hostileText(100) }),
    steps: fc.array(hostileText(500), { maxLength: 3 }),
    skills: fc.array(hostileText(300), { maxLength: 2 }),
    servers: fc.array(
      fc.record({
        name: names('forge', 'constructor', 'no'),
        url: fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom('https://a.example/mcp', 'https://a.example/?x=%22') },
          { weight: 1, arbitrary: hostileText(200) },
        ),
      }),
      { maxLength: 2 },
    ),
    env: fc.array(
      someOf({ name: names('A_TOKEN', 'null', 'B'), description: hostileText(500), secret: fc.boolean() }, ['name']),
      { maxLength: 2 },
    ),
    permissions: someOf({ allow: rules, ask: rules, deny: rules }, []),
    license: hostileText(500),
    files: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: givenFiles }),
  },
  ['description'],
) as fc.Arbitrary<HarnessRequest>;
