import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SETTINGS } from '#app/settings.ts';
import { flatten } from '#core/config/config.ts';

/** What the guides to installing and upgrading name is there: commands, settings, scripts, other guides. */

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const guides = ['install', 'upgrade'].map((name) => read(`docs/guides/${name}.md`)).join('\n');
const named = (pattern: RegExp) => [...new Set([...guides.matchAll(pattern)].map((match) => match[1] as string))];

test('the install and upgrade guides name only commands, settings and pages that exist', () => {
  const program = read('src/app/main.ts');
  const commands = named(/capstand (?!`)([a-z]+)/g).filter((text) => !new RegExp(`^  ${text}: `, 'm').test(program));
  const known = new Set(flatten(SETTINGS).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])));
  const settings = named(/`((?:CAPSTAN_|DATABASE_|DATA_|PUBLIC_)\w+)/g).filter((text) => !known.has(text));
  const links = named(/\]\(([\w-]+\.md)\)/g).filter(
    (text) => !existsSync(new URL(`../docs/guides/${text}`, import.meta.url)),
  );
  assert.deepEqual({ commands, settings, links }, { commands: [], settings: [], links: [] });
});
