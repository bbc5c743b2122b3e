import { type Html, html } from '../server/html.ts';

/**
 * The search. Without its script the form leads to /registry; with it what is found replaces `#results` while one types.
 * `kept`: filters that the search stays within. `follow`: the address line follows, too.
 */
export const searchForm = (value: string, kept: Record<string, string>, follow: boolean): Html => html`<search>
<form class="search" action="/registry" data-island="search"${follow && html` data-follow`}>
<label class="hidden" for="search">Search the registry</label>
<input type="search" id="search" name="search" value="${value}" placeholder="What should it do?" maxlength="400" autocomplete="off" spellcheck="false"${follow ? null : html` autofocus`}>
${Object.entries(kept).map(([name, it]) => html`<input type="hidden" name="${name}" value="${it}">`)}
<button type="submit" class="button">Search</button>
<kbd aria-hidden="true">/</kbd>
</form>
<p id="found-status" role="status" class="hidden"></p>
</search>`;
