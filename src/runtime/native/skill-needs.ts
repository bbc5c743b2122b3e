import { metadataMap } from '#runtime/skills/metadata-map.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import { readDeclaredNeeds } from './declared-needs.ts';
import { mergeNeeds, noNeeds, type SkillNeeds } from './needs.ts';
import { readNodeImports, readPackageJson } from './node-needs.ts';
import { readPythonImports, readRequirements, readScriptMetadata } from './python-needs.ts';
import { shellPrograms } from './shell-programs.ts';

/** The requirements of a skill from all of its files. Pure, and linear in the size of the files. */

const MOST_FILE_BYTES = 262_144;
const MOST_BYTES = 2_097_152;

/** The requirements of a skill, with those that its `metadata` declares. */
export const needsOf = (skill: Pick<Skill, 'entry' | 'contents' | 'frontmatter'>): SkillNeeds =>
  needsOfSkill(skill, metadataMap(skill.frontmatter.metadata));

/** @param metadata the skill's `metadata`, as an object. */
export function needsOfSkill(
  skill: Pick<Skill, 'entry' | 'contents'>,
  metadata: Readonly<Record<string, unknown>>,
): SkillNeeds {
  const declared = readDeclaredNeeds(metadata);
  if (skill.entry === null) return declared;
  const texts = textsOf(skill.contents);
  switch (skill.entry.language) {
    case 'python':
      return mergeNeeds([declared, pythonNeeds(texts, skill.entry.path, [...skill.contents.keys()])]);
    case 'javascript':
      return mergeNeeds([declared, nodeNeeds(texts, skill.entry.path)]);
    default:
      return mergeNeeds([declared, shellNeeds(texts)]);
  }
}

/** A script's metadata takes precedence over requirements.txt, and both over imports. */
function pythonNeeds(texts: ReadonlyMap<string, string>, entry: string, paths: readonly string[]): SkillNeeds {
  const scripts = filesWith(texts, /\.py$/);
  const imports = readPythonImports(scripts, localModules(paths));
  const declared = readScriptMetadata(texts.get(entry) ?? '') ?? requirementsOf(texts, entry);
  if (declared === null) return imports;
  // Declared packages cover the imports, whatever their names are.
  const { native_modules } = imports;
  return mergeNeeds([declared, { ...noNeeds(), native_modules }]);
}

function requirementsOf(texts: ReadonlyMap<string, string>, entry: string): SkillNeeds | null {
  const text = nearest(texts, entry, 'requirements.txt');
  return text === undefined ? null : readRequirements(text);
}

function nodeNeeds(texts: ReadonlyMap<string, string>, entry: string): SkillNeeds {
  const imports = readNodeImports(filesWith(texts, /\.(?:js|mjs|cjs)$/));
  const manifest = nearest(texts, entry, 'package.json');
  if (manifest === undefined) return imports;
  const { native_modules } = imports;
  return mergeNeeds([readPackageJson(manifest), { ...noNeeds(), native_modules }]);
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
