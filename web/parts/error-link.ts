import { type Html, html } from '../server/html.ts';

/** A link to the page of an error code, at its reason if there is one. */
export const errorLink = ({ code, reason }: { code: string; reason?: string | null | undefined }): Html =>
  html`<a href="/docs/errors/${code}${reason ? `#${reason}` : ''}">What <code>${code}</code> means</a>`;
