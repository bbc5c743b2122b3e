import { type Html, html } from '../server/html.ts';
import { type FormVisit, type OwnVisit, ownPage } from '../server/own-page.ts';
import type { Page, View, Visit } from '../server/page.ts';
import { capabilityPath } from './capabilities.ts';
import { saidBlock } from './said.ts';

interface CapabilityForm {
  title: string;
  /** `form` is the rejected submission. */
  show(visit: OwnVisit, form: URLSearchParams): Promise<Html>;
  /** By the form's `do`: the content that replaces the form after it is sent. */
  acts: Record<string, (visit: FormVisit) => Promise<Html>>;
}

/** A page of a capability with a form. */
export const capabilityForm = ({ title, show, acts }: CapabilityForm): Page =>
  ownPage({
    show: async (visit, said, form) =>
      view(visit, title, html`${saidBlock(said)}${await show(visit, form ?? new URLSearchParams())}`),
    acts: Object.fromEntries(
      Object.entries(acts).map(([name, act]) => [
        name,
        async (visit: FormVisit) => view(visit, title, await act(visit)),
      ]),
    ),
  });

const view = ({ params: { id = '' } }: Visit, title: string, content: Html): View => ({
  title,
  unlisted: true,
  content: html`<header class="head"><p class="label"><a href="/marketplace">Browse</a> / <a href="${capabilityPath(id)}">capability</a></p><h1>${title}</h1></header>
<div class="body narrow">${content}</div>`,
});
