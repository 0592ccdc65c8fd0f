/** Finds the programs of the cluster, which come from Debian's packages and not from npm. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Refused } from '../refused.ts';

const POSTGRES_HOME = '/usr/lib/postgresql';
const MIN_POSTGRES = 15;
/** Debian's programs of administrators are not in everybody's PATH. */
const MORE_PLACES = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'];
const PACKAGES = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  setpriv: 'util-linux',
} as const;

/** The path of each program. `postgres`: the folder that contains initdb and postgres. */
export type Programs = Record<keyof typeof PACKAGES | 'postgres', string>;

/**
 * Returns where the programs are; installs what is missing when root asks and apt-get is there.
 *
 * @throws Refused with the line that installs what is missing
 */
export function findPrograms(say: (line: string) => void): Programs {
  const missing = missingPackages();
  if (missing.length > 0) install(missing, say);
  const found = look();
  const left = missingPackages();
  if (left.length > 0) throw new Refused(`The cluster needs more programs: ${lineFor(left)}`);
  return found as Programs;
}

/** The Debian packages of the programs that this machine lacks. */
export function missingPackages(): string[] {
  const found = look();
  return [
    ...Object.entries(PACKAGES).flatMap(([program, name]) =>
      found[program as keyof Programs] === undefined ? [name] : [],
    ),
    ...(found.postgres === undefined ? ['postgresql'] : []),
  ];
}

function look(): Partial<Programs> {
  const names = Object.keys(PACKAGES) as (keyof typeof PACKAGES)[];
  const found = names.map((name) => [name, which(name)] as const);
  return Object.fromEntries([...found, ['postgres', postgresFolder()]]) as Partial<Programs>;
}

function which(program: string): string | undefined {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), ...MORE_PLACES];
  return places
    .filter((place) => place !== '')
    .map((place) => join(place, program))
    .find(isProgram);
}

function postgresFolder(): string | undefined {
  if (!existsSync(POSTGRES_HOME)) return undefined;
  const version = readdirSync(POSTGRES_HOME)
    .map(Number)
    .filter((one) => one >= MIN_POSTGRES)
    .toSorted((a, b) => b - a)
    .find((one) => isProgram(join(POSTGRES_HOME, String(one), 'bin', 'initdb')));
  return version === undefined ? undefined : join(POSTGRES_HOME, String(version), 'bin');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(packages: readonly string[], say: (line: string) => void): void {
  if (process.getuid?.() !== 0 || which('apt-get') === undefined)
    throw new Refused(`The cluster needs more programs: ${lineFor(packages)}`);
  say(`programs    ${lineFor(packages)}`);
  // Debian starts a service of each package; the cluster runs its own, and those could be in use.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const args = ['install', '--yes', '--no-install-recommends', ...packages];
  const made = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  if (made.status !== 0)
    throw new Refused(`${lineFor(packages)} failed: ${made.stderr.trim().slice(-500)}`);
}

function lineFor(packages: readonly string[]): string {
  return `apt-get install ${packages.join(' ')}`;
}
