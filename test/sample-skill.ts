import type { ShelfSkill } from '#runtime/skills/load-skills.ts';
import type { Skill } from '#runtime/skills/skill.ts';

/** A scripted skill whose script is this line of bash. */
export const sampleSkill = (source: string, more: Partial<Skill> = {}): ShelfSkill => ({
  name: 'sample',
  description: '',
  version: '1.2.3',
  license: 'Apache-2.0',
  execution_class: 'scripted',
  compatibility: '',
  changed_at: '2026-04-14T06:00:00.000Z',
  files: [],
  digest: 'sha256:00',
  frontmatter: {},
  body: '',
  entry: { path: 'scripts/run.sh', language: 'bash' },
  example: { input: { text: 'from the example' } },
  input_schema: null,
  contents: new Map([['scripts/run.sh', Buffer.from(source)]]),
  ...more,
});
