import { type Html, html, type Value } from '../server/html.ts';
import { block, emptyState } from './block.ts';
import { icon } from './icon.ts';
import { baseOf, hostsOf, inputsOf, type Known, type ServerInput } from './known.ts';
import { notice } from './notice.ts';
import { actionOf, plainReason, runStateOf } from './run-ability.ts';
import { count, cut } from './words.ts';

/** What a listing needs to run, and what it may touch. Untrusted text. */

const FORMATS: Record<ServerInput['format'], string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  filepath: 'Path of a file',
};

const kindOf = (input: ServerInput): Html | string =>
  input.secret ? html`<span class="state">${icon('key-round')}Secret</span>` : FORMATS[input.format];

export function countsWords(inputs: readonly ServerInput[]): string {
  const secrets = inputs.filter(({ secret }) => secret).length;
  const settings = inputs.length - secrets;
  return [
    secrets > 0 ? `${count(secrets)} ${secrets === 1 ? 'secret' : 'secrets'}` : '',
    settings > 0 ? `${count(settings)} ${settings === 1 ? 'setting' : 'settings'}` : '',
  ]
    .filter((words) => words !== '')
    .join(', ');
}

export const inputsTable = (inputs: readonly ServerInput[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Table of values"><table class="t"><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Needed</th><th scope="col">Example or default</th></tr></thead>
<tbody>${inputs.map((input) => html`<tr><th scope="row"><code>${cut(input.name, 80)}</code>${input.description !== '' && html`<span class="fine" dir="auto">${cut(input.description, 200)}</span>`}</th><td>${kindOf(input)}</td><td>${input.required ? 'Yes' : 'Optional'}</td><td>${exampleOf(input)}</td></tr>`)}</tbody></table></div>`;

function exampleOf({ default: preset, hint, choices, secret }: ServerInput): Value {
  if (secret) return '';
  const shown = preset || hint || choices.slice(0, 3).join(', ');
  return shown !== '' && html`<code>${cut(shown, 80)}</code>`;
}

export function needsCount(known: Known): number {
  return inputsOf(known).length + hostsOf(known).length;
}

const MOST_INPUTS = 100;

export function needsTab(known: Known): Html {
  const inputs = inputsOf(known);
  const hosts = hostsOf(known);
  const sections = [
    whyNot(known),
    inputs.length > 0 &&
      block({
        id: 'values',
        title: 'Values',
        shape: 'key-round',
        label: countsWords(inputs),
        is_flush: true,
        content: inputsTable(inputs.slice(0, MOST_INPUTS)),
      }),
    hosts.length > 0 && hostsBlock(hosts),
    programsBlock(known),
  ];
  const touches = touchesBlock(known);
  return sections.some((section) => section !== null && section !== false) || touches !== null
    ? html`<div class="stack-wide">${sections}${touches}</div>`
    : emptyState({
        shape: 'list-checks',
        title: 'Nothing is known to be needed',
        text: 'Its sources declare no settings, secrets or hosts.',
      });
}

/** The reason, once and in full, where something stands in the way. */
function whyNot(known: Known): Html | null {
  const state = runStateOf(known);
  const { item } = known;
  if (state?.name === 'model')
    return notice({
      look: 'warn',
      shape: 'cpu',
      title: 'It needs a language model.',
      text: 'This service has none. Add the skill to an agent of yours, which has its own.',
    });
  const detail = plainReason(known);
  if (item === null || detail === '' || state?.name === 'runs') return null;
  return notice({
    look: state?.name === 'silent' ? 'bad' : 'warn',
    shape: state?.name === 'silent' ? 'circle-alert' : 'list-checks',
    title: state === null ? 'Not tried yet.' : `${state.words}.`,
    text: html`<bdi>${cut(detail, 400)}</bdi>`,
    action: actionOf(known).words === 'Connect' ? { href: actionOf(known).href, words: 'Connect' } : null,
  });
}

const hostsBlock = (hosts: readonly string[]): Html =>
  block({
    id: 'hosts',
    title: 'Hosts to allow',
    shape: 'globe',
    label: 'Asked once, when you first connect',
    content: html`<ul class="hosts">${hosts.slice(0, 50).map((host) => html`<li><code><bdi>${cut(host, 120)}</bdi></code></li>`)}</ul>
<p class="fine">Every other host is blocked. What was reached is written into the receipt.</p>`,
  });

interface Requires {
  bins?: unknown;
  anyBins?: unknown;
  env?: unknown;
}

/** What the record of a skill declares, in the form that ClawHub's skills use. */
function requiresOf({ item }: Known): Requires {
  const metadata = item?.manifest?.metadata as Record<string, Requires & { requires?: Requires }> | undefined;
  for (const key of ['openclaw', 'clawdbot', 'clawdis'])
    if (metadata?.[key]?.requires !== undefined) return metadata[key].requires;
  return {};
}

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string').slice(0, 30) : [];

function programsBlock(known: Known): Html | null {
  const { bins, anyBins, env } = requiresOf(known);
  const [all, any, names] = [namesIn(bins), namesIn(anyBins), namesIn(env)];
  if (all.length + any.length + names.length === 0) return null;
  const list = (values: readonly string[]): Html[] =>
    values.map((value, at) => html`${at > 0 && ', '}<code>${cut(value, 60)}</code>`);
  return block({
    id: 'programs',
    title: 'On the machine',
    shape: 'terminal',
    content: html`<dl class="pairs">${all.length > 0 && html`<div><dt>Programs</dt><dd>${list(all)}</dd></div>`}
${any.length > 0 && html`<div><dt>One of</dt><dd>${list(any)}</dd></div>`}
${names.length > 0 && html`<div><dt>Environment</dt><dd>${list(names)}</dd></div>`}</dl>`,
  });
}

/** What a run here is allowed to do. */
function touchesBlock(known: Known): Html | null {
  const { listing_type, execution_class } = baseOf(known);
  const { item } = known;
  const lines =
    execution_class === 'scripted'
      ? [
          'Its script runs in a sandbox, with the files of the skill and the input that you give.',
          'It has no network and no secrets unless you grant them.',
        ]
      : execution_class === 'prompt' && listing_type === 'skill'
        ? ['A language model reads its text and your input. No program of the skill runs.']
        : item?.servers.some((choice) => choice.package !== null)
          ? ['Its package starts in a sandbox, without your files.', 'It reaches only the hosts that you allow.']
          : item?.servers.some((choice) => choice.remote !== null)
            ? ['It runs at its own address. It gets what you send, and nothing else from this service.']
            : [];
  if (lines.length === 0) return null;
  return block({
    id: 'touches',
    title: 'What it may touch',
    shape: 'shield-check',
    content: html`<ul class="plain-list">${lines.map((line) => html`<li>${line}</li>`)}</ul>`,
  });
}
