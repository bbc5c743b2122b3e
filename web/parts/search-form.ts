import { type Html, html } from '../server/html.ts';

interface SearchForm {
  /** The path of the list. */
  action: string;
  label: string;
  placeholder?: string;
  value?: string;
  /** Filters that the search keeps. */
  kept?: Record<string, string>;
  /** Whether the address bar is updated, too. */
  follow: boolean;
}

/** The search form. Without scripts it leads to the list; with them results replace `#results` while the reader types. */
export const searchForm = ({
  action,
  label,
  placeholder = 'What do you want to do?',
  value = '',
  kept = {},
  follow,
}: SearchForm): Html => html`<search>
<form class="search" action="${action}" data-island="search"${follow && html` data-follow`}>
<label class="hidden" for="search">${label}</label>
<input type="search" id="search" name="search" value="${value}" placeholder="${placeholder}" maxlength="400" autocomplete="off" spellcheck="false"${follow ? null : html` autofocus`}>
${Object.entries(kept).map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">`)}
<button type="submit" class="button">Search</button>
<kbd aria-hidden="true">/</kbd>
</form>
<p id="found-status" role="status" class="hidden"></p>
</search>`;
