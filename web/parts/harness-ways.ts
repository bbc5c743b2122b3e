import { purposeOf } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { encodedPath } from './encoded-path.ts';
import { signedForm } from './signed-form.ts';

/** The actions of one harness. A wallet signs each request. */

export const harnessPath = (name: string): string => `/dashboard/harnesses/${encodeURIComponent(name)}`;

export const memoryPath = (name: string, path: string): string => `${harnessPath(name)}/memory/${encodedPath(path)}`;

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
  fields: html`<label>Search memory<input type="search" name="search" value="${search}" maxlength="200" autocomplete="off"></label>`,
})}`;

/** Opens the memory at a path, which may not exist yet. */
export const readForm = (name: string): Html => html`<form method="get" action="${harnessPath(name)}" class="stack">
<label>Path of a new memory<input name="new" required maxlength="200" placeholder="style/tense.md" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
<div><button type="submit" class="button plain">Write</button></div></form>`;
