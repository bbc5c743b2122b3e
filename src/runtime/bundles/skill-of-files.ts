import { sha256 } from '#core/crypto/sha256.ts';
import { isRecord } from '#core/record.ts';
import { classOfSkill, findEntry } from '#runtime/skills/entry.ts';
import { metadataMap } from '#runtime/skills/metadata-map.ts';
import { readSkillMd, type SkillMd } from '#runtime/skills/parse-skill-md.ts';
import { byPath, digestOf, isSkillName, mediaTypeOf, type Skill } from '#runtime/skills/skill.ts';
import { refuse } from './archive.ts';

/** Metadata from the listing; the skill's own file takes precedence. */
interface ListedSkill {
  name: string;
  description: string;
  version: string;
  license: string;
}

/**
 * Converts third-party files to a skill. Lenient: unknown keys and missing or broken frontmatter are accepted, and missing
 * values come from the listing. Throws `runs.unsupported` (`bundle_refused`) if SKILL.md is missing or not text.
 */
export function skillOfFiles(contents: ReadonlyMap<string, Uint8Array>, listed: ListedSkill): Skill {
  const { frontmatter, body } = readMain(contents);
  const metadata = metadataMap(frontmatter.metadata);
  const files = [...contents]
    .map(([path, bytes]) => ({ path, size: bytes.length, sha256: sha256(bytes), media_type: mediaTypeOf(path) }))
    .sort(byPath);
  const name = nameOf(frontmatter.name, listed.name);
  const digest = digestOf(files);
  const entry = findEntry(name, textOf(metadata['capstan-entry']), [...contents.keys()]);
  return {
    name,
    files,
    digest,
    frontmatter,
    body,
    contents,
    description: textOf(frontmatter.description) || listed.description,
    version: listed.version || textOf(metadata.version) || digest.slice('sha256:'.length, 'sha256:'.length + 12),
    license: textOf(frontmatter.license) || listed.license,
    compatibility: textOf(frontmatter.compatibility),
    execution_class: classOfSkill(textOf(metadata['capstan-execution-class']), entry),
    entry,
    example: null,
    input_schema: schemaOf(contents),
  };
}

function readMain(contents: ReadonlyMap<string, Uint8Array>): SkillMd {
  const bytes = contents.get('SKILL.md') ?? contents.get('skill.md');
  if (bytes === undefined) throw refuse('they contain no SKILL.md');
  const read = readSkillMd(bytes);
  if (read.ok) return read.value;
  try {
    return { frontmatter: {}, body: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw refuse('SKILL.md is not UTF-8');
  }
}

function nameOf(written: unknown, listed: string): string {
  for (const name of [textOf(written), listed]) {
    const slug = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 64)
      .replace(/^-+|-+$/g, '');
    if (isSkillName(slug)) return slug;
  }
  return 'skill';
}

function schemaOf(contents: ReadonlyMap<string, Uint8Array>): Skill['input_schema'] {
  const bytes = contents.get('assets/input.schema.json');
  if (bytes === undefined) return null;
  try {
    const schema: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isRecord(schema) ? schema : null;
  } catch {
    return null;
  }
}

/** Environment variables that the skill asks for, in the form that OpenClaw's skills use. */
export function requiredEnvironment({ frontmatter }: Pick<Skill, 'frontmatter'>): string[] {
  const metadata = metadataMap(frontmatter.metadata);
  const asked = ['openclaw', 'clawdbot', 'moltbot'].flatMap((program) => {
    const { env } = metadataMap(metadataMap(metadata[program]).requires);
    return Array.isArray(env) ? env : [];
  });
  return [
    ...new Set(
      asked.filter((variable): variable is string => typeof variable === 'string' && /^\w{1,100}$/.test(variable)),
    ),
  ].slice(0, 20);
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim().replaceAll('\0', '\u{fffd}').slice(0, 2_000).toWellFormed() : '';
