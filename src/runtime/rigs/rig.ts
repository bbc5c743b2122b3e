import { sha256 } from '#core/crypto/sha256.ts';

/** The shape of a rig, with every gap filled, and the pure rules over it. */

export interface Rig {
  metadata: RigMetadata;
  spec: RigSpec;
}

export interface RigMetadata {
  name: string;
  /** Three numbers. */
  version: string;
  description: string;
  license: string;
  tags: string[];
}

export interface RigSpec {
  harness: PinnedRef | null;
  skills: PinnedRef[];
  servers: RigServer[];
  model: RigModel;
  /** JSON Schema of an object. */
  parameters: JsonSchema;
  /** `${name}` is replaced by a parameter. */
  prompt: string;
  /** JSON Schema of the answer; null for any JSON. */
  output: JsonSchema | null;
  sandbox: RigSandbox;
  budget: { max_steps: number; max_tokens: number };
  checks: RigCheck[];
}

export type JsonSchema = Record<string, unknown>;

export interface PinnedRef {
  /** `skill/<name>`, `listing/<provider>/<external_id>`, `harness/<id or name>@<version>`, `capability/<…>@<version>`. */
  ref: string;
  /** `sha256:<hex>`; null pins the version that exists when the rig is resolved. */
  digest: string | null;
}

export interface RigServer extends PinnedRef {
  /** Its own among the rig's servers: tools are called `<name>__<tool>`. */
  name: string;
  /** Id of a connection of the owner; "" if none is needed. */
  connection: string;
  /** The only tools that there are. */
  allow: string[];
}

export interface RigModel {
  /** Ids of models (`provider/name`) in the order in which they are tried. */
  prefer: string[];
  /** `llm`, or ids of which one must be available. If empty, the planner may run without a language model. */
  require: string[];
  /** Tried after `prefer`; may name `builtin/planner`. */
  fallback: string[];
}

export interface RigSandbox {
  /** Minimum isolation of scripts; null for the service's default. */
  level: string | null;
  network: 'none';
  timeout_ms: number;
  memory_mb: number;
}

export interface RigCheck {
  name: string;
  input: unknown;
  expect: Expectation;
}

export interface Expectation {
  status?: string;
  exit_code?: number;
  output?: unknown;
  output_contains?: unknown;
  error_contains?: string;
}

export const RIG_LIMITS = {
  bytes: 64 * 1024,
  depth: 16,
  skills: 20,
  servers: 10,
  tools: 40,
  checks: 10,
  prompt: 32_000,
  tags: 20,
  timeout_ms: 600_000,
  memory_mb: 512,
  steps: 100,
  tokens: 2_000_000,
} as const;

/** Without an address: the public tools of this service. */
export const OWN_SERVER = 'mcp/jsonrpc';

/** `sha256:<hex>` of the original file. */
export const digestOfYaml = (yaml: string): string => `sha256:${sha256(Buffer.from(yaml))}`;

export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);

interface HarnessRef {
  /** Its id or name. */
  of: string;
  /** Null: the newest. */
  version: number | null;
}

export function harnessRef(ref: string): HarnessRef {
  const [, of = '', version] = /^harness\/([^@/]+)(?:@(\d{1,9}))?$/.exec(ref) ?? [];
  return { of, version: version === undefined ? null : Number(version) };
}

const MARKETPLACE = /^capability\/([^@/]+(?:\/[^@/]+)?)(?:@([^@/]{1,100}))?$/;

/** A marketplace listing, by its id or as `publisher/name`, with `@version` or the current one; the digest pins it. */
export const isMarketplaceRef = (ref: string): boolean => MARKETPLACE.test(ref);

export function marketplaceRef(text: string): { kind: 'capability'; ref: string; version?: string } {
  const [, ref = '', version] = MARKETPLACE.exec(text) ?? [];
  return version === undefined ? { kind: 'capability', ref } : { kind: 'capability', ref, version };
}

/** A placeholder of the prompt. */
export const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export const placeholdersOf = (prompt: string): string[] => [
  ...new Set([...prompt.matchAll(PLACEHOLDER)].map(([, name]) => name as string)),
];

/** The members of a schema of an object, by name. */
export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null ? (properties as Record<string, JsonSchema>) : {};
}

/** The schema of the input: parameters with a default are optional. */
export function inputSchemaOf(parameters: JsonSchema): JsonSchema {
  const { required, ...rest } = parameters;
  if (!Array.isArray(required)) return parameters;
  const known = propertiesOf(parameters);
  const left = required.filter((name) => !Object.hasOwn(known[name as string] ?? {}, 'default'));
  return left.length === 0 ? rest : { ...rest, required: left };
}

/** The input with defaults for missing parameters. */
export function withDefaults(parameters: JsonSchema, input: unknown): Record<string, unknown> {
  const given = (input ?? {}) as Record<string, unknown>;
  const missing = Object.entries(propertiesOf(parameters)).filter(
    ([name, property]) => !Object.hasOwn(given, name) && Object.hasOwn(property, 'default'),
  );
  return { ...Object.fromEntries(missing.map(([name, entry]) => [name, entry.default])), ...given };
}
