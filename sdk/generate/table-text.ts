import { type Document, type Operation, operationsOf } from './document.ts';
import { mediaOf } from './media.ts';

/** `generated/operations.ts`: what the client needs to know about every operation at run time, one line each. */

export function tableText(document: Document): string {
  return [
    '// Made from openapi.yaml by `npm run capstand -- schema --write`.',
    'import type { Row } from "../operation.ts";',
    '/** Version of the contract that this client was generated from. */',
    `export const CONTRACT_VERSION = ${JSON.stringify(document.info.version)};`,
    'export const ROWS = {',
    ...operationsOf(document).map(rowText),
    '} as const satisfies Record<string, Row>;',
    '',
  ].join('\n');
}

function rowText(operation: Operation): string {
  const { 'x-signs': signs, 'x-confirm-window': window } = operation.node;
  const confirmed = signs === undefined && window === undefined ? [] : [(signs ?? []).join(' '), window ?? ''];
  const row = [
    operation.method,
    operation.path,
    accessOf(operation),
    mediaOf(operation).join(' '),
    flagsOf(operation),
    ...confirmed,
  ];
  return `${JSON.stringify(operation.id)}: ${JSON.stringify(row)},`;
}

/** Maps the contract's credentials to access classes. */
function accessOf({ id, node: { security } }: Operation): string {
  const alternatives = security.map((entry) => Object.keys(entry).sort().join('+')).join(' or ');
  const known: Record<string, string> = {
    '': 'public',
    bearer: 'jwt',
    ' or bearer': 'optional',
    'bearer+challenge_id+wallet_signature': 'sensitive',
    'bearer+challenge_id+wallet_signature or bearer': 'fresh',
  };
  const access = known[alternatives];
  if (access === undefined) throw new Error(`${id} asks for a credential that is not known here: ${alternatives}`);
  return access;
}

function flagsOf({ parameters, body, statuses }: Operation): string {
  const flags = [
    [parameters.some((parameter) => parameter.name === 'Idempotency-Key'), 'k'],
    [body?.media_type === 'application/x-www-form-urlencoded', 'f'],
    [statuses.includes(303), 'r'],
  ] as const;
  return flags.map(([has, flag]) => (has ? flag : '')).join('');
}
