/** The former version of an upgrade: which commit it is, its files, and its build. */
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { run, runNode } from '../command.ts';
import { ROOT } from '../processes.ts';
import { Refused } from '../refused.ts';

const MIGRATIONS = 'prisma/migrations';
const PACKAGES = 'node_modules';
const LOCK_FILE = 'package-lock.json';
/** Caches of tools in node_modules: they may be written at any time. */
const CACHES = /^\.(?:cache|vite|vitest)/;

export type Commit = { id: string; title: string };

/**
 * The commit that `asked` names; otherwise the last one without the newest migration. A migration
 * that is not committed yet counts: then it is the present commit.
 */
export async function commitBefore(
  asked: string | undefined,
  signal: AbortSignal,
): Promise<Commit> {
  const git = (...args: string[]): Promise<string> => gitOutput(args, signal);
  const newest = async (): Promise<string> => {
    if ((await git('status', '--porcelain', '--', MIGRATIONS)) !== '') return 'HEAD';
    const added = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', MIGRATIONS);
    if (added === '') throw new Refused('The history here has no migration: name a --from COMMIT.');
    return `${added}^`;
  };
  const name = asked ?? (await newest());
  const id = await git('rev-parse', '--verify', '--end-of-options', `${name}^{commit}`);
  return { id, title: await git('log', '-1', '--format=%h %s', id) };
}

/**
 * Puts the files of a commit into the empty `folder`, with the installed packages of this clone:
 * as hard links, because the bundler refuses packages outside of the project.
 *
 * @throws Refused when the commit needs other packages
 */
export async function checkOut(id: string, folder: string, signal: AbortSignal): Promise<void> {
  const archive = join(folder, 'commit.tar');
  await gitOutput(['archive', '--format=tar', `--output=${archive}`, id], signal);
  await extract({ file: archive, cwd: folder });
  rmSync(archive);
  const missing = packagesMissing(folder);
  if (missing.length > 0)
    throw new Refused(
      `${id.slice(0, 8)} needs other packages than are installed here (${missing[0]}` +
        `${missing.length > 1 ? ` and ${missing.length - 1} more` : ''}): choose a later commit ` +
        'by --from.',
    );
  linkTree(join(ROOT, PACKAGES), join(folder, PACKAGES));
}

type Locked = Record<string, { version?: string; optional?: boolean; devOptional?: boolean }>;

/** The packages of the former version that are not installed here in the same version. */
function packagesMissing(folder: string): string[] {
  const read = (path: string): Locked =>
    (JSON.parse(readFileSync(path, 'utf8')) as { packages: Locked }).packages;
  const installed = read(join(ROOT, PACKAGES, '.package-lock.json'));
  return Object.entries(read(join(folder, LOCK_FILE)))
    .filter(([path, { version, optional, devOptional }]) => {
      const here = installed[path];
      // Packages for other machines are in the lock file and are not installed here.
      if (path === '' || (here === undefined && (optional ?? devOptional))) return false;
      return here?.version !== version;
    })
    .map(([path]) => path.slice(PACKAGES.length + 1));
}

/** Builds the web of the former version. Returns its BUILD_DIR. */
export async function buildFormer(folder: string, signal: AbortSignal): Promise<string> {
  const built = await runNode(['scripts/build.ts'], { cwd: folder, signal });
  const builds = join(folder, '.builds');
  const made = existsSync(builds)
    ? readdirSync(builds).find((name) => existsSync(join(builds, name, 'finished')))
    : undefined;
  if (built.code !== 0 || made === undefined)
    throw new Refused(`The former version could not be built:\n${built.output.slice(-3_000)}`);
  return `.builds/${made}`;
}

async function gitOutput(args: string[], signal: AbortSignal): Promise<string> {
  const { code, output } = await run('git', args, { signal });
  if (code !== 0) throw new Refused(`\`git ${args.join(' ')}\` failed: ${output.trim()}`);
  return output.trim();
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (CACHES.test(entry.name)) continue;
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkFile(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    // The temporary folder is on another file system, or has no links.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    copyFileSync(source, target);
  }
}
