import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { CommandIo } from '#core/command-io.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type Verification, verifyBundle } from './bundle.ts';
import { jwkOf, keyIdOf, type ReceiptJwk } from './receipt-key.ts';
import { isLocal, type RunStatement } from './statement.ts';

/** `capstand verify`: checks a receipt without a service and without a database. */

interface VerifyDeps {
  /** GET as text. Throws a Problem if the request fails. */
  read(url: string): Promise<string>;
}

const EXIT = { trusted: 0, invalid: 1, usage: 2, issuer_unknown: 3 } as const;

export async function verifyCommand(
  argv: string[],
  io: Pick<CommandIo, 'stdout' | 'stderr'>,
  { read }: VerifyDeps,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { issuer: { type: 'string' }, key: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const [file, ...more] = positionals;
  const wrong =
    file === undefined || more.length > 0
      ? 'Name one file, or - for standard input.'
      : values.issuer !== undefined && values.key !== undefined && 'Give --issuer or --key, not both.';
  if (wrong !== false || file === undefined) {
    io.stderr.write(`capstand verify: ${wrong} See capstand verify --help.\n`);
    return EXIT.usage;
  }
  const verdict = verifyBundle(parse(await textOf(file), file));
  const trusted = values.issuer !== undefined ? await keysOf(values.issuer, read) : await keysIn(values.key);
  const exit = exitOf(verdict, trusted);
  if (values.json) io.stdout.write(`${JSON.stringify(reportOf(verdict, exit))}\n`);
  else io.stdout.write(describe(verdict, exit, values.issuer ?? values.key));
  return exit;
}

function exitOf(verdict: Verification, trusted: ReadonlySet<string> | null): number {
  if (!verdict.consistent) return EXIT.invalid;
  if (trusted === null) return EXIT.issuer_unknown;
  return trusted.has(verdict.key_id) ? EXIT.trusted : EXIT.invalid;
}

/** In the format of `POST /api/receipts/verify`. */
function reportOf(found: Verification, exit: number) {
  if (!found.consistent) {
    const { failed, detail } = found;
    return { verdict: 'refused', valid: false, consistent: false, issuer: 'unknown', failed, detail };
  }
  const { key_id, checkpoint, index, statement } = found;
  const facts = { key_id, log: { origin: checkpoint.origin, index, size: checkpoint.size }, statement };
  if (exit === EXIT.trusted)
    return { verdict: 'valid', valid: true, consistent: true, issuer: 'pinned', failed: null, ...facts };
  const untrusted = { valid: false, consistent: true, failed: 'issuer' };
  return exit === EXIT.issuer_unknown
    ? { verdict: 'internally consistent, issuer unknown', ...untrusted, issuer: 'unknown', ...facts }
    : { verdict: 'refused', ...untrusted, issuer: 'another', ...facts };
}

function describe(verdict: Verification, exit: number, pin: string | undefined): string {
  if (!verdict.consistent) return `refused: ${verdict.detail}\n`;
  if (exit === EXIT.invalid) return `refused: signed with key ${verdict.key_id}, which does not belong to ${pin}.\n`;
  const { statement, checkpoint, index, key_id } = verdict;
  const { subject, predicate } = statement;
  const { status, exit_code, started_at, finished_at, environment, trace } = predicate;
  const lines = [
    exit === EXIT.trusted
      ? `valid: signed by a key of ${pin}`
      : 'internally consistent, issuer unknown: pin the issuer with --issuer URL or --key FILE',
    `ran      ${printable(subject[0]?.name ?? '')}  sha256:${subject[0]?.digest.sha256}`,
    `result   ${status}${exit_code === null ? '' : `, exit code ${exit_code}`}`,
    `time     ${started_at} to ${finished_at}`,
    `sandbox  ${printable(environment.isolation ?? environment.engine ?? 'nothing')}, network ${environment.network}`,
    ...boxLines(statement.predicate),
    `trace    ${trace.trace_id}`,
    `log      ${printable(checkpoint.origin)}, entry ${index} of ${checkpoint.size}`,
    `key      ${key_id}`,
    ...(isLocal(statement) ? LOCAL_LINES : []),
  ];
  return `${lines.join('\n')}\n`;
}

const LOCAL_LINES = [
  'signer   a local key of a user’s machine, not a service',
  'proves   that the holder of this key states it, and that nobody has changed it since',
  'not      that the run took place, or that a service observed it: the machine’s owner can sign any statement',
];

/** What version 0.2 adds for packages and native scripts. */
function boxLines(predicate: RunStatement['predicate']): string[] {
  const hosts = 'hosts' in predicate.environment ? predicate.environment.hosts : undefined;
  const resources = 'resources' in predicate.environment ? predicate.environment.resources : undefined;
  const ran = 'package' in predicate ? predicate.package : undefined;
  const lines: string[] = [];
  if (ran !== undefined) lines.push(`package  ${printable(ran.purl)}  tree sha256:${ran.tree_sha256}`);
  if (hosts !== undefined) {
    lines.push(`reached  ${namesOf(hosts.reached)}`);
    if (hosts.refused.length > 0) lines.push(`refused  ${namesOf(hosts.refused)}`);
  }
  if (resources !== undefined)
    lines.push(
      `used     ${resources.cpu_ms} ms processor time, ${Math.ceil(resources.memory_bytes / 1_048_576)} MiB memory`,
    );
  return lines;
}

const namesOf = (hosts: readonly { host: string }[]): string =>
  [...new Set(hosts.map(({ host }) => printable(host)))].join(', ') || 'no host';

/** The texts of a receipt are untrusted: terminal control characters are escaped. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e\u00a1-\u02ff\u0370-\u1fff]|\p{Cf}/gu, '�');

const textOf = (file: string): Promise<string> =>
  readFile(file === '-' ? '/dev/stdin' : file, 'utf8').catch((cause) => {
    throw unreadable(`${file} cannot be read: ${(cause as Error).message}.`, cause);
  });

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(`${file} is not JSON.`, cause);
  }
}

async function keysOf(issuer: string, read: VerifyDeps['read']): Promise<ReadonlySet<string>> {
  if (!/^https?:\/\//.test(issuer) || !URL.canParse(issuer)) throw usage(`--issuer ${issuer} is not an http(s) URL.`);
  const url = `${issuer.replace(/(?<!\/)\/+$/, '')}/api/receipts/keys`;
  return idsIn(parse(await read(url), url), url);
}

async function keysIn(file: string | undefined): Promise<ReadonlySet<string> | null> {
  if (file === undefined) return null;
  const text = await textOf(file);
  return text.includes('-----BEGIN')
    ? new Set([keyIdOf(jwkOf(publicKeyOf(text, file)))])
    : idsIn(parse(text, file), file);
}

function publicKeyOf(pem: string, file: string) {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below, like any other text that is not a key.
  }
  throw unreadable(`${file} does not contain an Ed25519 public key.`);
}

/** The keys of a JWK or a JWK set. A bundle is neither: the key that it carries proves nothing about its issuer. */
function idsIn(value: unknown, from: string): ReadonlySet<string> {
  const set = (value as { keys?: unknown } | null)?.keys;
  const keys = (Array.isArray(set) ? set : [value]) as Partial<ReceiptJwk>[];
  const good = keys.filter((key) => key?.kty === 'OKP' && key.crv === 'Ed25519' && typeof key.x === 'string');
  if (good.length === 0) throw unreadable(`${from} does not contain an Ed25519 key as a JWK, JWK set or PEM.`);
  return new Set(good.map((key) => keyIdOf(key as ReceiptJwk)));
}

const usage = (detail: string): Problem =>
  coreProblem('command.invalid', `${detail} See capstand verify --help.`, { reason: 'usage' });

const unreadable = (detail: string, cause?: unknown): Problem =>
  coreProblem('command.file_unavailable', detail, { reason: 'receipt_read', cause });
