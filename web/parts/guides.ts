/** The order in which guides are read. */
export const GUIDES: readonly { label: string; names: readonly string[] }[] = [
  { label: 'Begin', names: ['first-rig', 'mcp-clients', 'use-from-other-tools', 'agent'] },
  { label: 'Run and prove', names: ['connections', 'harnesses', 'verify-a-receipt', 'a2a'] },
  { label: 'Publish', names: ['authoring', 'publishing', 'users', 'sign-in'] },
  {
    label: 'Operate',
    names: ['operators', 'back-up', 'retention', 'configuration', 'language-models', 'sandbox', 'visits'],
  },
];

export const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';
