import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXECUTION_CLASSES, type ExecutionClass } from '#catalog/items/kinds.ts';
import { isoTime } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { parseSkillMd, type SkillFrontmatter } from './parse-skill-md.ts';
import { byPath, digestOf, isSkillName, isSkillPath, languageOf, mediaTypeOf, type Skill } from './skill.ts';

export interface ShelfSkill extends Skill {
  /** When the newest of its files came here. */
  changed_at: string;
}

/** The first-party skills, read once at startup and served from memory. */
export interface SkillStore {
  /** Sorted by name. */
  skills: readonly ShelfSkill[];
  get(name: string): Skill | undefined;
}

/** Their folder in this repository. */
export const SKILLS_DIR = fileURLToPath(new URL('../../../skills/', import.meta.url));

export const SKILL_LIMITS = { files: 200, depth: 6, file_bytes: 1024 * 1024, total_bytes: 8 * 1024 * 1024 } as const;

/** Reads every directory under `dir` as a skill. A Problem `skills.invalid` names the file that does not fit. */
export async function loadSkills(dir: string): Promise<SkillStore> {
  const entries = await readdir(dir).catch((cause) => fail(dir, `cannot be read: ${(cause as Error).message}`));
  const names = entries.filter((name) => !name.startsWith('.')).sort();
  const skills = await Promise.all(names.map((name) => loadSkill(join(resolve(dir), name), name)));
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return { skills, get: (name) => byName.get(name) };
}

/** A skill's files by path, as they were when its digest was taken. The caller owns the copy. */
export const readSkillFiles = async (skill: Skill): Promise<Map<string, Uint8Array>> =>
  new Map([...skill.contents].map(([path, bytes]) => [path, Uint8Array.from(bytes)]));

async function loadSkill(dir: string, name: string): Promise<ShelfSkill> {
  if (!isSkillName(name)) throw broken(dir, 'is not a skill name: lower-case letters, digits and single hyphens');
  if (!(await lstat(dir)).isDirectory()) throw broken(dir, 'is not a directory; only skills belong here');
  const { contents, newest_ms } = await readTree(dir);
  const main = join(dir, 'SKILL.md');
  const parsed = parseSkillMd(contents.get('SKILL.md') ?? fail(main, 'is missing'), name);
  if (!parsed.ok) throw broken(main, parsed.violations.map((v) => `${v.pointer} ${v.detail}`.trim()).join('; '));
  const { frontmatter, body } = parsed.value;
  const files = [...contents].map(([path, bytes]) => ({
    path,
    size: bytes.length,
    sha256: sha256(bytes),
    media_type: mediaTypeOf(path),
  }));
  return {
    name,
    description: frontmatter.description,
    version: versionOf(main, frontmatter),
    license: frontmatter.license ?? '',
    execution_class: classOf(main, frontmatter),
    compatibility: frontmatter.compatibility ?? '',
    files,
    digest: digestOf(files),
    changed_at: isoTime(newest_ms),
    frontmatter: { ...frontmatter },
    body,
    entry: entryOf(main, frontmatter, contents),
    example: exampleOf(dir, contents),
    input_schema: schemaOf(dir, contents),
    contents,
  };
}

async function readTree(dir: string): Promise<{ contents: Map<string, Uint8Array>; newest_ms: number }> {
  const found: { path: string; bytes: Uint8Array }[] = [];
  let total = 0;
  let newest_ms = 0;
  for await (const path of pathsBelow(dir)) {
    const file = join(dir, path);
    const { size, mtimeMs } = await lstat(file);
    newest_ms = Math.max(newest_ms, Math.floor(mtimeMs));
    if (size > SKILL_LIMITS.file_bytes) throw broken(file, `is over ${SKILL_LIMITS.file_bytes} bytes`);
    const bytes = await readFile(file);
    total += bytes.length;
    found.push({ path, bytes });
    if (found.length > SKILL_LIMITS.files) throw broken(dir, `has more than ${SKILL_LIMITS.files} files`);
    if (total > SKILL_LIMITS.total_bytes) throw broken(dir, `has more than ${SKILL_LIMITS.total_bytes} bytes`);
  }
  return { contents: new Map(found.sort(byPath).map(({ path, bytes }) => [path, bytes])), newest_ms };
}

/** The paths of all files, relative to `dir`. */
async function* pathsBelow(dir: string, at = '', depth = 1): AsyncGenerator<string> {
  for (const entry of await readdir(join(dir, at), { withFileTypes: true })) {
    // Hidden files belong to editors and file managers, not to the skill.
    if (entry.name.startsWith('.')) continue;
    const path = at === '' ? entry.name : `${at}/${entry.name}`;
    const fault = entryFault(entry, path, depth);
    if (fault !== null) throw broken(join(dir, path), fault);
    if (entry.isDirectory()) yield* pathsBelow(dir, path, depth + 1);
    else yield path;
  }
}

function entryFault(entry: Dirent, path: string, depth: number): string | null {
  if (entry.isSymbolicLink()) return 'is a symbolic link; a skill may only contain plain files';
  if (!isSkillPath(path)) return 'has a name with characters other than letters, digits, . _ -';
  if (entry.isDirectory())
    return depth < SKILL_LIMITS.depth ? null : `is nested deeper than ${SKILL_LIMITS.depth} directories`;
  return entry.isFile() ? null : 'is not a plain file';
}

function versionOf(main: string, { metadata }: SkillFrontmatter): string {
  const version = metadata?.version ?? '';
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    throw broken(main, '/metadata/version must be a version of three numbers, such as "1.0.0"');
  return version;
}

function classOf(main: string, { metadata }: SkillFrontmatter): ExecutionClass {
  const value = metadata?.['capstan-execution-class'];
  return (
    EXECUTION_CLASSES.find((known) => known === value) ??
    fail(main, `/metadata/capstan-execution-class must be one of ${EXECUTION_CLASSES.join(', ')}`)
  );
}

function entryOf(main: string, frontmatter: SkillFrontmatter, contents: Map<string, Uint8Array>): Skill['entry'] {
  const path = frontmatter.metadata?.['capstan-entry'];
  if (path === undefined) {
    if (classOf(main, frontmatter) === 'scripted')
      throw broken(main, '/metadata/capstan-entry is missing; a scripted skill names the script it runs');
    return null;
  }
  if (!path.startsWith('scripts/') || !contents.has(path))
    throw broken(main, `/metadata/capstan-entry names ${path}, which is not a file under scripts/`);
  const language = languageOf(path) ?? fail(main, `/metadata/capstan-entry must end in .sh, .py, .js or .mjs`);
  return { path, language };
}

function exampleOf(dir: string, contents: Map<string, Uint8Array>): Skill['example'] {
  const input = jsonAt(dir, contents, 'assets/example.json');
  return input === undefined ? null : { input };
}

function schemaOf(dir: string, contents: Map<string, Uint8Array>): Skill['input_schema'] {
  const path = 'assets/input.schema.json';
  const schema = jsonAt(dir, contents, path);
  if (schema === undefined) return null;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw broken(join(dir, path), 'is not a JSON Schema: it must be an object');
  return schema as Record<string, unknown>;
}

function jsonAt(dir: string, contents: Map<string, Uint8Array>, path: string): unknown {
  const bytes = contents.get(path);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  } catch (cause) {
    throw broken(join(dir, path), `is not JSON: ${(cause as Error).message}`);
  }
}

const broken = (file: string, detail: string): Problem => runtimeProblem('skills.invalid', `${file} ${detail}`);

function fail(file: string, detail: string): never {
  throw broken(file, detail);
}
