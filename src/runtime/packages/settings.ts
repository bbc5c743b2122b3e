import { address, duration, integer, optional, type Setting, text } from '#core/config/config.ts';

/** Passwords belong in files: an address is shown in logs, in locks and on command lines. */
function withoutPassword(setting: Setting<string | null>, file: string): Setting<string | null> {
  return {
    ...setting,
    parse: (value) => {
      const { username = '', password = '' } = URL.parse(value) ?? {};
      if (username !== '' || password !== '') throw new Error(`must not contain a password; use ${file}`);
      return setting.parse(value);
    },
  };
}

export const PACKAGES_SETTINGS = {
  npm_registry: withoutPassword(
    address('CAPSTAN_NPM_REGISTRY', {
      description:
        'The npm registry that packages come from, with a host name. Without one, npm packages cannot be run.',
    }),
    'CAPSTAN_NPMRC',
  ),
  npmrc: optional('CAPSTAN_NPMRC', {
    description:
      'An .npmrc file with the registries of scopes (`@scope:registry`) and the tokens and passwords of registries. Other lines are not used.',
  }),
  pypi_index: withoutPassword(
    address('CAPSTAN_PYPI_INDEX', {
      description: 'The Python package index (`…/simple`) that packages come from. Without one, they cannot be run.',
    }),
    'CAPSTAN_PYPI_NETRC',
  ),
  pypi_netrc: optional('CAPSTAN_PYPI_NETRC', {
    description: 'A netrc file with the user and the password of the host of that index. Other entries are not used.',
  }),
  registry_aliases: text('CAPSTAN_PACKAGE_REGISTRY_ALIASES', '', {
    description: 'Registry addresses in listings, as a comma list, for which the configured registries are used.',
  }),
  npm_cli: optional('CAPSTAN_NPM_CLI', {
    description: 'The folder of the npm CLI. Default: the npm of the service’s Node, otherwise a pinned download.',
  }),
  python: optional('CAPSTAN_PYTHON', {
    description: 'The python3 that installs and runs Python packages; it needs pip. Default: the Python of the system.',
  }),
  oci_registries: text('CAPSTAN_OCI_REGISTRIES', '', {
    description:
      'Registries that container images may come from, as a comma list of hosts, or `host=https://mirror` for another address. Without one, images cannot be run.',
  }),
  oci_auth: optional('CAPSTAN_OCI_AUTH', {
    description: 'A Docker config.json with the passwords of these registries (`auths`; no credential helpers).',
  }),
  oci_token_servers: text('CAPSTAN_OCI_TOKEN_SERVERS', '', {
    description:
      'Hosts that get these passwords over TLS, as a comma list, where a registry has its token server elsewhere, such as gitlab.com for registry.gitlab.com. Its own host, subdomains of it and Docker’s are always allowed.',
  }),
  package_file_hosts: text('CAPSTAN_PACKAGE_FILE_HOSTS', '', {
    description:
      'Hosts where the npm and Python registries keep files that they redirect to, as a comma list of `host`, `host:port` or `*.host`. They are sent no credentials. Other redirects are refused.',
  }),
  registry_ca: optional('CAPSTAN_PACKAGE_CA', {
    description: 'A PEM file with the certificate authorities of the registries, beside the usual ones.',
  }),
  package_min_age_ms: duration('CAPSTAN_PACKAGE_MIN_AGE', '3d', 0, {
    description: 'How long a release must have been in its registry, dependencies included; 0s turns the check off.',
  }),
  package_timeout_ms: duration('CAPSTAN_PACKAGE_TIMEOUT', '120s', 1_000, {
    description: 'Time limit for installing a package.',
  }),
  package_max_mb: integer('CAPSTAN_PACKAGE_MAX_MB', 1_024, 1, 65_536, {
    description: 'Disk limit for installing a package in MiB.',
  }),
  package_max_files: integer('CAPSTAN_PACKAGE_MAX_FILES', 200_000, 100, 5_000_000, {
    description: 'Maximum number of files and folders that installing a package may create.',
  }),
  package_scripts: text('CAPSTAN_PACKAGE_SCRIPTS', '', {
    description: 'npm packages whose install scripts may run in the install box, as a comma list of names.',
  }),
  package_store_mb: integer('CAPSTAN_PACKAGE_STORE_MB', 8_192, 64, 1_048_576, {
    description: 'How much of DATA_DIR/packages prepared packages may take, in MiB; least recently used ones go first.',
  }),
} as const;
