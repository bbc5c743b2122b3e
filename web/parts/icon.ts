import { openAssets } from '../server/assets.ts';
import { type Html, html } from '../server/html.ts';

/** The icons of `style/icons.svg`. */
export const ICONS = [
  'badge-check',
  'braces',
  'check',
  'chevron-down',
  'chevron-right',
  'circle-alert',
  'circle-check',
  'circle-dashed',
  'circle-play',
  'circle-x',
  'clock',
  'copy',
  'cpu',
  'download',
  'ellipsis',
  'external-link',
  'eye',
  'file-code',
  'file-text',
  'folder',
  'git-compare',
  'globe',
  'hand',
  'history',
  'inbox',
  'key-round',
  'layers',
  'layout-dashboard',
  'list-checks',
  'loader-circle',
  'log-in',
  'menu',
  'minus',
  'monitor',
  'package',
  'package-check',
  'play',
  'plug',
  'plus',
  'receipt',
  'repeat',
  'rotate-cw',
  'sailboat',
  'scale',
  'scroll-text',
  'search',
  'server',
  'settings-2',
  'share-2',
  'shield-check',
  'sun-moon',
  'terminal',
  'triangle-alert',
  'upload',
  'wifi-off',
  'wrench',
] as const;

export type IconName = (typeof ICONS)[number];

/** An icon beside a word or a hidden text: screen readers skip it. */
export const icon = (name: IconName): Html =>
  html`<svg class="i" width="16" height="16" aria-hidden="true" focusable="false"><use href="${openAssets().url('icons.svg')}#${name}"/></svg>`;

const KINDS: Record<string, IconName> = { skill: 'scroll-text', server: 'server', harness: 'layers', rig: 'sailboat' };

/** The icon of a kind of listing; null if the kind has none. */
export function kindIcon(listing_type: string): Html | null {
  const name = KINDS[listing_type];
  return name === undefined ? null : icon(name);
}

/** What a listing is, as a tag. */
export const kindTag = (listing_type: string): Html =>
  html`<span class="tag kind">${kindIcon(listing_type)}${listing_type}</span>`;

const PROVIDERS: Record<string, readonly [letters: string, name: string]> = {
  capstan: ['Ca', 'Published here'],
  'mcp-registry': ['MR', 'MCP Registry'],
  smithery: ['Sm', 'Smithery'],
  glama: ['Gl', 'Glama'],
  docker: ['Do', 'Docker MCP Catalog'],
  clawhub: ['Ch', 'ClawHub'],
  'skills-sh': ['sk', 'skills.sh'],
  'claude-plugins': ['CP', 'Claude plugins'],
  'gemini-extensions': ['Ge', 'Gemini extensions'],
};

/** This service first, then in the order of their names in lists. */
export const PROVIDER_IDS: readonly string[] = Object.keys(PROVIDERS);

export const providerName = (provider: string): string => PROVIDERS[provider]?.[1] ?? provider;

/** A provider as two letters, decoration beside its name. */
export const providerTile = (provider: string): Html =>
  html`<span class="prov" title="${providerName(provider)}" aria-hidden="true">${PROVIDERS[provider]?.[0] ?? provider.slice(0, 2)}</span>`;
