/** The text that a wallet signs, in the order of EIP-4361. It is only written, never parsed from a client. */

export interface MessageParts {
  /** Host and port of the service, from its settings. */
  domain: string;
  address: string;
  /** If absent, its line stays empty. */
  statement?: string;
  uri: string;
  nonce: string;
  /** ISO 8601. */
  issued_at: string;
  expiration_time?: string;
  request_id?: string;
  /** URIs of what the signature is for. If absent, so is their heading. */
  resources?: readonly string[];
}

interface Chain {
  /** As in `with your Ethereum account`. */
  account: string;
  chain_id: string;
}

const LABELS = {
  uri: 'URI',
  version: 'Version',
  chain_id: 'Chain ID',
  nonce: 'Nonce',
  issued_at: 'Issued At',
  expiration_time: 'Expiration Time',
  request_id: 'Request ID',
} as const;

export function signInMessage({ account, chain_id }: Chain, parts: MessageParts): string {
  const { domain, address, statement, resources = [], ...rest } = parts;
  const values: Record<string, string | undefined> = { ...rest, version: '1', chain_id };
  for (const [name, value] of Object.entries({ ...values, domain, address, statement })) check(name, value);
  for (const resource of resources) check('uri', resource);
  const lines = Object.entries(LABELS).flatMap(([name, label]) =>
    values[name] === undefined ? [] : [`${label}: ${values[name]}`],
  );
  return [
    `${domain} wants you to sign in with your ${account} account:`,
    address,
    '',
    ...(statement === undefined ? [''] : [statement, '']),
    ...lines,
    ...(resources.length === 0 ? [] : ['Resources:', ...resources.map((resource) => `- ${resource}`)]),
  ].join('\n');
}

/** Parts come from settings and verified addresses, so one that could inject a line is a bug. */
function check(name: string, value: string | undefined): void {
  const fits = CHECKS[name] ?? isLine;
  const mayMiss = ['statement', 'expiration_time', 'request_id'].includes(name);
  if (value === undefined ? !mayMiss : !isLine(value) || !fits(value))
    throw new Error(`Invalid ${name} for a sign-in message: ${JSON.stringify(value)}`);
}

const isLine = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && isDay(text.slice(0, 10));
/** A day that exists: the parser reads 31 February as 3 March. */
function isDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

const CHECKS: Record<string, (text: string) => boolean> = {
  domain: (text) => /^[^\s/?#\\]+$/.test(text) && URL.canParse(`https://${text}`),
  address: (text) => /^[A-Za-z0-9]+$/.test(text),
  uri: (text) => URL.canParse(text) && !/[\s<>"{}|\\^`]/.test(text),
  chain_id: (text) => /^[a-z0-9]+$/.test(text),
  nonce: (text) => /^[A-Za-z0-9]{8,}$/.test(text),
  issued_at: isTime,
  expiration_time: isTime,
};
