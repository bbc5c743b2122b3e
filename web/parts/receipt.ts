import { type Bundle, type BundleVerdict, isLocal, type RunStatement } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { copyable } from './copy.ts';
import { lasted } from './run-state.ts';

/** A receipt: its contents, how to verify it here and elsewhere, and what it proves. */

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
  return html`<section class="receipt" aria-labelledby="receipt"><h2 id="receipt">Receipt</h2>
${'statement' in verdict ? says(verdict.statement, verdict) : html`<p class="failure">This bundle is invalid: ${verdict.detail}</p>`}
<div class="verify" data-island="receipt" data-receipt="${id}"${task_id !== null && html` data-task="${task_id}"`}>
<p class="ways"><button type="button" class="button" hidden>Verify on this page</button>
<a class="button plain" href="/api/receipts/${id}" download="receipt-${id}.json">Download bundle</a>
${task_id !== null && html`<a href="/receipts/${id}">Public page</a>`}</p>
<noscript><p class="fine">Verifying on this page needs JavaScript. You can use the command below instead.</p></noscript>
<output aria-live="polite"></output>
</div>
${elsewhere(facts)}
${'statement' in verdict && isLocal(verdict.statement) ? PROVES_OF_LOCAL : PROVES}</section>`;
}

const ENDS: Record<RunStatement['predicate']['status'], string> = {
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted, with unknown side effects',
  refused: 'Refused; the tool was not called',
};

function says(
  statement: RunStatement,
  { log, key_id, valid }: Extract<BundleVerdict, { statement: RunStatement }>,
): Html {
  const { predicate, subject } = statement;
  const { started_at, finished_at, status, exit_code, environment, model, planner, attempt, reason } = predicate;
  const listing = 'listing' in predicate ? predicate.listing : undefined;
  const [what] = subject as [RunStatement['subject'][number]];
  const took = lasted(Date.parse(finished_at) - Date.parse(started_at));
  const rows: [string, Value][] = [
    ['Capability', html`<bdi>${what.name}</bdi> <code class="digest">sha256:${what.digest.sha256}</code>`],
    [
      'When',
      html`<time datetime="${started_at}" title="${started_at}">${started_at.slice(0, 19).replace('T', ' ')} UTC</time>, for ${took}`,
    ],
    [
      'Outcome',
      `${ENDS[status]}${exit_code === null ? '' : ` with exit code ${exit_code}`}${why(reason)}${attempt > 1 ? `, attempt ${attempt}` : ''}.`,
    ],
    [
      'Sandbox',
      environment.isolation &&
        `${environment.isolation}${environment.engine === null ? '' : `, ${environment.engine}`}; network: ${environment.network}`,
    ],
    ...boxRows(predicate),
    ['Answered by', model ?? planner],
    ['Server', listing && html`<bdi>${listing.name}</bdi>`],
    ['Signed by', html`${signerOf(statement, valid)}, with the key <code class="digest">${key_id}</code>`],
    ['Log entry', html`<bdi>${log.origin}</bdi>, entry ${log.index + 1} of ${log.size}`],
  ];
  return html`<dl class="pairs said-by">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
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
  reason === undefined || reason === 'exit_code' ? '' : `: ${reason.replaceAll('_', ' ')}`;

const elsewhere = ({ id, base_url }: ReceiptFacts): Html => html`<h3>Verify elsewhere</h3>
${copyable(`curl -sSf ${base_url}/api/receipts/${id} > receipt.json\ncapstand verify receipt.json --issuer ${base_url}`, 'command')}
<p class="fine">You can also use only openssl and jq: <a href="/docs/verify-a-receipt">Verify a receipt</a>.</p>`;

const PROVES = html`<div class="proves">
<div><h3>What it proves</h3><ul>
<li>The holder of this key ran exactly this version, identified by its digest, at this time and with this outcome.</li>
<li>Input and output match the keyed hashes in the receipt. Anyone with the receipt key of the run can check them.</li>
<li>The receipt is in an append-only log: it cannot be withdrawn, or shown differently to others.</li></ul></div>
<div><h3>What it does not prove</h3><ul>
<li>That the output is correct or useful.</li>
<li>That the runner is honest. You decide whether to trust its key.</li>
<li>Who requested the run. Only the service can decrypt that part.</li></ul></div>
</div>`;

const PROVES_OF_LOCAL = html`<div class="proves">
<div><h3>What it proves</h3><ul>
<li>The holder of this key states that this version, identified by its digest, ran on their machine with this outcome.</li>
<li>Nobody has changed the receipt since it was signed.</li>
<li>Input and output match the keyed hashes in the receipt. Anyone with the receipt key of the run can check them.</li></ul></div>
<div><h3>What it does not prove</h3><ul>
<li>That the run took place. Its owner can sign any statement.</li>
<li>That a service ran or observed it. The log belongs to the same key, so its owner can rewrite it.</li>
<li>Whose machine it was. Get the key from its owner to know.</li></ul></div>
</div>`;
