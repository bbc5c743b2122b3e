import { builtinModules } from 'node:module';
import { isRecord } from '#core/record.ts';
import { semver } from '#runtime/packages/semver.ts';
import { noNeeds, type SkillNeeds } from './needs.ts';

/** Reads the requirements of JavaScript: the dependencies of package.json, or imports without one. */

const MOST_DEPENDENCIES = 100;
const MOST_LINES = 20_000;
const MOST_LINE_CHARS = 2_000;
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const BUILTIN = new Set(builtinModules.map((name) => name.replace(/^node:/, '').split('/')[0] as string));

/** Modules of Node that the WebAssembly engine has; their parts, such as `fs/promises`, it has not. */
const IN_ENGINE = new Set(
  'assert buffer console events fs os path process querystring stream string_decoder url util'.split(' '),
);

/**
 * Packages that an import alone may install. Imports use npm names, but an undeclared name may be a typo of the author that
 * an attacker has registered. So only well-known names count.
 */
const REVIEWED = new Set(
  `@anthropic-ai/sdk @google/genai @modelcontextprotocol/sdk @notionhq/client @octokit/rest @slack/web-api axios chalk cheerio
  commander csv-parse date-fns dayjs discord.js docx dotenv ethers exceljs execa express fast-xml-parser form-data fs-extra glob
  googleapis got handlebars ioredis js-yaml jsdom jsonwebtoken lodash luxon marked mime-types minimist mongodb mysql2 nanoid
  node-fetch openai papaparse pdf-lib pdf-parse pg playwright puppeteer puppeteer-core redis rss-parser sharp telegraf turndown
  undici uuid viem ws xlsx xml2js yaml yargs zod`.split(/\s+/),
);

export function readPackageJson(text: string): SkillNeeds {
  const needs = noNeeds();
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    needs.refused.push('package.json: it is not valid JSON.');
    return needs;
  }
  const dependencies = isRecord(manifest) && isRecord(manifest.dependencies) ? manifest.dependencies : {};
  for (const [name, range] of Object.entries(dependencies).slice(0, MOST_DEPENDENCIES)) {
    const quoted = JSON.stringify(`${name}: ${typeof range === 'string' ? range : typeof range}`.slice(0, 100));
    if (!NAME.test(name) || typeof range !== 'string' || range.length > 200 || !isRange(range))
      needs.refused.push(`package.json: ${quoted} is not a package with a version range from the registry.`);
    else needs.packages.push({ ecosystem: 'npm', name, wanted: range === 'latest' ? '' : range, from: 'package.json' });
  }
  return needs;
}

const isRange = (range: string): boolean => range === '' || range === 'latest' || semver.validRange(range) !== null;

/** The packages behind the imports of scripts. */
export function readNodeImports(files: ReadonlyMap<string, string>): SkillNeeds {
  const needs = noNeeds();
  for (const [file, source] of files)
    for (const specifier of importedSpecifiers(source)) {
      const name = packageOf(specifier);
      if (name === null) continue;
      const written = specifier.replace(/^node:/, '');
      if (BUILTIN.has(name)) {
        if (!IN_ENGINE.has(written)) needs.native_modules.push(written);
      } else if (REVIEWED.has(name)) needs.packages.push({ ecosystem: 'npm', name, wanted: '', from: 'import' });
      else needs.unknown_imports.push({ name, file });
    }
  return needs;
}

/** `@a/b/c` is of `@a/b`, `node:fs/promises` of `fs`; null for paths, addresses and names that no package has. */
function packageOf(specifier: string): string | null {
  if (specifier.startsWith('node:')) return specifier.slice('node:'.length).split('/')[0] ?? null;
  if (/^[./#]|:/.test(specifier)) return null;
  const [first = '', second = ''] = specifier.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return NAME.test(name) ? name : null;
}

const FORMS = [
  /\bfrom\s+['"]([^'"\s]{1,214})['"]/g,
  /^\s*import\s+['"]([^'"\s]{1,214})['"]/g,
  /\b(?:require|import)\(\s*['"]([^'"\s]{1,214})['"]\s*\)/g,
];

function importedSpecifiers(source: string): Set<string> {
  const found = new Set<string>();
  for (const line of source.split('\n', MOST_LINES)) {
    if (line.length > MOST_LINE_CHARS) continue;
    for (const form of FORMS) for (const [, specifier] of line.matchAll(form)) found.add(specifier as string);
  }
  return found;
}
