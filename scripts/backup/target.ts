/** Where backups are kept, with which key, and which server they are made of. */
import { join } from 'node:path';
import { lockHolder } from '../lock.ts';
import { SUPERUSER } from '../postgres.ts';
import { Refused } from '../refused.ts';
import { secretsOf } from '../secrets.ts';
import type { Settings } from '../settings.ts';

export type BackupPlace = {
  folder: string;
  /** Where the write-ahead log is kept. */
  walFolder: string;
  secret: string;
};

/**
 * BACKUP_DIR and BACKUP_KEY. The demo has a key of its own beside its data; with real providers the
 * key must be given, because a key that is lost with the machine opens no backup.
 *
 * @throws Refused without a key
 */
export function backupPlace(source: NodeJS.ProcessEnv, settings: Settings): BackupPlace {
  const folder = source['BACKUP_DIR'] || join(settings.dataDir, 'backups');
  const secret =
    source['BACKUP_KEY'] || (settings.sandbox ? secretsOf(settings.dataDir).BACKUP_KEY : '');
  if (secret.length < 32)
    throw new Refused(
      'Set BACKUP_KEY to 32 random bytes, for example of `openssl rand -base64 32`, and keep it ' +
        'apart from the backups and from this machine.',
    );
  return { folder, walFolder: join(folder, 'wal'), secret };
}

/**
 * The address for a backup: BACKUP_DATABASE_URL, or the superuser of the embedded database that runs
 * on DATA_DIR.
 *
 * @throws Refused when neither is there
 */
export function backupUrl(source: NodeJS.ProcessEnv, settings: Settings): string {
  const given = source['BACKUP_DATABASE_URL'];
  if (given) return given;
  const { databaseUrl } = lockHolder(settings.dataDir);
  if (settings.databaseUrl !== undefined || typeof databaseUrl !== 'string')
    throw new Refused(
      'No database to back up: set BACKUP_DATABASE_URL to a role with REPLICATION, or start the ' +
        'dashboard on this DATA_DIR first (npm start).',
    );
  const address = new URL(databaseUrl);
  [address.username, address.pathname] = [SUPERUSER, '/postgres'];
  return address.href;
}
