import type { Static } from 'typebox';
import { maybe } from '#catalog/sync/wire-types.ts';
import { Type } from '#core/json-schema/type.ts';

/** The gallery as the Gemini CLI reads it: an array of extensions. Unknown members are ignored. */

export const GeminiGallery = Type.Array(Type.Unknown());

export const GeminiExtension = Type.Object({
  /** `owner/repo`, the only stable id. */
  fullName: Type.String({ pattern: '^[^/\\s]+/[^/\\s]+$' }),
  url: maybe(Type.String()),
  extensionName: maybe(Type.String()),
  extensionVersion: maybe(Type.String()),
  extensionDescription: maybe(Type.String()),
  repoDescription: maybe(Type.String()),
  stars: maybe(Type.Number()),
  lastUpdated: maybe(Type.String()),
  licenseKey: maybe(Type.String()),
  hasMCP: maybe(Type.Boolean()),
  hasContext: maybe(Type.Boolean()),
  hasHooks: maybe(Type.Boolean()),
  hasSkills: maybe(Type.Boolean()),
  hasCustomCommands: maybe(Type.Boolean()),
});
export type GeminiExtension = Static<typeof GeminiExtension>;
