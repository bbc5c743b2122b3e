import { scriptsOf } from '#runtime/skills/entry.ts';
import { metadataMap } from '#runtime/skills/metadata-map.ts';
import type { EntryLanguage, Skill } from '#runtime/skills/skill.ts';
import { readDeclaredNeeds } from './declared-needs.ts';
import { mergeNeeds, noNeeds, type SkillNeeds } from './needs.ts';
import { readNodeImports, readPackageJson } from './node-needs.ts';
import { readPythonImports, readRequirements, readScriptMetadata } from './python-needs.ts';
import { shellPrograms } from './shell-programs.ts';

/** The requirements of a skill from all of its files. Pure, and linear in the size of the files. */

const MOST_FILE_BYTES = 262_144;
const MOST_BYTES = 2_097_152;
const MOST_SCRIPTS = 50;

/** The requirements of a skill, with those that its `metadata` declares. */
export const needsOf = (skill: Pick<Skill, 'entry' | 'contents' | 'frontmatter'>): SkillNeeds =>
  needsOfSkill(skill, metadataMap(skill.frontmatter.metadata));

/**
 * Without a main script, those of all scripts that a language model may start.
 *
 * @param metadata the skill's `metadata`, as an object.
 */
export function needsOfSkill(
  { entry, contents }: Pick<Skill, 'entry' | 'contents'>,
  metadata: Readonly<Record<string, unknown>>,
): SkillNeeds {
  const texts = textsOf(contents);
  const paths = [...contents.keys()];
  const entries = entry === null ? scriptsOf(contents).slice(0, MOST_SCRIPTS) : [entry];
  const pathsOf = (wanted: EntryLanguage) =>
    entries.filter(({ language }) => language === wanted).map(({ path }) => path);
  const [python, node] = [pathsOf('python'), pathsOf('javascript')];
  return mergeNeeds([
    readDeclaredNeeds(metadata),
    ...(pathsOf('bash').length === 0 ? [] : [shellNeeds(texts)]),
    ...(python.length === 0 ? [] : pythonNeeds(texts, python, paths)),
    ...(node.length === 0 ? [] : nodeNeeds(texts, node)),
  ]);
}

/** A script's metadata takes precedence over requirements.txt, and both over imports. */
function pythonNeeds(texts: ReadonlyMap<string, string>, entries: readonly string[], paths: readonly string[]) {
  const imports = readPythonImports(filesWith(texts, /\.py$/), localModules(paths));
  return declaredOr(imports, entries, (entry) => {
    const declared = readScriptMetadata(texts.get(entry) ?? '');
    const requirements = nearest(texts, entry, 'requirements.txt');
    if (declared !== null || requirements === undefined) return declared;
    return { text: requirements, read: readRequirements };
  });
}

function nodeNeeds(texts: ReadonlyMap<string, string>, entries: readonly string[]): SkillNeeds[] {
  const imports = readNodeImports(filesWith(texts, /\.(?:js|mjs|cjs)$/));
  return declaredOr(imports, entries, (entry) => {
    const manifest = nearest(texts, entry, 'package.json');
    return manifest === undefined ? null : { text: manifest, read: readPackageJson };
  });
}

/** A text and its reader, or what was read; null for a script without declarations. */
type Declared = SkillNeeds | { text: string; read(text: string): SkillNeeds } | null;

/** Declared packages cover the imports, whatever their names are. Each file is read once for all scripts. */
function declaredOr(
  imports: SkillNeeds,
  entries: readonly string[],
  declaredBy: (entry: string) => Declared,
): SkillNeeds[] {
  const read = new Map<string, SkillNeeds>();
  const all = entries.map(declaredBy);
  for (const declared of all)
    if (declared !== null && 'text' in declared && !read.has(declared.text))
      read.set(declared.text, declared.read(declared.text));
  const own = all.flatMap((declared) => (declared === null || 'text' in declared ? [] : [declared]));
  const { native_modules } = imports;
  const rest = all.includes(null) ? imports : { ...noNeeds(), native_modules };
  return [...own, ...read.values(), rest];
}

/** A shell script may start any of the other scripts. */
function shellNeeds(texts: ReadonlyMap<string, string>): SkillNeeds {
  const found: SkillNeeds[] = [];
  const requirements = nearest(texts, '', 'requirements.txt') ?? nearest(texts, 'scripts/x', 'requirements.txt');
  if (requirements !== undefined) found.push(readRequirements(requirements));
  const manifest = nearest(texts, '', 'package.json') ?? nearest(texts, 'scripts/x', 'package.json');
  if (manifest !== undefined) found.push(readPackageJson(manifest));
  found.push({ ...noNeeds(), native_modules: shellPrograms(filesWith(texts, /\.(?:sh|bash)$/)) });
  return mergeNeeds(found);
}

/** The file of this name in the folder of the entry or the closest one above it. */
function nearest(texts: ReadonlyMap<string, string>, entry: string, name: string): string | undefined {
  for (let folder = folderOf(entry); ; folder = folderOf(folder)) {
    const text = texts.get(folder === '' ? name : `${folder}/${name}`);
    if (text !== undefined || folder === '') return text;
  }
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function textsOf(contents: ReadonlyMap<string, Uint8Array>): Map<string, string> {
  const texts = new Map<string, string>();
  let bytes = 0;
  for (const [path, content] of contents) {
    if (!/\.(?:py|js|mjs|cjs|sh|bash|txt|json)$/.test(path) || content.length > MOST_FILE_BYTES) continue;
    bytes += content.length;
    if (bytes > MOST_BYTES) break;
    texts.set(path, Buffer.from(content).toString('utf8'));
  }
  return texts;
}

const filesWith = (texts: ReadonlyMap<string, string>, form: RegExp): Map<string, string> =>
  new Map([...texts].filter(([path]) => form.test(path)));

/** Modules and packages of the skill itself, however large: `scripts/lib/a.py` provides `a`, `lib` and `scripts`. */
function localModules(paths: readonly string[]): Set<string> {
  const scripts = paths.filter((path) => path.endsWith('.py'));
  return new Set(scripts.flatMap((path) => path.replace(/\.py$/, '').split('/')));
}
