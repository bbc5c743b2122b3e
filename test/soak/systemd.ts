import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, read } from '../house/tree.ts';

/**
 * `npm run soak -- systemd` starts a real systemd in namespaces, as root, and the service in it with deploy/capstan.service. The doctor
 * runs with the same options and must block every attack, and with options that the unit leaves out, which must stop packages.
 */

const UNIT = 'deploy/capstan.service';
const systemd = '/lib/systemd/systemd';
if (process.getuid?.() !== 0 || !existsSync(systemd)) {
  console.log('skipped: needs root, and systemd as a package');
  process.exit(0);
}
const verified = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' });
assert.deepEqual([verified.status, verified.stdout + verified.stderr], [0, '']);
const security = execFileSync('systemd-analyze', ['security', '--offline=true', UNIT], { encoding: 'utf8' });
console.log(`ok  systemd-analyze verify; ${security.trim().split('\n').at(-1)}`);

/** In /var, because /tmp is new for systemd. */
const dir = mkdtempSync('/var/tmp/capstan-systemd-');
const out = (name: string): string => readFileSync(join(dir, 'out', name), 'utf8');
for (const name of ['units', 'out', 'root']) mkdirSync(join(dir, name));
const unit = (name: string, text: string): void => writeFileSync(join(dir, 'units', name), text);

/** The doctor instead of the service, with the same user and options. */
function doctor(name: string, more: string): string {
  const [text = ''] = read(UNIT).split('[Install]');
  const once = `Type=oneshot\nUser=capstan\nSuccessExitStatus=1\nStandardOutput=file:/out/${name}.json`;
  return text
    .replace(/^ExecStart=.*$/m, 'ExecStart=/usr/bin/node capstand.mjs doctor --json')
    .replace(/^Type=exec$/m, once)
    .replace(/^Restart.*\n/gm, '')
    .concat(more);
}
const VARIANTS: Record<string, string> = {
  unit: '',
  namespaces: 'RestrictNamespaces=yes\n',
  mount: 'SystemCallFilter=~@mount\n',
};
unit('capstan.service', read(UNIT));
for (const [name, more] of Object.entries(VARIANTS)) unit(`doctor-${name}.service`, doctor(name, more));
const names = Object.keys(VARIANTS).map((name) => `doctor-${name}.service`);
const steps = [
  'systemctl start capstan',
  'for i in $(seq 120); do curl -fsS http://127.0.0.1:8080/readyz >/out/ready && break; sleep 1; done',
  ...names.map((name) => `systemctl start ${name}`),
  'systemctl stop capstan',
  'systemctl show capstan -p Result -p NRestarts -p ExecMainStatus -p ActiveState >/out/stopped',
  'journalctl --no-pager >/out/journal',
];
unit(
  'report.service',
  '[Service]\nType=oneshot\nExecStart=/bin/sh /etc/systemd/system/report.sh\nExecStopPost=systemctl exit 0\n',
);
unit('report.sh', `${steps.join('\n')}\n`);
unit('soak.target', '[Unit]\nWants=report.service\n');
spawnSync('bash', ['test/soak/systemd/boot.sh', ROOT, dir], {
  stdio: ['ignore', 'inherit', 'inherit'],
  timeout: 300_000,
});
for (const mount of ['', 'systemd/', 'unified/']) {
  const group = `/sys/fs/cgroup/${mount}capstan-soak`;
  if (existsSync(group)) spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
}

function packages(name: string): { level: string; seen: string } {
  type Checks = { name: string; findings: { level: string; seen: string }[] }[];
  const { checks } = JSON.parse(out(`${name}.json`)) as { checks: Checks };
  return checks.find((check) => check.name === 'packages')?.findings[0] ?? assert.fail(`${name}: no packages`);
}
assert.match(out('ready'), /ok|ready/);
assert.match(out('stopped'), /^Result=success$/m);
console.log('ok  the service starts, answers and stops');
const held = packages('unit');
assert.deepEqual([held.level, /^(\d+) of \1 attacks were blocked/.test(held.seen)], ['ok', true], held.seen);
console.log(`ok  under the unit: ${held.seen}`);
for (const name of Object.keys(VARIANTS).slice(1)) {
  const { level, seen } = packages(name);
  assert.notEqual(level, 'ok', `${name}: ${seen}`);
  console.log(`ok  with ${VARIANTS[name]?.trim()}: ${seen}`);
}
rmSync(dir, { recursive: true });
