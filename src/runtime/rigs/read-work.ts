import { quoted } from '#catalog/checks/violation.ts';
import { defined } from '#core/defined.ts';
import { isRecord } from '#core/record.ts';
import type { Path } from '#core/yaml/read-yaml-map.ts';
import { isSkillName } from '#runtime/skills/skill.ts';
import { refuseTwice } from './read-parts.ts';
import {
  type Expectation,
  RIG_LIMITS,
  type RigCheck,
  type RigMetadata,
  type RigModel,
  type RigSandbox,
} from './rig.ts';
import { nameOf, type RigReader } from './rig-reader.ts';

/** Reads the metadata, model, limits and checks of a rig. Pure. */

const METADATA = ['name', 'version', 'description', 'license', 'tags'] as const;

export function readMetadata(reader: RigReader, value: unknown): RigMetadata {
  const path = ['metadata'];
  const map = reader.map(path, value);
  reader.onlyKeys(map, path, METADATA);
  reader.required(map, path, ['name', 'version']);
  const name = reader.text([...path, 'name'], map.name, 64);
  if (typeof map.name === 'string' && !isSkillName(name))
    reader.fault('rig-name', [...path, 'name'], `${quoted(name)} is not a valid rig name.`);
  const version = reader.text([...path, 'version'], map.version, 64);
  if (typeof map.version === 'string' && !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    reader.fault('rig-version', [...path, 'version'], `${quoted(version)} is not a version of three numbers.`);
  return {
    name,
    version,
    description: reader.text([...path, 'description'], map.description, 1_024),
    license: reader.text([...path, 'license'], map.license, 100),
    tags: reader.texts([...path, 'tags'], map.tags, RIG_LIMITS.tags, 50),
  };
}

/** `require` may contain this in place of ids: any language model. */
const ANY_LLM = 'llm';
const MODEL_ID = /^(?:openai|anthropic|google|compatible)\/[\w@.:/+-]{1,200}$/;

export function readModel(reader: RigReader, value: unknown): RigModel {
  const path = ['spec', 'model'];
  const map = reader.map(path, value);
  reader.onlyKeys(map, path, ['prefer', 'require', 'fallback']);
  const ids = (key: 'prefer' | 'require' | 'fallback', more: string): string[] => {
    const found = reader.texts([...path, key], map[key], 10, 250);
    for (const [index, id] of found.entries())
      if (id !== more && !MODEL_ID.test(id))
        reader.fault('model-unknown', [...path, key, index], `${quoted(id)} is not a model id.`);
    return found;
  };
  return {
    prefer: ids('prefer', 'builtin/planner'),
    require: ids('require', ANY_LLM),
    fallback: ids('fallback', 'builtin/planner'),
  };
}

const LEVELS = ['wasm+process', 'wasm+process+bwrap'];

export function readSandbox(reader: RigReader, value: unknown): RigSandbox {
  const path = ['spec', 'sandbox'];
  const map = reader.map(path, value);
  reader.onlyKeys(map, path, ['level', 'network', 'timeout_ms', 'memory_mb']);
  const oneOf = (key: 'level' | 'network', known: readonly string[]): string | null => {
    const found = map[key];
    if (found === undefined || known.includes(found as string)) return (found as string | undefined) ?? null;
    reader.fault('rig-form', [...path, key], `${nameOf([...path, key])} must be ${known.join(' or ')}.`);
    return null;
  };
  oneOf('network', ['none']);
  return {
    level: oneOf('level', LEVELS),
    network: 'none',
    timeout_ms: reader.whole([...path, 'timeout_ms'], map.timeout_ms, 30_000, [100, RIG_LIMITS.timeout_ms]),
    memory_mb: reader.whole([...path, 'memory_mb'], map.memory_mb, 256, [16, RIG_LIMITS.memory_mb]),
  };
}

export function readBudget(reader: RigReader, value: unknown): { max_steps: number; max_tokens: number } {
  const path = ['spec', 'budget'];
  const map = reader.map(path, value);
  reader.onlyKeys(map, path, ['max_steps', 'max_tokens']);
  return {
    max_steps: reader.whole([...path, 'max_steps'], map.max_steps, 20, [1, RIG_LIMITS.steps]),
    max_tokens: reader.whole([...path, 'max_tokens'], map.max_tokens, 100_000, [100, RIG_LIMITS.tokens]),
  };
}

const EXPECTATIONS = ['status', 'exit_code', 'output', 'output_contains', 'error_contains'] as const;

export function readChecks(reader: RigReader, value: unknown): RigCheck[] {
  const path = ['spec', 'checks'];
  const checks = reader.list(path, value, RIG_LIMITS.checks).map((item, index) => {
    const at = [...path, index];
    const map = reader.map(at, item ?? null);
    reader.onlyKeys(map, at, ['name', 'input', 'expect']);
    reader.required(map, at, ['name', 'expect']);
    const name = reader.text([...at, 'name'], map.name, 200);
    return { name, input: map.input ?? {}, expect: readExpectation(reader, [...at, 'expect'], map.expect) };
  });
  refuseTwice(
    reader,
    path,
    'name',
    checks.map(({ name }) => name),
  );
  return checks;
}

function readExpectation(reader: RigReader, path: Path, value: unknown): Expectation {
  const map = reader.map(path, value);
  reader.onlyKeys(map, path, EXPECTATIONS);
  if (isRecord(value) && Object.keys(value).length === 0)
    reader.fault('rig-missing', path, `A check expects one of ${EXPECTATIONS.join(', ')}.`);
  return {
    ...defined({
      status: map.status === undefined ? undefined : reader.text([...path, 'status'], map.status, 20),
      exit_code:
        map.exit_code === undefined ? undefined : reader.whole([...path, 'exit_code'], map.exit_code, 0, [0, 255]),
      output: Object.hasOwn(map, 'output') ? map.output : undefined,
      output_contains: Object.hasOwn(map, 'output_contains') ? map.output_contains : undefined,
      error_contains:
        map.error_contains === undefined
          ? undefined
          : reader.text([...path, 'error_contains'], map.error_contains, 500),
    }),
  };
}
