import { type Html, html, type Value } from '../server/html.ts';
import { capabilityPath } from './capabilities.ts';
import { type IconName, icon, providerName } from './icon.ts';
import { baseOf, hostsOf, inputsOf, type Known, publisherOf } from './known.ts';
import { isProved, levelMeans } from './levels.ts';
import { plainReason, runStateOf } from './run-ability.ts';
import { countsAgainst, lookedAtWords } from './verification.ts';
import { ago, count, cut, strangersLink } from './words.ts';

/** Whether to trust a listing, in plain words: a claim in bold and its reason, the worst first. */

interface TrustLine {
  look: 'yes' | 'care' | 'no' | '';
  shape: IconName;
  claim: Value;
  why: Value;
}

const line = ({ look, shape, claim, why }: TrustLine): Html =>
  html`<li class="${look}">${icon(shape)}<span><strong>${claim}</strong> <span class="fine">${why}</span></span></li>`;

export const trustList = (lines: readonly TrustLine[]): Html => html`<ul class="trust-lines">${lines.map(line)}</ul>`;

const MOST_LINES = 6;
const ORDER: readonly TrustLine['look'][] = ['no', 'yes', 'care', ''];

/** Sorted by what they mean; within one meaning in the order of questions that people have. */
export function trustLines(known: Known, nowMs: number): TrustLine[] {
  const lines = [
    ...flagged(known),
    ...looksLike(known),
    ...providersSay(known),
    ...findings(known, nowMs),
    publisher(known),
    ...fromCi(known),
    runs(known, nowMs),
    ...reproduced(known),
    ...secrets(known),
    ...reaches(known),
  ];
  return lines.toSorted((a, b) => ORDER.indexOf(a.look) - ORDER.indexOf(b.look)).slice(0, MOST_LINES);
}

const flagged = ({ listing }: Known): TrustLine[] =>
  (listing?.flags ?? []).slice(0, 1).map(({ kind, reason }) => ({
    look: 'no',
    shape: 'circle-alert',
    claim: `Flagged: ${kind.replaceAll('_', ' ')}.`,
    why: html`<span dir="auto">${cut(reason, 200)}</span>`,
  }));

const looksLike = ({ listing }: Known): TrustLine[] =>
  listing?.resembles == null
    ? []
    : [
        {
          look: 'no',
          shape: 'triangle-alert',
          claim: 'The name looks like another one.',
          why: html`<bdi>${listing.resembles.detail}</bdi> <a href="${capabilityPath(listing.resembles.id)}">See that one</a>`,
        },
      ];

const providersSay = (known: Known): TrustLine[] =>
  (baseOf(known).verification?.upstream ?? [])
    .filter(({ verdict, overruled }) => (verdict === 'malicious' || verdict === 'suspicious') && overruled === null)
    .slice(0, 1)
    .map(({ source, verdict }) => ({
      look: 'no',
      shape: 'circle-alert',
      claim: `${providerName(source)} calls it ${verdict}.`,
      why: html`<a href="${known.path}?tab=security">Read why</a>`,
    }));

function findings(known: Known, nowMs: number): TrustLine[] {
  const { verification } = baseOf(known);
  if (verification === null) return [];
  const against = verification.findings.filter(countsAgainst);
  if (against.length > 0) {
    const isGrave = against.some(({ severity }) => severity === 'grave');
    return [
      {
        look: isGrave ? 'no' : 'care',
        shape: 'triangle-alert',
        claim:
          against.length === 1 ? 'The checks found one thing.' : `The checks found ${count(against.length)} things.`,
        why: html`<a href="${known.path}?tab=security">See the lines and the reasons</a>`,
      },
    ];
  }
  const looked = lookedAtWords(verification);
  if (verification.checked_at === null || looked === '') return [];
  const at = ago(verification.checked_at, nowMs);
  const hasPassed = verification.level !== 'listed';
  const isFlagged = (known.listing?.flags ?? []).length > 0;
  return [
    {
      look: hasPassed && !isFlagged ? 'yes' : '',
      shape: 'shield-check',
      claim: hasPassed ? 'Passed static checks.' : 'Nothing found by static checks.',
      why: html`${looked[0]?.toUpperCase()}${looked.slice(1)}${at !== null && html`, ${at}`}.`,
    },
  ];
}

function publisher(known: Known): TrustLine {
  const known_as = publisherOf(known);
  if (known_as?.confirmed == null)
    return {
      look: '',
      shape: 'circle-dashed',
      claim: 'Publisher not confirmed.',
      why: 'Nobody has proved that it is theirs.',
    };
  return {
    look: 'yes',
    shape: 'badge-check',
    claim: known.skill === null ? 'Publisher confirmed.' : 'Written and signed by Capstan.',
    why: known.skill === null ? html`<bdi>${cut(known_as.name, 60)}</bdi>: ${known_as.confirmed}` : known_as.confirmed,
  };
}

