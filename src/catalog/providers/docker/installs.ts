import type { Install } from '#catalog/items/item.ts';
import { MAX, text, url } from '#catalog/sync/adapt-fields.ts';
import {
  type InstallInput,
  type InstallPackage,
  type InstallRemote,
  install,
  installInput,
} from '#catalog/sync/install.ts';
import type { Runnable } from './wire.ts';

/** An image, an address, or (for the tools that are one container each) nothing. */
export const installOf = (it: Runnable): Install | null => install(packageOf(it), remoteOf(it));

const packageOf = (it: Runnable): InstallPackage[] => {
  const image = text(it.image, MAX.url);
  if (image === '') return [];
  return [
    {
      registry_type: 'oci',
      identifier: image,
      version: digestOf(image),
      runtime_hint: 'docker',
      transport: 'stdio',
      runtime_arguments: [],
      package_arguments: (it.command ?? []).map((value) => installInput('', { value: String(value) })),
      env: environmentOf(it),
    },
  ];
};

const remoteOf = (it: Runnable): InstallRemote[] => {
  const address = url(it.remote?.url);
  if (address === '') return [];
  const headers = Object.entries(it.remote?.headers ?? {}).map(([name, value]) =>
    // They write `${NAME}` where our form, and the MCP Registry's, is `{NAME}`.
    installInput(name, {
      value: String(value).replace(/\$\{/g, '{'),
      required: true,
      secret: /\$\{/.test(String(value)),
    }),
  );
  const transport = text(it.remote?.transport_type, MAX.name) || 'streamable-http';
  return [{ transport, url: address, headers, variables: secretsOf(it) }];
};

const environmentOf = (it: Runnable): InstallInput[] => [
  ...secretsOf(it),
  ...(it.env ?? []).map(({ name, value }) => installInput(name, { value: String(value ?? '') })),
];

const secretsOf = (it: Runnable): InstallInput[] =>
  (it.secrets ?? []).map((secret) => installInput(secret.env ?? secret.name, { required: true, secret: true }));

/** `sha256:` and the first 12 of its digits, or '' for an image without a digest. */
export const digestOf = (image: string | null | undefined): string =>
  /@(sha256:[0-9a-f]{12})[0-9a-f]{52}$/.exec(image ?? '')?.[1] ?? '';
