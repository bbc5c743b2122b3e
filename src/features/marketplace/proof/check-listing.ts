import type { ListingRow } from '../../../platform/db/schema.ts';
import { remotesOf } from '../../registry/remotes.ts';
import type { Finding } from '../../registry/verification.ts';
import { textViolations } from '../../skills/checks/text-signs.ts';
import { licenseFault } from '../license.ts';

/** The static checks of what a provider says of a listing: of its record alone, nothing is fetched. Pure. */

export interface CheckedListing {
  findings: Finding[];
  /** Whether one of them keeps it from being `checked`. */
  is_grave: boolean;
}

type Record = Pick<ListingRow, 'name' | 'description' | 'author' | 'install' | 'license'>;

/** What could deceive its reader or give something away. The others are told. */
const GRAVE = new Set(['secret', 'prompt-injection', 'hidden-character', 'dangerous-command', 'remote-insecure']);
const MOST = 20;

export function checkListing({ name, description, author, install, license }: Record): CheckedListing {
  const stored = install === null ? null : (JSON.parse(install) as { [member: string]: unknown });
  const found = [
    ...inText('name', name),
    ...inText('description', description),
    ...inText('author', author),
    // Places to fill in are no secrets; what stands there as a value is seen by everybody.
    ...inText('install', install ?? '').filter(({ rule }) => rule === 'secret' || rule === 'hidden-character'),
    ...remotesOf(stored).flatMap(({ url }) => addressFindings(url)),
    ...(license === '' || licenseFault(license) === null
      ? []
      : [{ rule: 'license-unclear', field: 'license', detail: 'The licence is no SPDX expression.' }]),
  ];
  const findings = found.filter((it, at) => found.findIndex((other) => same(other, it)) === at).slice(0, MOST);
  return { findings, is_grave: found.some(({ rule }) => GRAVE.has(rule)) };
}

const same = (a: Finding, b: Finding): boolean => a.rule === b.rule && a.field === b.field && a.detail === b.detail;

const inText = (field: string, text: string): Finding[] =>
  textViolations(field, text).map(({ rule, detail }) => ({ rule, field, detail }));

function addressFindings(url: string): Finding[] {
  const { protocol, hostname } = new URL(url.replace(/\{[^{}]*\}/g, 'x'));
  const is_here = /^(localhost|127\.|\[::1\])/.test(hostname);
  if (protocol === 'https:' || is_here) return [];
  return [{ rule: 'remote-insecure', field: 'install', detail: 'The server is reached without encryption.' }];
}
