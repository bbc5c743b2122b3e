import { type Html, html } from '../../../platform/http/html.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '../../registry/kinds.ts';
import type { PageQuery } from '../contract.ts';

/** A plain form: it works without scripts, and what it finds has an address. */
export const searchForm = (query: PageQuery): Html => html`<search>
<form action="/" method="get" class="search">
<label for="search" class="hidden">Search skills, servers, harnesses and rigs</label>
<div class="field">
<input id="search" name="search" type="search" maxlength="400" autocomplete="off" spellcheck="false"
 placeholder="weather, pdf…" value="${query.search ?? ''}">
<button type="submit">Search</button>
</div>
<div class="filters">
${choice('listing_type', 'Type', LISTING_TYPES, query.listing_type)}
${choice('execution_class', 'Runs as', EXECUTION_CLASSES, query.execution_class)}
${choice('provider', 'Provider', PROVIDERS, query.provider)}
</div>
</form>
</search>`;

const choice = (name: string, label: string, values: readonly string[], chosen: string | undefined): Html =>
  html`<label>${label} <select name="${name}"><option value="">any</option>${values.map((it) => option(it, it === chosen))}</select></label>`;

const option = (value: string, chosen: boolean): Html =>
  chosen ? html`<option selected>${value}</option>` : html`<option>${value}</option>`;
