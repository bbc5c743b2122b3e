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
  directory: 'Folder',
  file: 'File',
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
  const { programs = [], environment = [] } = known.item?.needs ?? {};
  return inputsOf(known).length + hostsOf(known).length + programs.length + environment.length;
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
        title: 'No requirements known',
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

/** What the SKILL.md of a provider's skill declares. */
function programsBlock({ item }: Known): Html | null {
  const { programs = [], environment = [], packages = [], systems = [] } = item?.needs ?? {};
  if (programs.length + environment.length + packages.length + systems.length === 0) return null;
  const code = (value: string): Html => html`<code><bdi>${cut(value, 60)}</bdi></code>`;
  const list = (values: readonly Html[]): Html[] => values.map((value, at) => html`${at > 0 && ', '}${value}`);
  const oneOf = (names: readonly string[]): Html =>
    names.length === 1 ? code(names[0] ?? '') : html`one of ${list(names.map(code))}`;
  const rows: [string, readonly Html[]][] = [
    ['Programs', programs.map(oneOf)],
    ['Environment', environment.map(code)],
    [
      'Packages',
      packages.map(
        ({ ecosystem, name, wanted }) =>
          html`${code(`${name} ${wanted}`)} from ${ecosystem === 'npm' ? 'npm' : 'PyPI'}`,
      ),
    ],
    ['Systems', systems.map(code)],
  ];
  return block({
    id: 'programs',
    title: 'On the machine',
    shape: 'terminal',
    label: 'As its SKILL.md declares',
    content: html`<dl class="pairs">${rows.map(([name, values]) => values.length > 0 && html`<div><dt>${name}</dt><dd>${list(values)}</dd></div>`)}</dl>`,
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
