import type { ExecutionClass } from '#catalog/items/kinds.ts';
import { sha256 } from '#core/crypto/sha256.ts';

/** The shape of a skill and the pure rules over it; no I/O. Format: agentskills.io. */

const ENTRY_LANGUAGES = { sh: 'bash', py: 'python', js: 'javascript', mjs: 'javascript' } as const;
export type EntryLanguage = (typeof ENTRY_LANGUAGES)[keyof typeof ENTRY_LANGUAGES];

interface SkillFile {
  /** Relative to the skill, with `/`. */
  path: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
  media_type: string;
}

export interface Skill {
  name: string;
  description: string;
  /** `metadata.version`. */
  version: string;
  license: string;
  /** `metadata.capstan-execution-class`. */
  execution_class: ExecutionClass;
  compatibility: string;
  /** Sorted by path. */
  files: SkillFile[];
  /** `sha256:<hex>`, see `digestOf`. */
  digest: string;
  /** As written in SKILL.md. */
  frontmatter: Record<string, unknown>;
  /** The Markdown after the frontmatter. */
  body: string;
  /** `metadata.capstan-entry`: the entry script of a scripted skill. */
  entry: { path: string; language: EntryLanguage } | null;
  /** `assets/example.json` of a skill that can run. */
  example: { input: unknown } | null;
  /** `assets/input.schema.json`: the JSON Schema of the input; null without one. */
  input_schema: Record<string, unknown> | null;
  /** Every file's bytes by path, as they were when the digest was taken. */
  contents: ReadonlyMap<string, Uint8Array>;
}

export const isSkillName = (name: string): boolean => name.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);

/** Plain names only: no hidden file, no empty segment, nothing a shell or a URL would read otherwise. */
export const isSkillPath = (path: string): boolean =>
  path.length <= 200 && path.split('/').every((segment) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(segment));

export const languageOf = (path: string): EntryLanguage | undefined =>
  ENTRY_LANGUAGES[extensionOf(path) as keyof typeof ENTRY_LANGUAGES];

const MEDIA_TYPES: Record<string, string> = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
  yml: 'application/yaml; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
// Scripts, HTML and SVG are shown as text: a browser must never run a skill's file.
const TEXT = new Set([
  'txt',
  'sh',
  'py',
  'js',
  'mjs',
  'ts',
  'css',
  'html',
  'htm',
  'svg',
  'xml',
  'xhtml',
  'toml',
  'awk',
]);

/** The media type of a file; unknown kinds are downloads. */
export function mediaTypeOf(path: string): string {
  const extension = extensionOf(path);
  if (Object.hasOwn(MEDIA_TYPES, extension)) return MEDIA_TYPES[extension] as string;
  return TEXT.has(extension) || !path.includes('.') ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

/**
 * `sha256:` and the SHA-256 of one line `<sha256>  <path>\n` a file, sorted by path: what
 * `LC_ALL=C sort` and `sha256sum` make of the same files.
 */
export const digestOf = (files: readonly Pick<SkillFile, 'path' | 'sha256'>[]): string =>
  `sha256:${sha256(
    [...files]
      .sort(byPath)
      .map((file) => `${file.sha256}  ${file.path}\n`)
      .join(''),
  )}`;

/** By code unit, which is byte order, since paths are ASCII. */
export const byPath = (a: { path: string }, b: { path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot + 1).toLowerCase() : '';
}
