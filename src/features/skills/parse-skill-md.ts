import { parseDocument } from 'yaml';
import { type FieldError, pointerTo } from '../../platform/problem.ts';
import { isSkillName } from './skill.ts';

/** Reads a SKILL.md that anybody may have written: it answers with the document or with what is wrong, and never throws. */

export const SKILL_MD_LIMITS = { file_bytes: 512 * 1024, frontmatter_bytes: 16 * 1024, depth: 8 } as const;
export const FRONTMATTER_KEYS = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
] as const;

/** Pointers are into the frontmatter; an empty one is the file itself. */
export type Violation = FieldError;

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

export type Parsed<T> = { ok: true; value: T } | { ok: false; violations: Violation[] };

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

/** Only readable: the frontmatter is some YAML map. For files whose authors add keys of their own. */
export function readSkillMd(bytes: Uint8Array): Parsed<SkillMd> {
  if (bytes.length > SKILL_MD_LIMITS.file_bytes) return failed(`is over ${SKILL_MD_LIMITS.file_bytes} bytes`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return failed('is not UTF-8');
  }
  if (text.includes('\0')) return failed('holds a NUL character');
  const open = /^---[ \t]*\r?\n/.exec(text);
  if (!open) return failed('does not begin with a line of three hyphens, which opens the frontmatter');
  const rest = text.slice(open[0].length);
  const close = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (!close) return failed('has no second line of three hyphens, which closes the frontmatter');
  if (Buffer.byteLength(rest.slice(0, close.index)) > SKILL_MD_LIMITS.frontmatter_bytes)
    return failed(`has a frontmatter over ${SKILL_MD_LIMITS.frontmatter_bytes} bytes`);
  const frontmatter = readYamlMap(rest.slice(0, close.index));
  if (!frontmatter.ok) return frontmatter;
  return { ok: true, value: { frontmatter: frontmatter.value, body: rest.slice(close.index + close[0].length) } };
}

function readYamlMap(source: string): Parsed<Record<string, unknown>> {
  let value: unknown;
  try {
    const document = parseDocument(source, {
      version: '1.2',
      schema: 'core',
      merge: false,
      resolveKnownTags: false,
      stringKeys: true,
      logLevel: 'error',
      prettyErrors: false,
    });
    const wrong = document.errors[0] ?? document.warnings[0];
    if (wrong) return failed(`has a frontmatter that is not plain YAML: ${oneLine(wrong.message)}`);
    value = document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    // Aliases and nesting beyond the stack end up here; both are refused alike.
    return failed(`has a frontmatter that is not plain YAML: ${oneLine(String((cause as Error)?.message ?? cause))}`);
  }
  if (!isMap(value)) return failed('has a frontmatter that is not a map of keys to values');
  if (depthOver(value, SKILL_MD_LIMITS.depth)) return failed('has a frontmatter nested too deep');
  return { ok: true, value };
}

/** Every rule of the format that the frontmatter breaks; empty when it keeps them all. */
function frontmatterViolations(frontmatter: Record<string, unknown>, directory?: string): Violation[] {
  const found: Violation[] = [];
  const add = (pointer: string, detail: string) => found.push({ pointer, detail });
  for (const key of Object.keys(frontmatter))
    if (!(FRONTMATTER_KEYS as readonly string[]).includes(key))
      add(pointerTo(short(key)), `is not a key of the format; it has ${FRONTMATTER_KEYS.join(', ')}`);
  const { name, description, metadata } = frontmatter;
  if (typeof name !== 'string' || !isSkillName(name))
    add('/name', 'must be 1 to 64 lower-case letters, digits and single hyphens between them');
  else if (directory !== undefined && name !== directory)
    add('/name', `must equal the name of its directory, ${directory}`);
  if (typeof description !== 'string' || description.trim() === '' || lengthOf(description) > 1024)
    add('/description', 'must be a text of 1 to 1024 characters');
  for (const [key, limit] of [
    ['license', 500],
    ['compatibility', 500],
    ['allowed-tools', 4096],
  ] as const)
    if (Object.hasOwn(frontmatter, key) && !isText(frontmatter[key], limit))
      add(`/${key}`, `must be a text of 1 to ${limit} characters`);
  if (!Object.hasOwn(frontmatter, 'metadata')) return found;
  if (!isMap(metadata)) add('/metadata', 'must be a map of text to text');
  else
    for (const [key, value] of Object.entries(metadata))
      if (typeof value !== 'string') add(`/metadata${pointerTo(short(key))}`, 'must be a text; put it in quotes');
  return found;
}

const failed = (detail: string): { ok: false; violations: Violation[] } => ({
  ok: false,
  violations: [{ pointer: '', detail }],
});

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown, limit: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && lengthOf(value) <= limit;

const lengthOf = (text: string): number => [...text].length;

const depthOver = (value: unknown, left: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((v) => depthOver(v, left - 1)));

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200);

const short = (key: string): string => key.slice(0, 100);
