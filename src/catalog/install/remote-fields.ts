import { isHeaderName, type Remote, type RemoteInput } from './remotes.ts';

/** What a user has to provide to reach an address: headers, and variables of the address and of headers. Pure. */

interface RemoteField extends RemoteInput {
  in: 'header' | 'variable';
}

export function remoteFields({ url, headers, variables }: Remote): RemoteField[] {
  const sent = headers.filter(({ name }) => isHeaderName(name)).map((header) => ({ ...header, in: 'header' as const }));
  const named = variables.map((variable) => ({ ...variable, in: 'variable' as const }));
  const texts = [url, ...sent.map(({ value }) => value)].join(' ');
  return [...sent, ...named, ...variablesOf(texts, named)];
}

/** Variables without a description, which must be filled in anyway. */
export function variablesOf(text: string, known: readonly { name: string }[]): RemoteField[] {
  const described = new Set(known.map(({ name }) => name));
  const names = new Set([...text.matchAll(/\{([^{}]{1,100})\}/g)].map(([, name]) => name as string));
  return [...names]
    .filter((name) => !described.has(name))
    .map((name) => ({ name, in: 'variable', description: '', required: true, secret: false, value: '', default: '' }));
}
