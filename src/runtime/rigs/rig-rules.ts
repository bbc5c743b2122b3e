import { error } from '#catalog/checks/violation.ts';

/** The rules of rig.yaml by their names. */
export const RIG_RULES = {
  'rig-yaml': error('Write plain YAML: a map, two spaces a level, texts with a colon or a # in quotes.'),
  'rig-key': error('Remove it, or correct its spelling.'),
  'rig-form': error('Use the expected format.'),
  'rig-missing': error('Add it.'),
  'rig-kind': error('Begin the file with apiVersion: registry/v1 and kind: Rig.'),
  'rig-name': error('Use 1 to 64 lower-case letters and digits, in words that single hyphens join.'),
  'rig-version': error('Use three numbers in quotes, such as "1.0.0".'),
  'ref-unknown': error(
    'Write a name from any list, search or page, such as skill/<name>, <provider>/<external_id> or ' +
      '<publisher>/<name>@<version>; for the harness harness/<id or name>@<version> or the latter.',
  ),
  'rig-cycle': error('Remove it: a rig consists of skills, servers and one harness.'),
  'digest-missing': error(
    'Add digest: "sha256:…"; or digest: "" to pin the version that exists when the rig is resolved.',
  ),
  'digest-form': error('Write sha256: and 64 lower-case hexadecimal digits, or "".'),
  'entry-twice': error('List it once.'),
  'server-place': error('Give ref, a connection of yours, or both.'),
  'model-unknown': error('Write ids such as openai/gpt-5; under require also llm, for any language model.'),
  'schema-unusable': error('Write a JSON Schema (draft 2020-12 or 07) without references to the network.'),
  'schema-circle': error('Circular $ref: resolve it to a concrete schema.'),
  'prompt-parameter': error('Add it to parameters.properties, or remove it from the prompt.'),
  'default-unfit': error('Write a default that the schema accepts.'),
  'check-unfit': error('Write an input that the parameters accept.'),
};
export type RigRule = keyof typeof RIG_RULES;
