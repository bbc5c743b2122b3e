import { errorLink } from '../parts/error-link.ts';
import { html } from './html.ts';
import type { View } from './page.ts';

/** An error page: what happened, what to do, where to read more. */

export interface ProblemFacts {
  status: number;
  code: string;
  reason?: string | null | undefined;
  detail: string;
  request_id: string | null;
  errors: readonly { pointer: string; detail: string }[];
}

const TITLES: Record<number, string> = {
  400: 'Invalid request',
  401: 'Sign in required',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Method not allowed',
  410: 'No longer available',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not ready yet',
};

export function problemView({ status, code, reason, detail, request_id, errors }: ProblemFacts, url: string): View {
  const title = TITLES[status] ?? (status >= 500 ? 'Something went wrong' : 'Request failed');
  const content = html`<section class="problem">
<p class="status" aria-hidden="true">${status}</p>
<h1>${title}</h1>
<p class="lead">${detail}</p>
${errors.length > 0 && html`<ul>${errors.map((error) => html`<li><code>${error.pointer}</code> ${error.detail}</li>`)}</ul>`}
<p class="ways">${status === 401 && html`<a class="button" href="/signin">Sign in</a>`}${code === 'users.forbidden' && html`<a class="button" href="/dashboard/account">Export or delete your account</a>`} ${status >= 500 && html`<a class="button" href="${url}">Try again</a>`} <a class="button" href="/marketplace">Browse</a> <a href="/">Home</a></p>
<p class="fine">${errorLink({ code, reason })}${request_id !== null && html` · Request <code>${request_id}</code>`}</p>
</section>`;
  return { title, content, status, unlisted: true };
}

export const NO_PATH: ProblemFacts = {
  status: 404,
  code: 'http.not_found',
  request_id: null,
  errors: [],
  detail: 'No page at this address. Addresses are case-sensitive and have no trailing slash.',
};

/** Also used if a page's pattern matches but the item does not exist. */
export const noPage = (url: string, request_id: string | null = null): View =>
  problemView({ ...NO_PATH, request_id }, url);
