import { type Capstan, CapstanError, type Input, type Operations, type Task } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { Ref } from './capability-ref.ts';
import { encodedPath } from './encoded-path.ts';
import { cut } from './words.ts';

/** What the script of a skill needs beyond its input: packages to install, and values of environment variables. */

export type SkillGrants = Operations['grants']['get']['answer'];
type Question = NonNullable<Task['question']>;

type SkillPlace = Pick<Input<'runtime.grants.get'>, 'provider' | 'id'>;

/** Where what a reader gives this skill is kept; null for anything but listings and what was published here. */
function skillPlace({ kind, ref }: Ref): SkillPlace | null {
  if (kind === 'capability') return ref.startsWith('skill/') ? null : { provider: 'capstan', id: ref };
  const slash = ref.indexOf('/');
  if (kind !== 'listing' || slash < 1) return null;
  return { provider: ref.slice(0, slash) as SkillPlace['provider'], id: ref.slice(slash + 1) };
}

/** Null for anything but a skill with a script, and where the skill cannot be read now. */
export async function grantsOf(capstan: Capstan, ref: Ref): Promise<SkillGrants | null> {
  const place = skillPlace(ref);
  if (place === null) return null;
  try {
    return await capstan.grants.get(place);
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    return null;
  }
}

/** What is still open, as a task would ask it. */
export const openQuestion = ({ needs, install }: SkillGrants): Question => ({
  packages: install ? [] : needs.packages,
  environment: needs.environment.filter(({ stored }) => !stored),
});

/** The page with the values, secrets and hosts of a skill; null for anything else. */
export function skillSettingsPath(ref: Ref): string | null {
  const place = skillPlace(ref);
  if (place === null) return null;
  return `/dashboard/skills/${encodeURIComponent(place.provider)}/${encodedPath(place.id)}`;
}

const VALUE = 'env.';

/** Fields for everything that a form without a wallet can answer. */
export function questionFields({ packages, environment }: Question, form: URLSearchParams | null, ref: Ref): Html {
  const plain = environment.filter(({ secret }) => !secret);
  const secrets = environment.filter(({ secret }) => secret);
  return html`${
    packages.length > 0 &&
    html`<p>The script needs packages that are not part of it:</p>
<ul>${packages.map(({ ecosystem, name, wanted, from }) => html`<li><code>${cut(name, 120)} ${cut(wanted, 80)}</code> <span class="label">${ecosystem === 'npm' ? 'npm' : 'PyPI'}, ${from === 'import' ? 'imported' : cut(from, 40)}</span></li>`)}</ul>
<p><label><input type="checkbox" name="install" value="yes"${form?.get('install') === 'yes' && html` checked`}> Install them in the sandbox of this skill</label></p>`
  }
${plain.map(
  ({
    name,
  }) => html`<div class="field-row"><label for="env-${name}"><code>${cut(name, 100)}</code> <span class="label">environment variable</span></label>
<input id="env-${name}" name="${VALUE}${name}" value="${form?.get(`${VALUE}${name}`) ?? ''}" maxlength="8192" autocomplete="off" spellcheck="false"></div>`,
)}
${secrets.length > 0 && html`<p>It also needs ${secrets.map(({ name }, at) => html`${at > 0 && ', '}<code>${cut(name, 100)}</code>`)}. ${storeFirst(secrets.length, skillSettingsPath(ref))}</p>`}`;
}

function storeFirst(count: number, settings: string | null): Html {
  const what = count === 1 ? 'it as a secret' : 'them as secrets';
  if (settings === null) return html`Store ${what} in the settings of the skill first.`;
  return html`<a href="${settings}">Store ${what} of this skill</a> first.`;
}

/** The answer of such a form; empty fields are left out. */
export function answerIn(form: URLSearchParams): { install: boolean; environment: Record<string, string> } {
  const given = [...form].filter(([name, value]) => name.startsWith(VALUE) && value !== '');
  const environment = Object.fromEntries(given.map(([name, value]) => [name.slice(VALUE.length), value]));
  return { install: form.get('install') === 'yes', environment };
}

/** The form of a task that asks for packages or values. */
export const questionForm = (question: Question, ref: Ref): Html =>
  html`<section class="ask" aria-labelledby="ask"><h2 id="ask">${question.packages.length > 0 ? 'The skill needs your permission' : 'Values required'}</h2>
<form method="post" class="fields-form"><input type="hidden" name="do" value="grant">
${questionFields(question, null, ref)}
<p class="ways"><button type="submit" class="button">Run</button> <button type="submit" class="button plain" name="decline" value="yes">Decline</button></p></form></section>`;
