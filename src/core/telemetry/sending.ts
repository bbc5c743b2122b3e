import { hostname } from 'node:os';
import type { Attributes } from '@opentelemetry/api';
import { defined } from '#core/defined.ts';
import type { Log } from '#core/log.ts';
import { SERVICE } from '#core/service.ts';
import { countLosses, type Losses } from './losses.ts';
import { type Collectors, collectorsOf, type TelemetryConfig } from './settings.ts';

/** Where this process sends spans and metrics, under which resource, and what was lost. */
export interface Sending {
  collectors: Collectors;
  /** The resource attributes. */
  resource: Attributes;
  losses: Losses;
}

export const sendingOf = (config: TelemetryConfig, log: Pick<Log, 'warn'>): Sending => ({
  collectors: collectorsOf(config),
  resource: resourceOf(config),
  losses: countLosses(log),
});

/** The instance id survives restarts if host and process id do. */
const resourceOf = ({ resource_attributes, service_name }: TelemetryConfig): Attributes => ({
  'service.name': SERVICE.name,
  'service.version': SERVICE.version,
  'service.instance.id': `${hostname()}:${process.pid}`,
  ...resource_attributes,
  ...defined({ 'service.name': service_name || undefined }),
});
