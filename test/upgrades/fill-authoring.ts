import { skillFiles } from '../publishing-stand.ts';
import type { Filling } from './filling.ts';
import { ADA } from './people.ts';

const HARNESS = [
  '---\nname: release-notes\ndescription: Writes release notes from merged changes. Use it before a release.\n---\n',
  '# Release notes\n\n1. List the changes since the last tag.\n2. Group them, and answer with one line each.\n',
].join('\n');

const RIG = `apiVersion: registry/v1
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
`;

/** A harness with memory and context, a rig with its lock, and a skill that was published. */
export async function fillAuthoring({ program, client }: Filling): Promise<void> {
  if (!program.offers('marketplace.publishing.publish')) return;
  const ada = client(ADA);
  await ada.signInWithWallet();
  const harness = await ada.harnesses.create({ body: { files: [{ path: 'HARNESS.md', content: HARNESS }] } });
  const { id } = harness;
  await ada.memory.write({
    id,
    body: { memories: [{ path: 'style/tense.md', content: 'Write in the present tense.\n' }] },
  });
  await ada.context.update({ id, body: { label: 'audience', content: 'Operators who read three lines.' } });
  const rig = await ada.rigs.create({ body: { yaml: RIG } });
  await ada.rigs.resolve({ id: rig.id, body: {} });
  await ada.publishing.publish({
    body: {
      name: 'ada-lang/count-words',
      version: '1.0.0',
      license: 'MIT',
      files: skillFiles('count-words'),
      tags: ['text'],
    },
  });
}
