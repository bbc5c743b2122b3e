import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { HostGrant } from './egress.ts';
import { canonicalName } from './host-name.ts';

/** The hosts that a box may reach, in the form in which requests are compared with them. */
export interface Grants {
  /** Names of exact grants. */
  exact: readonly string[];
  /** Every port of every grant. */
  ports: readonly number[];
  /** Whether any grant has the name, which is canonical, at any port. */
  has(name: string): boolean;
  /** Null if no grant has the name at this port. */
  find(name: string, port: number): { plain: boolean } | null;
}

const MAX_GRANTS = 256;
const MAX_PORTS = 16;
const HTTPS = 443;
const DNS = 53;

interface Rule {
  /** `example.com`, or `.example.com` for the names below it. */
  pattern: string;
  ports: readonly number[];
  plain: boolean;
}

/** @throws `http.invalid` (`input`), which names the grant and how to correct it. */
export function readGrants(hosts: readonly HostGrant[]): Grants {
  if (hosts.length > MAX_GRANTS) throw invalid(`/hosts`, `At most ${MAX_GRANTS} hosts can be granted.`);
  const rules = hosts.map(readGrant);
  const ports = [...new Set(rules.flatMap((rule) => rule.ports))];
  if (ports.length > MAX_PORTS) throw invalid('/hosts', `Grants can name at most ${MAX_PORTS} distinct ports.`);
  const matching = (name: string): Rule[] => rules.filter(({ pattern }) => matches(pattern, name));
  return {
    exact: rules.map(({ pattern }) => pattern).filter((pattern) => !pattern.startsWith('.')),
    ports,
    has: (name) => matching(name).length > 0,
    find(name, port) {
      const found = matching(name).filter((rule) => rule.ports.includes(port));
      return found.length === 0 ? null : { plain: found.some(({ plain }) => plain) };
    },
  };
}

function matches(pattern: string, name: string): boolean {
  return pattern.startsWith('.') ? name.length > pattern.length && name.endsWith(pattern) : name === pattern;
}

function readGrant({ host, ports, plain }: HostGrant, index: number): Rule {
  const wildcard = host.startsWith('*.');
  const name = canonicalName(wildcard ? host.slice(2) : host);
  if (name === null)
    throw invalid(
      `/hosts/${index}/host`,
      'Use a host name such as api.example.com, or *.example.com. Addresses cannot be granted.',
    );
  if (wildcard && !name.includes('.'))
    throw invalid(`/hosts/${index}/host`, 'A wildcard needs at least two labels after it, such as *.example.com.');
  for (const port of ports)
    if (!Number.isInteger(port) || port < 1 || port > 65_535 || port === DNS)
      throw invalid(`/hosts/${index}/ports`, `Use ports from 1 to 65535 except ${DNS}.`);
  return { pattern: wildcard ? `.${name}` : name, ports: ports.length === 0 ? [HTTPS] : [...ports], plain };
}

function invalid(pointer: string, detail: string): Problem {
  return coreProblem('http.invalid', `Invalid egress grant. ${detail}`, {
    reason: 'input',
    errors: [{ pointer, detail }],
  });
}