/** Where its CI service says that the shown version comes from. */
function fromCi({ version }: Known): TrustLine[] {
  const from = version?.published_by ?? null;
  if (from === null) return [];
  const commit = from.sha === '' ? '' : ` at ${from.sha.slice(0, 7)}`;
  return [
    {
      look: 'yes',
      shape: 'git-compare',
      claim: 'Published by this workflow.',
      why: html`${strangersLink(from.run_url, `${from.repository} ${from.workflow}`)}${commit}.`,
    },
  ];
}

function runs(known: Known, nowMs: number): TrustLine {
  const { item, proof } = known;
  const state = runStateOf(known);
  const { verification } = baseOf(known);
  const ran = proof?.versions[0];
  if (state?.name === 'silent')
    return { look: 'no', shape: 'circle-alert', claim: 'It does not answer.', why: reasonOf(known, nowMs) };
  if (state?.name === 'runs' && item?.runnable.reason === 'ok') {
    const { package: started, checked_at, tool_count } = item.runnable;
    const tools = tool_count === null ? '' : ` and listed ${count(tool_count)} ${tool_count === 1 ? 'tool' : 'tools'}`;
    return {
      look: 'yes',
      shape: 'circle-play',
      claim: started == null ? 'It answers.' : 'It runs here.',
      why: html`${started == null ? 'Answered' : 'Started in a sandbox'} ${ago(checked_at, nowMs)}${tools}.`,
    };
  }
  if (ran !== undefined && ran.runs > 0)
    return ofRuns(ran, verification !== null && isProved(verification.level), nowMs);
  if (item !== null && item.runnable.reason !== null && item.runnable.reason !== 'startable')
    return { look: '', shape: 'circle-dashed', claim: 'Not run here.', why: reasonOf(known, nowMs) };
  return {
    look: '',
    shape: 'circle-dashed',
    claim: 'Not run by users yet.',
    why: 'No account has run it on this service.',
  };
}

/** Also runs that count for no level, such as those of new accounts. */
function ofRuns(
  { runs: all, completed, last_run_at }: NonNullable<Known['proof']>['versions'][number],
  isLevel: boolean,
  nowMs: number,
): TrustLine {
  const words = all === 1 ? '1 run' : `${count(all)} runs`;
  const why = html`${count(completed)} of ${words} succeeded, the last ${ago(last_run_at, nowMs)}.`;
  if (completed === 0) return { look: 'care', shape: 'circle-alert', claim: 'No run here succeeded.', why };
  if (isLevel) return { look: 'yes', shape: 'circle-play', claim: 'It runs here.', why };
  return {
    look: '',
    shape: 'circle-play',
    claim: 'It has run here.',
    why: html`${why} Runs of new accounts raise no level.`,
  };
}

const reasonOf = (known: Known, nowMs: number): Html =>
  html`<bdi>${cut(plainReason(known), 200)}</bdi>${known.item?.runnable.checked_at != null && html` Tried ${ago(known.item.runnable.checked_at, nowMs)}.`}`;

function reproduced(known: Known): TrustLine[] {
  const level = baseOf(known).verification?.level;
  if (level !== 'reproduced' && level !== 'used') return [];
  return level === 'reproduced'
    ? [{ look: 'yes', shape: 'repeat', claim: 'Same input, same output.', why: levelMeans('reproduced') }]
    : [{ look: 'yes', shape: 'badge-check', claim: 'Others use it here.', why: levelMeans('used') }];
}

function secrets(known: Known): TrustLine[] {
  const [secret] = inputsOf(known).filter((input) => input.secret);
  if (secret === undefined) return [];
  const claim = secret.required ? 'It receives a secret of yours.' : 'It can take a secret of yours.';
  return [{ look: 'care', shape: 'key-round', claim, why: 'Kept encrypted, sent only to this server.' }];
}

function reaches(known: Known): TrustLine[] {
  const { item, skill } = known;
  if (skill !== null && skill.execution_class === 'scripted')
    return [
      { look: 'yes', shape: 'wifi-off', claim: 'No network, no secrets.', why: 'It reads the input and nothing else.' },
    ];
  const [host, ...more] = hostsOf(known);
  if (host !== undefined)
    return [
      {
        look: 'care',
        shape: 'globe',
        claim: html`It asks to reach <bdi>${cut(host, 80)}</bdi>${more.length > 0 && ` and ${count(more.length)} more`}.`,
        why: 'You choose the hosts when you connect. Every other host is blocked.',
      },
    ];
  const remote = item?.servers.find((choice) => choice.remote !== null);
  const at = remote === undefined ? null : (URL.parse(remote.title)?.host ?? null);
  return at === null
    ? []
    : [
        {
          look: 'care',
          shape: 'globe',
          claim: html`It sends your input to <bdi>${cut(at, 80)}</bdi>.`,
          why: 'Another operator’s server answers. Leave out secrets and private text.',
        },
      ];
}
