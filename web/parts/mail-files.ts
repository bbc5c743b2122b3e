import { type Html, html } from '../server/html.ts';
import type { Site } from '../server/page.ts';

/** Says where emails are if the service has no mail server, as on a machine where it was just installed. */
export const mailFiles = ({ has_mail }: Pick<Site, 'has_mail'>): Html | null =>
  has_mail
    ? null
    : html`<p class="said">This service has no mail server. The email is saved in the folder <code>outbox</code> of its data directory, which is <code>./data</code> unless changed.</p>`;
