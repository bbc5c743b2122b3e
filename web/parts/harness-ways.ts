import { purposeOf } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { signedForm } from './signed-form.ts';

/** The ways within one harness: each is a look of its own, which a wallet signs. */

export const harnessPath = (name: string): string => `/dashboard/harnesses/${encodeURIComponent(name)}`;

export const memoryPath = (name: string, path: string): string =>
  `${harnessPath(name)}/memory/${path.split('/').map(encodeURIComponent).join('/')}`;

export const harnessWays = (name: string, search = ''): Html => html`<div class="ways">
${signedForm({ name: 'open', confirms: purposeOf('runtime.harnesses.get', { id: name }), to: harnessPath(name), button: 'Files', look: 'plain' })}
${signedForm({ name: 'memories', confirms: purposeOf('runtime.memory.list', { id: name }), to: harnessPath(name), button: 'Memory', look: 'plain' })}
${signedForm({ name: 'context', confirms: purposeOf('runtime.context.get', { id: name }), to: harnessPath(name), button: 'Context', look: 'plain' })}
${signedForm({ name: 'export', confirms: purposeOf('runtime.harnesses.get', { id: name }), to: harnessPath(name), button: 'Export', look: 'plain' })}
</div>
${signedForm({
  name: 'memories',
  confirms: purposeOf('runtime.memory.list', { id: name }),
  to: harnessPath(name),
  button: 'Search',
  look: 'plain',
  fields: html`<label>Search its memory<input type="search" name="search" value="${search}" maxlength="200" autocomplete="off"></label>`,
})}`;

/** Reads the memory of a path, there or not yet. */
export const readForm = (name: string): Html => html`<form method="get" action="${harnessPath(name)}" class="stack">
<label>Path of a new memory<input name="new" required maxlength="200" placeholder="style/tense.md" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
<div><button type="submit" class="button plain">Write it</button></div></form>`;
