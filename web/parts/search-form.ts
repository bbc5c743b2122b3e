import { type Html, html } from '../server/html.ts';

interface SearchForm {
  /** The list that it leads to. */
  action: string;
  label: string;
  value?: string;
  /** Filters that the search stays within. */
  kept?: Record<string, string>;
  /** Whether the address line follows, too. */
  follow: boolean;
}

/** The search. Without its script the form leads to the list; with it what is found replaces `#results` while one types. */
export const searchForm = ({ action, label, value = '', kept = {}, follow }: SearchForm): Html => html`<search>
<form class="search" action="${action}" data-island="search"${follow && html` data-follow`}>
<label class="hidden" for="search">${label}</label>
<input type="search" id="search" name="search" value="${value}" placeholder="What should it do?" maxlength="400" autocomplete="off" spellcheck="false"${follow ? null : html` autofocus`}>
${Object.entries(kept).map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">`)}
<button type="submit" class="button">Search</button>
<kbd aria-hidden="true">/</kbd>
</form>
<p id="found-status" role="status" class="hidden"></p>
</search>`;
