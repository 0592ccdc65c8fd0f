import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
const NAMES = [
  'AUTH_SECRET',
  'DATA_KEY',
  'WEBHOOK_KEY',
  'DATABASE_PASSWORD',
  'BACKUP_KEY',
] as const;

export type Secrets = Record<(typeof NAMES)[number], string>;

/**
 * Returns the secrets of a data folder. They are made once and kept in `secrets.json`, which only
 * its owner can read; each is 32 random bytes in base64url. They belong to the data: without
 * DATA_KEY the sealed columns cannot be read.
 */
export function secretsOf(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const known = read(file);
  if (known !== undefined && NAMES.every((name) => known[name] !== undefined))
    return known as Secrets;
  const made = Object.fromEntries(
    NAMES.map((name) => [name, known?.[name] ?? randomBytes(KEY_BYTES).toString('base64url')]),
  );
  // The file is written as a whole or not at all, so that a start that is killed here leaves no
  // partial secrets.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return made as Secrets;
}

function read(file: string): Partial<Secrets> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return JSON.parse(text) as Partial<Secrets>;
}
