/** Examples of rigs for the documentation. */

export const RIG_ID = '0199b3c1-4f2a-7d10-8a44-2c9e6f1b7d30';

export const RIG_YAML_EXAMPLE = `apiVersion: registry/v1
kind: Rig
metadata:
  name: compare-configs
  version: "1.0.0"
  description: Shows how two configurations differ.
  license: Apache-2.0
  tags: [json]
spec:
  skills:
    - { ref: skill/json-diff, digest: "" }
  parameters:
    type: object
    required: [before, after]
    properties:
      before: { type: object }
      after: { type: object }
  prompt: |
    Show how the configuration \${before} became \${after}.
  checks:
    - name: finds a changed port
      input: { before: { port: 80 }, after: { port: 8080 } }
      expect: { exit_code: 0 }
`;

const DIGEST = `sha256:${'5d'.repeat(32)}`;
const CREATED = '2026-05-06T08:00:00.000Z';

export const RIG_LINE_EXAMPLE = {
  id: RIG_ID,
  name: 'compare-configs',
  version: '1.0.0',
  description: 'Shows how two configurations differ.',
  digest: DIGEST,
  lock_digest: null,
  created_at: CREATED,
  updated_at: CREATED,
};

export const LOCK_EXAMPLE = {
  digest: `sha256:${'8e'.repeat(32)}`,
  created_at: '2026-05-06T08:01:00.000Z',
  content: '{\n  "harness": null,\n  "lock_version": 1\n}\n',
};

export const RIG_EXAMPLE = {
  ...RIG_LINE_EXAMPLE,
  yaml: RIG_YAML_EXAMPLE,
  lock: null,
  versions: [{ version: '1.0.0', digest: DIGEST, lock_digest: null, created_at: CREATED }],
};

export const VERIFIED_EXAMPLE = {
  verified: false,
  version: '1.0.0',
  lock_digest: LOCK_EXAMPLE.digest,
  checks: null,
  findings: [
    {
      part: 'skill skill/json-diff',
      code: 'changed',
      expected: `sha256:${'1a'.repeat(32)}`,
      found: `sha256:${'2b'.repeat(32)}`,
      detail: 'The skill skill/json-diff differs from the lock.',
    },
  ],
};
