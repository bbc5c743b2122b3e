import { type Bundle, type BundleVerdict, isLocal, type RunStatement } from '../../sdk/src/index.ts';
import { type Html, html, raw, type Value } from '../server/html.ts';
import { copyable } from './copy.ts';
import { icon } from './icon.ts';
import { lasted } from './run-state.ts';
import { stateMark } from './state.ts';
import { trustList } from './trust-lines.ts';
import { count, cut } from './words.ts';

/** A receipt as a piece of paper: its contents, how to verify it here and elsewhere, and what it proves. */

export interface ReceiptFacts {
  id: string;
  bundle: Bundle;
  /** The verdict of the client library on the server, with the service's keys. */
  verdict: BundleVerdict;
  base_url: string;
  /** Its task if the reader owns it: then input and output can be checked against the receipt, too. */
  task_id: string | null;
}

export function receiptSection(facts: ReceiptFacts): Html {
  const { verdict, id, task_id } = facts;
  return html`<section class="receipt" aria-labelledby="receipt"><div class="paper-side">
${paper(verdict, 'receipt')}
<div class="verify" data-island="receipt" data-receipt="${id}"${task_id !== null && html` data-task="${task_id}"`}>
<p class="ways"><button type="button" class="button plain small" hidden>Verify on this page</button>
<a class="button plain small" href="/api/receipts/${id}" download="receipt-${id}.json">${icon('download')}Download</a>
${task_id !== null && html`<a href="/receipts/${id}">Public page</a>`}</p>
<noscript><p class="fine">Verifying on this page needs JavaScript. You can use the command below instead.</p></noscript>
<output aria-live="polite"></output>
</div></div>
<div class="stack-wide">${'statement' in verdict && isLocal(verdict.statement) ? PROVES_OF_LOCAL : PROVES}
${'statement' in verdict && details(verdict.statement, verdict)}
${elsewhere(facts)}</div></section>`;
}

/** The receipt itself. Its title has the id. */
export const paper = (verdict: BundleVerdict, id: string): Html =>
  html`<div class="paper"><div><h2 id="${id}">${icon('receipt')}Receipt ${validity(verdict)}</h2>
${'statement' in verdict ? printed(verdict.statement, verdict) : html`<p class="why">${cut(verdict.detail, 300)}</p>`}</div></div>`;

/** The seal: what was checked on the server, and why if it failed. */
function validity(verdict: BundleVerdict): Html {
  if (verdict.verdict === 'valid') return stateMark('good', 'shield-check', 'Signature valid');
  return verdict.verdict === 'refused'
    ? stateMark('bad', 'circle-x', 'Not valid')
    : stateMark('warn', 'triangle-alert', 'Unknown issuer');
}

const ENDS: Record<RunStatement['predicate']['status'], string> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted, effects unknown',
  refused: 'refused',
};

type Shown = Extract<BundleVerdict, { statement: RunStatement }>;

const short = (hex: string): string => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

/** What fits on the paper; the rest is in the details. */
function printed(statement: RunStatement, { log, key_id, verdict, valid }: Shown): Html {
  const { predicate, subject } = statement;
  const { started_at, finished_at, status, exit_code, environment, attempt, reason } = predicate;
  const [what] = subject as [RunStatement['subject'][number]];
  const hosts = 'hosts' in environment ? environment.hosts?.reached.map(({ host }) => host) : undefined;
  const lines: [string, Value][] = [
    ['ran', html`<bdi>${cut(what.name.replace(/^(?:connection\/[^/]+|\w+)\//, ''), 80)}</bdi>`],
    ['digest', html`<span title="${what.digest.sha256}">sha256:${short(what.digest.sha256)}</span>`],
    [
      'started',
      html`<time datetime="${started_at}" title="${started_at}">${started_at.slice(0, 10)} ${started_at.slice(11, 19)} UTC</time>`,
    ],
    ['took', lasted(Date.parse(finished_at) - Date.parse(started_at))],
    [
      'ended',
      `${ENDS[status]}${exit_code === null || exit_code === 0 ? '' : `, exit code ${exit_code}`}${why(reason)}`,
    ],
    ['asked by', callerWords(predicate)],
    ['attempt', attempt > 1 && String(attempt)],
    ['sandbox', environment.isolation],
    [
      'network',
      hosts === undefined || hosts.length === 0
        ? environment.isolation && environment.network
        : html`<bdi>${cut([...new Set(hosts)].join(', '), 120)}</bdi>`,
    ],
    ['input', html`<span title="${predicate.input.hmac_sha256}">hmac ${short(predicate.input.hmac_sha256)}</span>`],
    ['output', html`<span title="${predicate.output.hmac_sha256}">hmac ${short(predicate.output.hmac_sha256)}</span>`],
    ['log entry', `${count(log.index + 1)} of ${count(log.size)}`],
  ];
  return html`<dl>${lines.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${verdict !== 'valid' && html`<p class="why">This service did not sign it, so it proves only what its signer says.</p>`}
<p class="seal">${SEAL}<span class="fine">Signed by ${signerOf(statement, valid)}<br><code title="${key_id}">${key_id.slice(0, 10)}…${key_id.slice(-4)}</code></span></p>`;
}

/** Nothing for runs of accounts, of which a receipt names none. */
function callerWords({ caller }: RunStatement['predicate']): string | false {
  const kind = 'kind' in caller ? caller.kind : undefined;
  if (kind === undefined) return false;
  return kind === 'anonymous' ? 'an anonymous caller' : 'the service itself';
}

