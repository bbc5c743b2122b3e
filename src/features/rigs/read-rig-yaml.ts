import { jsonFault } from '../../platform/keepable.ts';
import { type Place, placesIn, START } from '../../platform/lines.ts';
import { readYamlMap } from '../../platform/yaml/read-yaml-map.ts';
import { inOrder, openReport, quoted, type Violation } from '../skills/checks/violation.ts';
import { checkPrompt, checkRig } from './check-rig.ts';
import { readHarnessRef, readServers, readSkillRefs } from './read-parts.ts';
import { readBudget, readChecks, readMetadata, readModel, readSandbox } from './read-work.ts';
import { type JsonSchema, RIG_LIMITS, type Rig, type RigSpec } from './rig.ts';
import { type RigReader, rigReader } from './rig-reader.ts';
import { RIG_RULES } from './rig-rules.ts';
import { checkSchema } from './schema-shape.ts';

/** Reads a rig.yaml of anybody's: the rig, or what is wrong with it and where. Never throws. */

export const RIG_YAML = 'rig.yaml';

export type RigRead = { rig: Rig; violations: [] } | { rig: null; violations: Violation[] };

const SPEC = [
  ...(['harness', 'skills', 'servers', 'model', 'parameters', 'prompt', 'output', 'sandbox', 'budget'] as const),
  'checks',
];

export async function readRigYaml(text: string): Promise<RigRead> {
  const report = openReport(RIG_RULES);
  const refused = (detail: string, place: Place = START): RigRead => {
    report.add('rig-yaml', RIG_YAML, `rig.yaml ${detail}.`, place);
    return { rig: null, violations: report.violations() };
  };
  if (text.includes('\0') || !text.isWellFormed()) return refused('is not plain text');
  const yaml = readYamlMap(text, RIG_LIMITS, 'content');
  const placeAt = placesIn(text);
  if (!yaml.ok) return refused(yaml.detail, placeAt(yaml.offset));
  const fault = jsonFault(yaml.value);
  if (fault !== null) return refused(fault);
  const reader = rigReader();
  const rig = rigOf(reader, yaml.value);
  // Only what is in form: a schema that is none says nothing of the values it is for.
  if (reader.faults.length === 0) await checkRig(reader, rig);
  for (const { rule, path, detail } of reader.faults) report.add(rule, RIG_YAML, detail, placeAt(yaml.offsetOf(path)));
  const violations = report.violations().toSorted(inOrder);
  return violations.length === 0 ? { rig, violations: [] } : { rig: null, violations };
}

function rigOf(reader: RigReader, root: Record<string, unknown>): Rig {
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
    ...{ parameters, prompt },
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
