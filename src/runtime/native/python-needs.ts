import { createRequire } from 'node:module';
import { normalName } from '#runtime/packages/pypi-names.ts';
import { type NeedSource, noNeeds, type PackageNeed, type SkillNeeds } from './needs.ts';
import { isNativeModule, isStandardModule, projectOfImport } from './python-names.ts';

/** Reads the requirements of Python scripts: inline metadata (PEP 723), requirements.txt, or imports without either. */

const MOST_LINES = 20_000;
const MOST_LINE_CHARS = 1_000;
const MOST_REQUIREMENTS = 100;
const REQUIREMENT =
  /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(\[[A-Za-z0-9._,\s-]*\])?\s*(?:\(([^()]*)\)|([^;@#()]*))\s*(?:;(.*))?$/;
const SPECIFIER = /^(?:(?:===?|~=|!=|<=?|>=?)\s*[A-Za-z0-9.*+!_-]+\s*(?:,\s*|$))*$/;

/** A dependency specifier (PEP 508) as a need, or the reason why it is refused. */
export function readRequirement(line: string, from: NeedSource): PackageNeed | string {
  const quoted = JSON.stringify(line.slice(0, 80));
  if (line.length > MOST_LINE_CHARS) return `${quoted} is too long.`;
  const [, name, extras = '', bracketed, plain = ''] = REQUIREMENT.exec(line.trim()) ?? [];
  if (name === undefined) return `${quoted} is not a package from the index.`;
  const specifier = (bracketed ?? plain).trim();
  if (!SPECIFIER.test(specifier)) return `${quoted} has a version that cannot be read.`;
  const wanted = `${extras.replace(/\s+/g, '')}${specifier.replace(/\s+/g, '')}`;
  return { ecosystem: 'pypi', name: normalName(name), wanted, from };
}

/** `requirements.txt`: options and other files are refused, because they could name another index. */
export function readRequirements(text: string): SkillNeeds {
  const needs = noNeeds();
  const lines = text.slice(0, MOST_LINES * 10).split(/\r?\n/, MOST_LINES);
  for (const raw of lines) {
    const line = withoutComment(raw).trim();
    if (line === '') continue;
    addRequirement(needs, line, 'requirements.txt');
  }
  return needs;
}

/** As in pip, a number sign starts a comment at the start of a line or after white space. */
function withoutComment(line: string): string {
  for (let at = line.indexOf('#'); at !== -1; at = line.indexOf('#', at + 1))
    if (at === 0 || /\s/.test(line.charAt(at - 1))) return line.slice(0, at);
  return line;
}

function addRequirement(needs: SkillNeeds, line: string, from: NeedSource): void {
  if (needs.packages.length >= MOST_REQUIREMENTS) return;
  const read = line.startsWith('-')
    ? `${JSON.stringify(line.slice(0, 80))} is an option for pip.`
    : readRequirement(line, from);
  if (typeof read === 'string') needs.refused.push(`${from}: ${read}`);
  else needs.packages.push(read);
}

/** The `# /// script` block of PEP 723; null if there is none. */
export function readScriptMetadata(source: string): SkillNeeds | null {
  const text = metadataText(source);
  if (text === null) return null;
  const needs = noNeeds();
  const dependencies = dependenciesOf(text);
  if (dependencies === null) {
    needs.refused.push('script metadata: the block is not valid TOML.');
    return needs;
  }
  for (const line of dependencies) addRequirement(needs, line, 'script metadata');
  return needs;
}

function dependenciesOf(text: string): string[] | null {
  try {
    // Loaded with the first script that has metadata.
    const { parse } = createRequire(import.meta.url)('smol-toml') as typeof import('smol-toml');
    const { dependencies = [] } = parse(text);
    const isList = Array.isArray(dependencies) && dependencies.every((line) => typeof line === 'string');
    return isList ? (dependencies as string[]) : null;
  } catch {
    return null;
  }
}

const MOST_METADATA = 65_536;

function metadataText(source: string): string | null {
  const start = /^# \/\/\/ script[ \t]*$/m.exec(source);
  if (start === null) return null;
  const kept: string[] = [];
  for (const line of source
    .slice(start.index, start.index + MOST_METADATA)
    .split(/\r?\n/)
    .slice(1)) {
    if (line.trimEnd() === '# ///') return kept.join('\n');
    if (line !== '#' && !line.startsWith('# ')) return null;
    kept.push(line.slice(2));
  }
  return null;
}

/** The packages behind the imports of scripts. `local` are the module names of the skill's own files. */
export function readPythonImports(files: ReadonlyMap<string, string>, local: ReadonlySet<string>): SkillNeeds {
  const needs = noNeeds();
  for (const [file, source] of files)
    for (const name of importedNames(source)) {
      if (local.has(name)) continue;
      if (isNativeModule(name)) needs.native_modules.push(name);
      else if (!isStandardModule(name)) addImport(needs, name, file);
    }
  return needs;
}

function addImport(needs: SkillNeeds, name: string, file: string): void {
  const project = projectOfImport(name);
  if (project === null) needs.unknown_imports.push({ name, file });
  else needs.packages.push({ ecosystem: 'pypi', name: project, wanted: '', from: 'import' });
}

/** Only statements at the start of a line: an import inside a function or a `try` is usually one that the script can do without. */
function importedNames(source: string): Set<string> {
  const names = new Set<string>();
  let quote = '';
  for (const line of source.split('\n', MOST_LINES)) {
    const isText = quote !== '';
    quote = quoteAfter(line, quote);
    if (isText || line.length > MOST_LINE_CHARS) continue;
    const [, list] = /^import\s+([\w.,\s]+)/.exec(line) ?? [];
    const [, from] = /^from\s+([\w.]+)\s+import\b/.exec(line) ?? [];
    const [module = ''] = from?.split('.') ?? [];
    // A relative import is of the skill's own files.
    if (module !== '') names.add(module);
    for (const part of list?.split(',') ?? []) {
      const [, name] = /^\s*(\w+)/.exec(part) ?? [];
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

/** The kind of quotes of a text over several lines that is open after this line; "" if none is. */
function quoteAfter(line: string, before: string): string {
  let open = before;
  for (const [found] of line.matchAll(/"{3}|'{3}|#/g)) {
    // The rest is a comment. A number sign inside a short text is taken for one, too.
    if (found === '#' && open === '') return '';
    if (open === '') open = found;
    else if (found === open) open = '';
  }
  return open;
}
