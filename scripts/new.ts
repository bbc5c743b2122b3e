import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run new -- operation <wing>.<resource>.<verb>` writes the skeleton of an operation: its entry in the resource's contract, its
 * route, its file and its test. A resource that does not exist yet gets a folder, and its place in the wing's contract.
 */

const WINGS = ['core', 'accounts', 'catalog', 'connections', 'runtime', 'marketplace', 'surfaces'];
const ID = /^[a-z]+\.[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/;
const USAGE = 'usage: npm run new -- operation <wing>.<resource>.<verb>, such as marketplace.claims.renew\n';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

interface Written {
  /** Paths relative to the root, created or changed. */
  files: string[];
  /** What is left to do by hand. */
  left: string[];
}

/** Writes the skeleton below `root`. Throws where the id is malformed or taken. */
export function newOperation(root: string, id: string): Written {
  const [wing, resource, verb] = id.split('.') as [string, string, string];
  if (!ID.test(id) || !WINGS.includes(wing)) throw new Error(`${id} is not <wing>.<resource>.<verb>; wings: ${WINGS}`);
  const folder = `src/${wing}/${kebab(resource)}`;
  const file = `${folder}/${kebab(verb)}.ts`;
  if (existsSync(join(root, file))) throw new Error(`${file} exists already.`);
  const written: Written = { files: [], left: [] };
  const write = (path: string, text: string) => {
    writeFileSync(join(root, path), text);
    written.files.push(path);
  };
  const change = (path: string, edit: (text: string) => string) =>
    write(path, edit(readFileSync(join(root, path), 'utf8')));
  const handler = `${verb}${capital(resource)}`;
  if (existsSync(join(root, folder, 'contract.ts'))) {
    change(`${folder}/contract.ts`, (text) => appended(text, `export const ${resource}Contract`, entryOf(id)));
    change(`${folder}/routes.ts`, (text) => withRoute(text, handler, verb));
  } else {
    mkdirSync(join(root, folder), { recursive: true });
    write(`${folder}/contract.ts`, contractOf(id));
    write(`${folder}/routes.ts`, routesOf(resource, handler, verb));
    change(`src/${wing}/contract.ts`, (text) => withResource(text, wing, resource));
    written.left.push(
      `bind ${resource}Contract in src/app/operations.ts`,
      `describe ${resource} in src/surfaces/docs/chapters.ts`,
    );
  }
  write(file, operationOf(resource, handler, verb));
  write(file.replace(/\.ts$/, '.test.ts'), testOf(handler, verb));
  written.left.push(
    'fill in the path (like those of the other operations), the schemas, the texts and the problems',
    'rename the test to .db.test.ts if it opens a database, or .e2e.test.ts if it opens a port',
    `npm run format -- ${folder}`,
    'npm run capstand -- schema --write',
    'add a file to .changeset',
  );
  return written;
}

function entryOf(id: string): string {
  const [, resource, verb] = id.split('.') as [string, string, string];
  return `  ${verb}: operation({
    id: '${id}',
    method: 'GET',
    path: '/api/${kebab(resource)}/${kebab(verb)}',
    summary: '${capital(verb)} ${resource}',
    description: 'Describe what a client sends, what it gets, and when it fails.',
    access: 'public',
    answers: {
      200: jsonAnswer('The result.', Type.Object({ status: Type.Literal('ok') }), { status: 'ok' }),
    },
    problems: [],
  }),
`;
}

const contractOf = (id: string): string => `import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The operations of this resource, as data. */
export const ${id.split('.')[1]}Contract = {
${entryOf(id)}} as const;
`;

const routesOf = (
  resource: string,
  handler: string,
  verb: string,
): string => `import type { Routes } from '#core/http/operation.ts';
import type { ${resource}Contract } from './contract.ts';
import { ${handler} } from './${kebab(verb)}.ts';

export const ${resource}Routes = (): Routes<typeof ${resource}Contract> => ({
  ${verb}: ${handler}(),
});
`;

const operationOf = (
  resource: string,
  handler: string,
  verb: string,
): string => `import { type Handler, json } from '#core/http/operation.ts';
import type { ${resource}Contract } from './contract.ts';

export const ${handler} = (): Handler<typeof ${resource}Contract.${verb}> => async () => json({ status: 'ok' });
`;

const testOf = (handler: string, verb: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${handler} } from './${kebab(verb)}.ts';

test('200: the result', async () => {
  const reply = await ${handler}()({} as never);
  assert.deepEqual(JSON.parse(reply.body as string), { status: 'ok' });
});
`;

/** Adds an entry at the end of the object literal that begins with `start`, at the left margin. */
function appended(text: string, start: string, entry: string): string {
  const begin = text.indexOf(start);
  const end = /^\}/m.exec(text.slice(begin));
  if (begin === -1 || end === null) throw new Error(`There is no ${start} to add to.`);
  const at = begin + end.index;
  return text.slice(0, at) + entry + text.slice(at);
}

function withRoute(text: string, handler: string, verb: string): string {
  const line = `  ${verb}: ${handler}(),\n`;
  const at = text.lastIndexOf('\n}');
  if (at === -1) throw new Error('The routes have no object literal to add to.');
  return withImport(text.slice(0, at + 1) + line + text.slice(at + 1), handler, `./${kebab(verb)}.ts`);
}

function withResource(text: string, wing: string, resource: string): string {
  const more = appended(text, `export const ${wing}Wing`, `  ${resource}: ${resource}Contract,\n`);
  return withImport(more, `${resource}Contract`, `./${kebab(resource)}/contract.ts`);
}

/** Adds an import where Biome sorts it: before the first relative one of a later path, or after the last import. */
function withImport(text: string, name: string, path: string): string {
  const imports = [...text.matchAll(/^import [^;]* from '([^']+)';\n/gm)];
  const later = imports.find(([, from = '']) => from.startsWith('./') && from > path);
  const last = imports.at(-1);
  const at = later?.index ?? (last === undefined ? 0 : last.index + last[0].length);
  return `${text.slice(0, at)}import { ${name} } from '${path}';\n${text.slice(at)}`;
}

function main([kind, id, ...more]: string[]): number {
  if (kind !== 'operation' || id === undefined || more.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    const { files, left } = newOperation(fileURLToPath(new URL('../', import.meta.url)), id);
    process.stdout.write(`Written:\n${files.map((path) => `  ${path}\n`).join('')}Left to do:\n`);
    process.stdout.write(left.map((line) => `  ${line}\n`).join(''));
    return 0;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  }
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
