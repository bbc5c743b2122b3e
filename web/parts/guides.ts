/** The order in which guides are read. */
export const GUIDES: readonly { label: string; names: readonly string[] }[] = [
  {
    label: 'Get started',
    names: [
      'five-minutes',
      'try-without-an-account',
      'install',
      'first-rig',
      'mcp-clients',
      'use-from-other-tools',
      'users',
      'run-locally',
    ],
  },
  {
    label: 'Run and verify',
    names: ['agent', 'a2a', 'connections', 'native-skills', 'harnesses', 'verify-a-receipt', 'proof'],
  },
  { label: 'Publish', names: ['authoring', 'publishing', 'publish-from-ci', 'moderation', 'sign-in'] },
  {
    label: 'Operate',
    names: [
      'operators',
      'configuration',
      'language-models',
      'search-models',
      'sandbox',
      'packages',
      'secure',
      'back-up',
      'upgrade',
      'scale',
      'kubernetes',
      'retention',
      'probes',
      'logs',
      'metrics',
      'tracing',
      'air-gapped',
    ],
  },
];

export const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';

/** Its first sentence, without markup. */
export const leadOf = (text: string): string => leadIn(text.split(/\n\s*\n/)[1] ?? '');

/** The first sentence of the first paragraph, without markup. */
export function leadIn(text: string): string {
  const [paragraph = ''] = text.split(/\n\s*\n/, 1);
  const plain = paragraph
    // A paragraph's own heading, such as `**Start.**`, does not describe the guide.
    .replace(/^\*\*[^*]+\.\*\*\s*/, '')
    .replace(/^(?:-|\d+\.) /, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ');
  return /^.*?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain;
}
