import 'server-only';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { env } from '#lib/runtime/env.ts';
import { merchantId } from '#lib/access/merchant.ts';
import type { BeginPorts } from '#lib/movements/begin.ts';
import { keepCheckpoint } from '#lib/send-control/recovery/keep-checkpoint.ts';
import { openSendJournal } from '#lib/begin-check/send-journal.ts';
import { environmentOf, gatewayOf } from '#lib/begin-check/provider-account.ts';

/**
 * The ports with which a web process begins its card charges. Its checkpoint is in a folder of its
 * own, because the web may share no volume with a worker. The checkpoint proves that the database
 * still holds everything this folder has seen of it, and is on disk before each charge is sent.
 */
let ports: BeginPorts | undefined;

export function beginHere(): BeginPorts {
  ports ??= makePorts();
  return ports;
}

function makePorts(): BeginPorts {
  const merchant = merchantId();
  const writer = `web-${randomUUID()}`;
  const folder = join(env().dataDir, 'marks', merchant, 'web');
  const keeper = keepCheckpoint({
    merchantId: merchant,
    worker: writer,
    folder,
    quietMs: env().resendQuietSeconds * 1_000,
    isWorker: false,
  });
  const identity = { environment: environmentOf(env()), gateway: gatewayOf(env()), sender: null };
  return {
    mark: keeper.known,
    identity: () => identity,
    async checkpointWritten() {
      // `look` compares the database with the folder's checkpoints, before the first charge and
      // again while this process's own checkpoint cannot be written. The comparison may begin a
      // recovery.
      if (keeper.known() !== null && (await keeper.written())) return true;
      await keeper.look();
      return keeper.known() !== null;
    },
    journal: openSendJournal({ folder: join(env().dataDir, 'sends', merchant), writer }),
  };
}
