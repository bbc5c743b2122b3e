import { quoted } from '#catalog/checks/violation.ts';
import { checkPrompt } from './check-prompt.ts';
import { readHarnessRef, readServers, readSkillRefs } from './read-parts.ts';
import { readBudget, readChecks, readMetadata, readModel, readSandbox } from './read-work.ts';
import { type JsonSchema, RIG_LIMITS, type Rig, type RigSpec } from './rig.ts';
import type { RigReader } from './rig-reader.ts';
import { checkSchema } from './schema-shape.ts';

/** Reads the parts of a rig from the map of its rig.yaml. Errors are recorded with their path. Pure. */

const SPEC = [
  ...(['harness', 'skills', 'servers', 'model', 'parameters', 'prompt', 'output', 'sandbox', 'budget'] as const),
  'checks',
];

export function rigOf(reader: RigReader, root: Record<string, unknown>): Rig {
  reader.onlyKeys(root, [], ['apiVersion', 'kind', 'metadata', 'spec']);
  reader.required(root, [], ['apiVersion', 'kind', 'metadata', 'spec']);
  for (const [key, value] of [
    ['apiVersion', 'registry/v1'],
    ['kind', 'Rig'],
  ] as const)
    if (root[key] !== undefined && root[key] !== value)
      reader.fault(
        'rig-kind',
        [key],
        `${key} must be ${value}${typeof root[key] === 'string' ? `, not ${quoted(root[key])}` : ''}.`,
      );
  return { metadata: readMetadata(reader, root.metadata), spec: readSpec(reader, root.spec) };
}

function readSpec(reader: RigReader, value: unknown): RigSpec {
  const path = ['spec'];
  const map = reader.map(path, value);
  reader.onlyKeys(map, path, SPEC);
  reader.required(map, path, ['prompt']);
  const prompt = reader.text([...path, 'prompt'], map.prompt, RIG_LIMITS.prompt);
  const parameters = readSchema(reader, 'parameters', map.parameters) ?? { type: 'object' };
  if (parameters.type !== 'object')
    reader.fault('schema-unusable', [...path, 'parameters'], 'The parameters must be of type: object.');
  checkPrompt(reader, prompt, parameters);
  return {
    harness: readHarnessRef(reader, map.harness),
    skills: readSkillRefs(reader, map.skills),
    servers: readServers(reader, map.servers),
    model: readModel(reader, map.model),
    parameters,
    prompt,
    output: readSchema(reader, 'output', map.output),
    sandbox: readSandbox(reader, map.sandbox),
    budget: readBudget(reader, map.budget),
    checks: readChecks(reader, map.checks),
  };
}

function readSchema(reader: RigReader, key: 'parameters' | 'output', value: unknown): JsonSchema | null {
  if (value === undefined || value === null) return null;
  const path = ['spec', key];
  const schema = reader.map(path, value);
  checkSchema(reader, path, schema);
  return schema;
}
