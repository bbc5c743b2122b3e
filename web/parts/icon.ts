import { openAssets } from '../server/assets.ts';
import { type Html, html } from '../server/html.ts';

/** The icons of `style/icons.svg`. */
export const ICONS = [
  'circle-alert',
  'download',
  'layers',
  'menu',
  'sailboat',
  'scroll-text',
  'server',
  'triangle-alert',
] as const;

type IconName = (typeof ICONS)[number];

/** An icon beside a word or a hidden text: screen readers skip it. */
export const icon = (name: IconName): Html =>
  html`<svg class="i" width="16" height="16" aria-hidden="true" focusable="false"><use href="${openAssets().url('icons.svg')}#${name}"/></svg>`;

const KINDS: Record<string, IconName> = { skill: 'scroll-text', server: 'server', harness: 'layers', rig: 'sailboat' };

/** What a listing is, as a tag. */
export function kindTag(listing_type: string): Html {
  const name = KINDS[listing_type];
  return html`<span class="tag kind">${name !== undefined && icon(name)}${listing_type}</span>`;
}

const PROVIDERS: Record<string, string> = {
  capstan: 'Ca',
  'mcp-registry': 'MR',
  smithery: 'Sm',
  glama: 'Gl',
  docker: 'Do',
  clawhub: 'Ch',
  'skills-sh': 'sk',
  'claude-plugins': 'CP',
  'gemini-extensions': 'Ge',
};

/** A provider as two letters, decoration beside its name. */
export const providerTile = (provider: string): Html =>
  html`<span class="prov" title="${provider === 'capstan' ? 'published here' : provider}" aria-hidden="true">${PROVIDERS[provider] ?? provider.slice(0, 2)}</span>`;