/** The whole digests, keys and numbers. */
function details(statement: RunStatement, { log, key_id }: Shown): Html {
  const { predicate, subject } = statement;
  const { environment, model, planner } = predicate;
  const listing = 'listing' in predicate ? predicate.listing : undefined;
  const [what] = subject as [RunStatement['subject'][number]];
  const rows: [string, Value][] = [
    ['Capability', html`<bdi>${what.name}</bdi> <code class="digest">sha256:${what.digest.sha256}</code>`],
    ['Engine', environment.engine],
    ...boxRows(predicate),
    ['Answered by', model ?? planner],
    ['Server', listing && html`<bdi>${listing.name}</bdi>`],
    ['Key', html`<code class="digest">${key_id}</code>`],
    ['Log', html`<bdi>${log.origin}</bdi>`],
  ];
  return html`<details class="raw"><summary>Full digests and keys</summary><dl class="pairs said-by">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></details>`;
}

/** A key of the user's own machine is never called a service's, even if the reader trusts it. */
function signerOf(statement: RunStatement, valid: boolean): string {
  if (isLocal(statement)) return 'a local key of a user’s machine, not a service';
  return valid ? 'this service' : 'an unknown issuer';
}

/** What version 0.2 of receipts adds for packages and native scripts. */
function boxRows(predicate: RunStatement['predicate']): [string, Value][] {
  const ran = 'package' in predicate ? predicate.package : undefined;
  const hosts = 'hosts' in predicate.environment ? predicate.environment.hosts : undefined;
  const resources = 'resources' in predicate.environment ? predicate.environment.resources : undefined;
  const installed = 'packages' in predicate ? predicate.packages : undefined;
  return [
    ['Package', ran && html`<bdi>${ran.purl}</bdi> <code class="digest">sha256:${ran.tree_sha256}</code>`],
    [
      'Installed packages',
      installed?.map(
        ({ ecosystem, lock_sha256 }) => html`${ecosystem} lock <code class="digest">sha256:${lock_sha256}</code> `,
      ),
    ],
    ['Hosts reached', hosts && hostNames(hosts.reached)],
    ['Hosts refused', hosts !== undefined && hosts.refused.length > 0 && hostNames(hosts.refused)],
    [
      'Resources used',
      resources && `${resources.cpu_ms} ms processor time, ${Math.ceil(resources.memory_bytes / 1_048_576)} MiB memory`,
    ],
  ];
}

const hostNames = (uses: readonly { host: string }[]): Html | string =>
  uses.length === 0 ? 'None' : html`<bdi>${[...new Set(uses.map(({ host }) => host))].join(', ')}</bdi>`;

/** Shown unless the exit code already says it. */
const why = (reason: string | undefined): string =>
  reason === undefined || reason === 'exit_code' ? '' : `, ${reason.replaceAll('_', ' ')}`;

const elsewhere = ({
  id,
  base_url,
}: ReceiptFacts): Html => html`<section class="card pad" aria-labelledby="elsewhere"><h3 id="elsewhere">Verify elsewhere</h3>
${copyable(`curl -sSf ${base_url}/api/receipts/${id} > receipt.json\ncapstan verify receipt.json --issuer ${base_url}`, 'command')}
<p class="fine"><a href="/docs/five-minutes">Get the command line</a>. You can also use only openssl and jq: <a href="/docs/verify-a-receipt">Verify a receipt</a>.</p></section>`;

const proves = (lines: readonly (readonly [claim: string, why: string, is_proved: boolean])[]): Html =>
  html`<section class="card pad" aria-labelledby="proves"><h3 id="proves">What this proves, and what it does not</h3>
${trustList(lines.map(([claim, why, isProved]) => ({ look: isProved ? 'yes' : '', shape: isProved ? 'check' : 'minus', claim, why })))}</section>`;

const PROVES = proves([
  ['This version ran,', 'at this time, and ended this way. The holder of the key says so.', true],
  ['The input and output are these.', 'Anyone with the receipt key of the run can check them.', true],
  ['It cannot be withdrawn or changed later.', 'The log is append-only and the same for everyone.', true],
  ['Not that the answer is right.', 'Nor that the signer is honest. You choose whom to trust.', false],
  ['Not who asked for it.', 'Only the service can decrypt that part.', false],
]);

const PROVES_OF_LOCAL = proves([
  ['The holder of this key says that this version ran,', 'on their machine, with this outcome.', true],
  ['Nobody has changed the receipt since it was signed.', 'Its signature covers every line.', true],
  ['The input and output are these.', 'Anyone with the receipt key of the run can check them.', true],
  ['Not that the run took place.', 'Its owner can sign any statement.', false],
  ['Not that a service ran or saw it.', 'The log belongs to the same key, so its owner can rewrite it.', false],
  ['Not whose machine it was.', 'Get the key from its owner to know.', false],
]);

/** The drum of a capstan, as on the header. */
const SEAL = raw(
  `<svg class="mark" viewBox="0 0 32 32" width="34" height="34" aria-hidden="true" focusable="false"><path d="M16 3v26M4.7 9.5l22.6 13M27.3 9.5l-22.6 13"/><circle class="drum" cx="16" cy="16" r="7.5"/><path class="rope" d="M8.5 16a7.500 7.500 0 0 1 15 0v15"/><circle class="head" cx="16" cy="16" r="3"/></svg>`,
);
