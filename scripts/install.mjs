// Plain JavaScript for any Node from 18 on, without packages: it makes `npm start` and `npm test`
// work in a fresh clone. It installs the packages of package-lock.json when they are missing, then
// runs the command with the pinned Node.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE = join(
  ROOT,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
/**
 * Where Node keeps the compiled form of each module, types stripped, by the module's content: the
 * next start of a process loads that.
 */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'node-compile');
const LOCK = join(ROOT, '.installing');
const LOCK_POLL_MS = 500;
const QUIET = ['--loglevel=error', '--progress=false'];
const ORPHAN_POLL_MS = 250;
const MIN_MAJOR = 18;

/**
 * Installs what is missing, then runs `script` (TypeScript) with the pinned Node and ends with its
 * exit code.
 */
export async function handOver(script, args) {
  if (Number(process.versions.node.split('.')[0]) < MIN_MAJOR)
    fail(`Node ${MIN_MAJOR} or newer is needed to begin; this is ${process.version}.`);
  if (!isInstalled()) await underLock(install);
  const child = spawn(NODE, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
  });
  // Ctrl-C reaches the whole foreground group, so the child has received it too. The child stops
  // all its processes in order, and this process waits for it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  // A child that ends by Ctrl-C within a moment may get the second signal when its own handlers are
  // gone, and be killed by it: what it said about its end counts then.
  let ended = null;
  child.on('message', (message) => {
    if (typeof message?.ended === 'number') ended = message.ended;
    else process.send?.(message);
  });
  stopWhenOrphaned(child);
  child.on('error', (error) => fail(`${NODE} does not run: ${error.message}`));
  child.on('exit', (code) => {
    if (code !== null) process.exit(code);
    const end = () => process.exit(ended ?? 1);
    if (child.connected) child.once('disconnect', end);
    else end();
  });
}

/**
 * Stops the child when npm or the terminal above this process ends: a killed npm forwards no
 * signal, so the product would keep running unseen and block the next start.
 */
function stopWhenOrphaned(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = ancestors();
  setInterval(() => ancestors() !== before && child.kill('SIGTERM'), ORPHAN_POLL_MS).unref();
}

/**
 * Returns the process id of npm, and that of the shell between npm and this process where there is
 * one. Above npm nobody is watched: a terminal may end and leave npm running on purpose.
 */
function ancestors() {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8');
    const isShell = /^Name:\t(?:sh|dash|bash|ash|zsh|busybox)$/m.test(status);
    return `${process.ppid} ${isShell ? /^PPid:\t(\d+)$/m.exec(status)?.[1] : ''}`;
  } catch {
    return String(process.ppid);
  }
}

/**
 * Compares npm's own record of node_modules with the lock file, so that an `npm ci` by hand counts
 * as installed.
 */
function isInstalled() {
  const wanted = packagesOf(join(ROOT, 'package-lock.json'));
  const present = packagesOf(join(ROOT, 'node_modules', '.package-lock.json'));
  if (wanted === undefined) fail('package-lock.json is missing.');
  if (present === undefined || !existsSync(NODE)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    // Packages for other machines are in the lock file and are not installed here.
    if (present[path] === undefined)
      return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return present[path].version === entry.version;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * When two first starts run at once, one installs and the other waits. A lock whose process has
 * ended is taken over.
 */
async function underLock(work) {
  for (let told = false; ; told = true) {
    try {
      mkdirSync(LOCK);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned()) rmSync(LOCK, { recursive: true, force: true });
      else if (!told) console.log('Another start is installing the packages: waiting for it.');
      await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
    }
  }
  writeFileSync(join(LOCK, 'pid'), String(process.pid));
  const release = () => rmSync(LOCK, { recursive: true, force: true });
  process.once('exit', release);
  if (!isInstalled()) work();
  release();
  process.off('exit', release);
}

function isAbandoned() {
  try {
    process.kill(Number(readFileSync(join(LOCK, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    // Another start made the lock a moment ago and has not written its process id yet.
    if (error.code === 'ENOENT')
      return Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 10_000;
    return error.code === 'ESRCH';
  }
}

function install() {
  console.log('Installing packages (the first time takes about a minute)…');
  // Only one install script runs, whatever npm's version and policy: the one that installs the
  // pinned Node.
  npm(['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...QUIET]);
  npm(['rebuild', 'node', '--ignore-scripts=false', ...QUIET]);
  if (!existsSync(NODE)) fail('The pinned Node could not be installed (package "node").');
}

function npm(args) {
  // Under `npm start` npm sets its own path in a variable; otherwise npm is found by PATH.
  const own = process.env.npm_execpath;
  const [command, first] =
    own !== undefined && /npm-cli\.c?js$/.test(own) ? [process.execPath, [own]] : ['npm', []];
  const ran = spawnSync(command, [...first, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (ran.status !== 0)
    fail(
      `\`npm ${args[0]}\` failed${ran.error === undefined ? '' : `: ${ran.error.message}`}. ` +
        'Is the npm registry reachable?',
    );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
