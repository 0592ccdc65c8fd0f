/**
 * Makes the generated database client and the production build, each only when its sources changed.
 * A build has a folder of its own, named by a hash of its sources, so that tests can build the
 * present sources while a running dashboard keeps its own build. `node scripts/build.ts` makes
 * both.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { rowTypes } from '#prisma/rows.ts';
import { runNode } from './command.ts';
import { precompress } from './precompress.ts';
import { ROOT } from './processes.ts';
import { printError, Refused } from './refused.ts';
import { inTurn, stampOf } from './stamp.ts';

const BUILDS = '.builds';
const GENERATED = join(ROOT, 'lib', 'generated');
const SCHEMA = 'prisma/schema.prisma';
const SOURCES = ['app', 'components', 'lib', 'messages', 'public', SCHEMA];
const SETTINGS = [
  'next.config.mjs',
  'postcss.config.mjs',
  'proxy.ts',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const BUILDS_KEPT = 2;
/**
 * The names of the build folders. A folder of another name was not made by this script and is not
 * removed.
 */
const STAMP = /^[0-9a-f]{16}$/;

export type Build = {
  /** For the variable BUILD_DIR of the web, relative to the project. */
  dir: string;
  /** The seconds that the build took; undefined when it existed already. */
  seconds: number | undefined;
  /** Releases the build: this process no longer serves it. */
  release(): void;
};

/**
 * Generates the database client and the row types when the schema changed.
 *
 * @returns whether it generated them
 */
export async function ensureGenerated(signal?: AbortSignal): Promise<boolean> {
  const stampFile = join(GENERATED, '.stamp');
  const stamp = stampOf([SCHEMA, 'prisma/rows.ts', 'node_modules/prisma/package.json']);
  const isCurrent = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (isCurrent()) return false;
  return inTurn(join(ROOT, BUILDS), 'generate', signal, async () => {
    if (isCurrent()) return false;
    // The client needs no native engine, but the command insists on one and would download it: any
    // existing file will do.
    const env = {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    };
    const made = await runNode(['node_modules/prisma/build/index.js', 'generate'], { env, signal });
    if (made.code !== 0) throw new Refused(`\`prisma generate\` failed:\n${made.output}`);
    writeFileSync(join(GENERATED, 'rows.ts'), rowTypes(readFileSync(join(ROOT, SCHEMA), 'utf8')));
    writeFileSync(stampFile, stamp);
    return true;
  });
}

/**
 * Builds the dashboard when no build of the present sources exists, and marks the build as served
 * by this process.
 */
export async function ensureBuild(signal?: AbortSignal): Promise<Build> {
  const stamp = stampOf(
    [...SOURCES, ...SETTINGS],
    (path) => path.startsWith('lib/generated/') || /\.test\.tsx?$/.test(path),
  );
  const dir = `${BUILDS}/${stamp}`;
  return inTurn(join(ROOT, BUILDS), 'build', signal, async () => {
    let seconds: number | undefined;
    const finished = join(ROOT, dir, 'finished');
    if (!existsSync(finished)) {
      const start = Date.now();
      await build(dir, signal);
      seconds = Math.round((Date.now() - start) / 1000);
      writeFileSync(finished, '');
    }
    const lease = join(ROOT, dir, 'served-by');
    mkdirSync(lease, { recursive: true });
    const mine = join(lease, String(process.pid));
    writeFileSync(mine, '');
    removeOldBuilds(stamp);
    return { dir, seconds, release: () => rmSync(mine, { force: true }) };
  });
}

async function build(dir: string, signal: AbortSignal | undefined): Promise<void> {
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    BUILD_DIR: dir,
    NEXT_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
  };
  const built = await runNode(['node_modules/next/dist/bin/next', 'build'], { env, signal });
  if (built.code !== 0) throw new Refused(`The build failed:\n${built.output}`);
  await precompress(join(ROOT, dir));
}

function removeOldBuilds(current: string): void {
  const folder = join(ROOT, BUILDS);
  const finishedAt = (name: string) => readMtime(join(folder, name, 'finished'));
  const others = readdirSync(folder, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() &&
        STAMP.test(entry.name) &&
        entry.name !== current &&
        !isServed(join(folder, entry.name)),
    )
    .map((entry) => entry.name)
    .toSorted((a, b) => finishedAt(b) - finishedAt(a));
  for (const name of others.slice(BUILDS_KEPT - 1))
    rmSync(join(folder, name), { recursive: true, force: true });
}

function readMtime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isServed(folder: string): boolean {
  const lease = join(folder, 'served-by');
  return existsSync(lease) && readdirSync(lease).some((pid) => isAlive(Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

if (import.meta.main) {
  try {
    await ensureGenerated();
    const made = await ensureBuild();
    made.release();
    console.log(
      made.seconds === undefined
        ? `${made.dir} is up to date.`
        : `Built ${made.dir} in ${made.seconds} s.`,
    );
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
}
