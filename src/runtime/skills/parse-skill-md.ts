import { type FieldError, pointerTo } from '#core/problem/problem.ts';
import { isRecord } from '#core/record.ts';
import { FRONTMATTER_LIMITS, readFrontmatter } from './frontmatter.ts';
import { isSkillName } from './skill.ts';

/** Reads an untrusted SKILL.md. Returns the document or its errors, and never throws. */

export const SKILL_MD_LIMITS = FRONTMATTER_LIMITS;
export const FRONTMATTER_KEYS = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
] as const;

/** Pointers are into the frontmatter; an empty one is the file itself. */
type Violation = FieldError;

export interface SkillMd {
  frontmatter: Record<string, unknown>;
  body: string;
}

export interface SkillFrontmatter {
  name: string;
  description: string;
  license?: string;
  compatibility?: string;
  metadata?: Record<string, string>;
  'allowed-tools'?: string;
}

type Parsed<T> = { ok: true; value: T } | { ok: false; violations: Violation[] };

/** The whole format: readable, and the frontmatter keeps every rule. `directory` is the skill's directory name, where known. */
export function parseSkillMd(
  bytes: Uint8Array,
  directory?: string,
): Parsed<{ frontmatter: SkillFrontmatter; body: string }> {
  const read = readSkillMd(bytes);
  if (!read.ok) return read;
  const violations = frontmatterViolations(read.value.frontmatter, directory);
  if (violations.length > 0) return { ok: false, violations };
  return { ok: true, value: read.value as unknown as { frontmatter: SkillFrontmatter; body: string } };
}

/** Only requires that the frontmatter is a YAML map, for files with additional keys. */
export function readSkillMd(bytes: Uint8Array): Parsed<SkillMd> {
  const read = readFrontmatter(bytes);
  if (!read.ok) return { ok: false, violations: [{ pointer: '', detail: read.detail }] };
  return { ok: true, value: { frontmatter: read.value.map, body: read.value.body } };
}

/** Every rule of the format that the frontmatter breaks; empty when it keeps them all. */
export function frontmatterViolations(
  frontmatter: Record<string, unknown>,
  directory?: string,
  keys: readonly string[] = FRONTMATTER_KEYS,
): Violation[] {
  const found: Violation[] = [];
  const add: AddViolation = (pointer, detail) => found.push({ pointer, detail });
  for (const key of Object.keys(frontmatter))
    if (!keys.includes(key)) add(pointerTo(short(key)), `is not a key of the format; it has ${keys.join(', ')}`);
  checkName(frontmatter.name, directory, add);
  const { description } = frontmatter;
  if (!isText(description, 1024)) add('/description', 'must be a text of 1 to 1024 characters');
  for (const [key, limit] of OPTIONAL_TEXTS)
    if (keys.includes(key) && Object.hasOwn(frontmatter, key) && !isText(frontmatter[key], limit))
      add(`/${key}`, `must be a text of 1 to ${limit} characters`);
  if (Object.hasOwn(frontmatter, 'metadata')) checkMetadata(frontmatter.metadata, add);
  return found;
}

type AddViolation = (pointer: string, detail: string) => void;

const OPTIONAL_TEXTS = [
  ['license', 500],
  ['compatibility', 500],
  ['allowed-tools', 4096],
] as const;

function checkName(name: unknown, directory: string | undefined, add: AddViolation): void {
  if (typeof name !== 'string' || !isSkillName(name))
    add('/name', 'must be 1 to 64 lower-case letters, digits and single hyphens between them');
  else if (directory !== undefined && name !== directory)
    add('/name', `must equal the name of its directory, ${directory}`);
}

function checkMetadata(metadata: unknown, add: AddViolation): void {
  if (!isRecord(metadata)) {
    add('/metadata', 'must be a map of text to text');
    return;
  }
  for (const [key, value] of Object.entries(metadata))
    if (typeof value !== 'string') add(`/metadata${pointerTo(short(key))}`, 'must be a text; put it in quotes');
}

const isText = (value: unknown, limit: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && lengthOf(value) <= limit;

const lengthOf = (text: string): number => [...text].length;

const short = (key: string): string => key.slice(0, 100);
