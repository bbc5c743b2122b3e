import { type Html, html, type Value } from '../server/html.ts';
import { type IconName, icon } from './icon.ts';

/** One thing that the reader should know, with at most one action. */

interface Notice {
  look?: 'good' | 'warn' | 'bad';
  shape: IconName;
  title: Value;
  text?: Value;
  action?: { href: string; words: string } | Html | null;
}

export const notice = ({ look, shape, title, text, action = null }: Notice): Html =>
  html`<div class="notice ${look}" role="note">${icon(shape)}<p><strong>${title}</strong>${text !== undefined && html` ${text}`}</p>${action !== null && ('href' in action ? html`<a class="button plain small" href="${action.href}" rel="nofollow">${action.words}</a>` : action)}</div>`;
