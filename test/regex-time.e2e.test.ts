import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalAddress } from '#accounts/email/address.ts';
import { words } from '#catalog/changes/fold.ts';
import { adaptPlugin, contextOf } from '#catalog/providers/claude-plugins/adapt.ts';
import marketplaces from '#catalog/providers/claude-plugins/fixture.json' with { type: 'json' };
import { adaptCatalogItem, adaptSkillItem } from '#catalog/providers/clawhub/adapt.ts';
import clawhub from '#catalog/providers/clawhub/fixture.json' with { type: 'json' };
import { digestOf } from '#catalog/providers/docker/installs.ts';
import { adaptGeminiExtension } from '#catalog/providers/gemini-extensions/adapt.ts';
import extensions from '#catalog/providers/gemini-extensions/fixture.json' with { type: 'json' };
import { adaptConnector, adaptServer as adaptGlama } from '#catalog/providers/glama/adapt.ts';
import glama from '#catalog/providers/glama/fixture.json' with { type: 'json' };
import { adaptServer as adaptMcp } from '#catalog/providers/mcp-registry/adapt.ts';
import mcp from '#catalog/providers/mcp-registry/fixture.json' with { type: 'json' };
import { adaptApiSkill, adaptMirrorLine } from '#catalog/providers/skills-sh/adapt.ts';
import skills from '#catalog/providers/skills-sh/fixture.json' with { type: 'json' };
import { adaptSkill, adaptServer as adaptSmithery } from '#catalog/providers/smithery/adapt.ts';
import smithery from '#catalog/providers/smithery/fixture.json' with { type: 'json' };
import { time, url } from '#catalog/sync/adapt-fields.ts';
import { retryAfter } from '#catalog/sync/retry.ts';
import { parseLine } from '#catalog/transfer/parse-line.ts';
import { preferredEncoding, preferredType } from '#core/http/accept.ts';
import { codeBlock, codeSpan, escapeInline, visible, webLink } from '#core/markdown/escape.ts';
import { licenseFault, licenseIn } from '#core/text/license.ts';
import { isSecretName, redactSecrets } from '#core/text/redact.ts';
import { redactAttributes } from '#core/traces/redact.ts';
import { statusOf } from '#runtime/sandbox/outcome.ts';
import { readSkillMd } from '#runtime/skills/parse-skill-md.ts';
import { isSkillName } from '#runtime/skills/skill.ts';
import { isMeant } from '#surfaces/agent/gate/named.ts';
import { freshState } from '#surfaces/agent/gate/state.ts';
import { readWords } from '#surfaces/agent/gate/words.ts';
import { cpuTimeOf } from './cpu-time.ts';

/** No regular expression for untrusted text takes more than 50 ms for 100 KB of any text. */
const SIZE = 100_000;
const LIMIT_MS = 50;

/** What the patterns repeat, begin with, or stop at. */
const PIECES = [
  'a',
  '0',
  '.',
  '-',
  '_',
  '/',
  ':',
  '@',
  ' ',
  '\t',
  '\n',
  '"',
  "'",
  '\\',
  '`',
  '[',
  '(',
  '<',
  '{',
  '|',
  '#',
  '*',
  '$',
  ',',
  ';',
  '=',
  '%',
  '~',
  '\r\n',
  ' \n',
  '\u200b',
  '\u200d',
  '\u{1f469}\u200d',
  '\ufe0f',
  '\ud800',
  '\u0301',
  'a.',
  'a-',
  'a+',
  'a:',
  'a@',
  'a/',
  'a b ',
  '//',
  'a://',
  'http://',
  'http://a:',
  'www.',
  '@a/',
  '-a',
  ' - ',
  '1.',
  '---\n',
  '---\t',
  '[a](',
  '![',
  '](',
  '**a',
  '```\n',
  '<!--',
  '&#',
  'a: &a ',
  '- *a ',
  '? ',
  '{a: ',
  'a,q=0;',
  'password',
  'password=',
  'token: ',
  'secret:"',
  'secret\\"',
  "api_key='\\",
  'Bearer ',
  'eyJ',
  'eyJaaaaaaaa.',
  'sk-',
  'ghp_',
  'xoxb-',
  'AKIA',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----END A ',
  'string length ',
  ': out of memory',
  'MemoryError\n',
  ' exceeded',
  '@sha256:',
  'git+',
  '.git',
  '/tree/',
  'git@github.com:',
];
const repeated = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
/** With an end that matches none of the pieces, so that what was matched is given back, and with another start. */
const inputsOf = (size: number) =>
  PIECES.flatMap((piece) => [`${repeated(piece, size)}!\n`, `x${repeated(piece, size)}@`]);
const INPUTS = inputsOf(SIZE);
/** Each adapter reads every one of them in a dozen places, so they are shorter, and so is their time. */
const SHORT_INPUTS = inputsOf(SIZE / 4);
const SHORT_LIMIT_MS = LIMIT_MS / 4;

const official = marketplaces['anthropics/claude-plugins-official/main/.claude-plugin/marketplace.json'];
const context = contextOf(official, 'anthropics/claude-plugins-official');

