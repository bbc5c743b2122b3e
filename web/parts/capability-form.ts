import { CapstanError } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';
import { capabilityPath } from './capabilities.ts';
import { cut } from './words.ts';

/** Pages of a capability on which whoever is signed in sends a form: what it was refused for stands above it. */

type FormVisit = Visit & { form: URLSearchParams };

interface CapabilityForm {
  title: string;
  show(visit: Visit, form: URLSearchParams): Promise<Html>;
  /** What stands in the form's place once it is sent. */
  send(visit: FormVisit): Promise<Html>;
}

export const capabilityForm = ({ title, show, send }: CapabilityForm): Page => ({
  get: async (visit) =>
    visit.user === null ? toSignIn(visit) : view(visit, title, await show(visit, new URLSearchParams())),
  post: async (visit) => {
    if (visit.user === null) return toSignIn(visit);
    try {
      return view(visit, title, await send(visit));
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      return { ...view(visit, title, html`${refusal(error)}${await show(visit, visit.form)}`), status: error.status };
    }
  },
});

const toSignIn = ({ path, query }: Visit): Answer => ({
  location: `/signin?to=${encodeURIComponent(query.size === 0 ? path : `${path}?${query}`)}`,
});

const view = ({ params: { id = '' } }: Visit, title: string, content: Html): View => ({
  ...{ title, unlisted: true },
  content: html`<header class="head"><p class="label"><a href="/marketplace">Marketplace</a> / <a href="${capabilityPath(id)}">capability</a></p><h1>${title}</h1></header>
<div class="body narrow">${content}</div>`,
});

const refusal = ({
  detail,
  code,
  errors,
}: CapstanError): Html => html`<div class="standing" role="alert"><p dir="auto">${cut(detail, 600)}</p>
${errors.length > 0 && html`<ul class="bare">${errors.slice(0, 20).map((it) => html`<li><code>${it.pointer}</code> ${cut(it.detail, 300)}</li>`)}</ul>`}
<p class="fine"><a href="/docs/errors/${code}">What <code>${code}</code> means</a></p></div>`;
