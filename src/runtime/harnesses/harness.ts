/** The data of a harness from HARNESS.md and harness.yaml. Pure. */

export const HARNESS_MD = 'HARNESS.md';
export const HARNESS_YAML = 'harness.yaml';

/** HARNESS.md's frontmatter. */
export interface HarnessFrontmatter {
  name: string;
  description: string;
  license?: string;
  compatibility?: string;
  metadata?: Record<string, string>;
}

/** harness.yaml in its normal form, with defaults. */
export interface HarnessManifest {
  version: '1';
  /** `harness` in files written here. */
  kind: string;
  metadata: ManifestMetadata;
  skills: SkillEntry[];
  mcp_servers: ServerEntry[];
  env: EnvEntry[];
  instructions: Instruction[];
  permissions: Permissions;
}

interface ManifestMetadata {
  name: string | null;
  description: string | null;
  version: string | null;
  author: string | null;
  license: string | null;
  homepage: string | null;
  tags: string[];
}

/** A skill of the directory (`path`), or one from elsewhere (`ref`). */
export interface SkillEntry {
  path: string | null;
  ref: string | null;
  /** `sha256:<hex>` if it is pinned. */
  digest: string | null;
}

/** Exactly one of `url`, `command` and `ref`. */
export interface ServerEntry {
  name: string;
  url: string | null;
  command: string | null;
  args: string[];
  ref: string | null;
  env: Record<string, string>;
  headers: Record<string, string>;
  /** Names of tools; null: all. */
  allow: string[] | null;
}

export interface EnvEntry {
  name: string;
  description: string;
  required: boolean;
  secret: boolean;
  default: string | null;
}

/** A file of the directory, or the text itself. */
export type Instruction = { path: string } | { text: string };

export interface Permissions {
  allow: string[];
  ask: string[];
  deny: string[];
}

/** Directories of skills in a harness: `skills/<name>`. */
export const skillDirectories = (paths: readonly string[]): string[] =>
  [...new Set(paths.flatMap((path) => /^skills\/[^/]+(?=\/)/.exec(path)?.[0] ?? []))].sort();