/** A record for each of its texts, in which that one is the nasty one. */
function* spoiled(seed: unknown, text: string): Generator<unknown> {
  if (typeof seed === 'string') yield text;
  if (typeof seed !== 'object' || seed === null) return;
  for (const [key, value] of Object.entries(seed))
    for (const other of spoiled(value, text))
      yield Array.isArray(seed) ? seed.with(Number(key), other) : { ...seed, [key]: other };
}

const LISTING = {
  name: 'n',
  kind: 'skill',
  provider: 'p',
  external_id: 'a/b',
  description: 'd',
  homepage: 'https://a.example/',
};
const bytes = (text: string): Buffer => Buffer.from(text);
const signs = (stderr: string) => ({
  stopped: null,
  exit_code: 1,
  stderr,
  end: { code: 0, signal: null, complaint: stderr },
});

const READERS: Record<string, (text: string) => unknown> = {
  normalAddress,
  redactSecrets,
  isSecretName,
  redactAttributes: (text) => redactAttributes({ text, [text]: 'x' }),
  visible,
  escapeInline,
  codeSpan,
  codeBlock,
  webLink: (text) => [webLink(text, 'https://a.example/'), webLink('a', `https://a.example/${text}`)],
  'readSkillMd, body': (text) => readSkillMd(bytes(`---\nname: a\n---\n${text}`)),
  'readSkillMd, whole': (text) => readSkillMd(bytes(`---\n${text}`)),
  isSkillName,
  words,
  parseLine: (text) => [parseLine(bytes(text)), parseLine(bytes(JSON.stringify({ ...LISTING, description: text })))],
  url: (text) => [url(text), url(`https://a.example/${text}`.slice(0, 2_000))],
  time,
  retryAfter: (text) => retryAfter(text, 0),
  digestOf,
  preferredType: (text) => preferredType(text, ['text/html', 'application/json']),
  preferredEncoding,
  license: (text) => [licenseFault(text), licenseIn(`---\nlicense:${text}`), licenseIn(`---\n${text}`)],
  'words of a chat': (text) => {
    const said = readWords([{ seq: 1, input: [{ role: 'user', content: `run ${text}` }] }], 0);
    const target = { kind: 'listing', ref: 'glama/ann/weather', name: 'Weather' };
    return isMeant(target, said, { ...freshState(), known: [target] });
  },
  statusOf: (text) => [statusOf(signs(text)), statusOf({ ...signs(text), exit_code: null })],
};

const ADAPTERS: [string, (raw: unknown) => unknown, unknown][] = [
  ['claude-plugins', (raw) => adaptPlugin(raw, context), official.plugins[0]],
  ['clawhub packages', adaptCatalogItem, clawhub[0]],
  [
    'clawhub skills',
    (raw) => adaptSkillItem(raw, 'owner'),
    { slug: 's', displayName: 'S', summary: 't', topics: ['t'] },
  ],
  ['gemini-extensions', adaptGeminiExtension, extensions[0]],
  ['glama servers', adaptGlama, glama.servers[0]],
  ['glama connectors', adaptConnector, glama.connectors[0]],
  ['mcp-registry', adaptMcp, mcp[0]],
  ['skills-sh mirror', (raw) => adaptMirrorLine(JSON.stringify(raw)), skills.mirror[0]],
  ['skills-sh API', adaptApiSkill, skills.api[0]],
  ['smithery servers', adaptSmithery, smithery.servers[0]],
  ['smithery skills', adaptSkill, smithery.skills[0]],
];

/** This one is the YAML parser's, which looks at some texts more than once; 16 KB is all that it is given. */
const YAML_LIMIT_MS = 250;

function slowOnes(read: (text: string) => unknown, limitMs = LIMIT_MS): string[] {
  return INPUTS.flatMap((text) => {
    const ms = cpuTimeOf(() => read(text), limitMs);
    return ms > limitMs ? [`${Math.round(ms)} ms: ${JSON.stringify(text.slice(0, 24))}`] : [];
  });
}

for (const [name, read] of Object.entries(READERS))
  test(`${name} processes any 100 KB text in 50 ms`, () => assert.deepEqual(slowOnes(read), []));

test('readSkillMd processes the longest frontmatter in 250 ms', () => {
  const read = (text: string) => readSkillMd(bytes(`---\nname: ${text.slice(0, 16_000)}\n---\n`));
  assert.deepEqual(slowOnes(read, YAML_LIMIT_MS), []);
});

for (const [name, adapt, seed] of ADAPTERS)
  test(`the adapter of ${name} processes any record with 25 KB of hostile text in its time limit`, () => {
    for (const text of SHORT_INPUTS)
      for (const record of spoiled(seed, text)) {
        const ms = cpuTimeOf(() => adapt(record), SHORT_LIMIT_MS);
        assert.ok(ms <= SHORT_LIMIT_MS, `${Math.round(ms)} ms: ${JSON.stringify(text.slice(0, 24))}`);
      }
  });
