/**
 * `node scripts/complete-lock.ts`, run after every change of package-lock.json. A registry that
 * lacks the packages of other machines makes npm leave them out of the lock file, and then `npm ci`
 * refuses the lock file as out of step. This script adds them: their names contain all that npm
 * needs (version, system, processor, C library).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.ts';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
];

type Entry = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
} & Record<string, unknown>;
type LockFile = { packages: Record<string, Entry> };

/** Returns the missing entries by path; empty when the lock file is complete. */
export function missingEntries(lock: LockFile): Record<string, Entry> {
  const missing: Record<string, Entry> = {};
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      // The version for a range is unknown; packages for one machine are required by exact version.
      if (lock.packages[path] !== undefined || !/^\d/.test(version)) continue;
      missing[path] = {
        version,
        ...machineOf(name),
        ...(entry.dev === true ? { dev: true } : {}),
        optional: true,
      };
    }
  }
  return missing;
}

export function readLockFile(): LockFile {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
}

function machineOf(name: string): Record<string, string[]> {
  const words = name.split(/[-/_.]/);
  const system = SYSTEMS.find((one) => words.includes(one));
  const processor = PROCESSORS.find((one) => words.includes(one));
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
  return {
    ...(processor === undefined ? {} : { cpu: [processor] }),
    ...(system === 'linux' ? { libc: [libc] } : {}),
    ...(system === undefined ? {} : { os: [system] }),
  };
}

if (import.meta.main) {
  const lock = readLockFile();
  const missing = missingEntries(lock);
  const [root, ...others] = Object.entries({ ...lock.packages, ...missing });
  const packages = Object.fromEntries([
    root!,
    ...others.toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  ]);
  writeFileSync(
    join(ROOT, 'package-lock.json'),
    `${JSON.stringify({ ...lock, packages }, null, 2)}\n`,
  );
  console.log(`${Object.keys(missing).length} packages of other machines added.`);
}
