import type { ResourceLink } from '#core/tools/tool.ts';

/** A resource link in the protocol's format. */
export const linkOf = ({ uri, name, description, media_type }: ResourceLink) => ({
  uri,
  name,
  ...(description === undefined ? {} : { description }),
  ...(media_type === undefined ? {} : { mimeType: media_type }),
});
