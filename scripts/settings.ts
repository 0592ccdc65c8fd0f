import { resolve } from 'node:path';
import { ROOT } from './processes.ts';
import { Refused } from './refused.ts';

const MAX_PORT = 65_535;

export type Settings = {
  host: string;
  port: number;
  sandboxPort: number;
  sandbox: boolean;
  dataDir: string;
  /** The address of a PostgreSQL that is used instead of the embedded one. */
  databaseUrl: string | undefined;
};

/**
 * Reads the settings that the start itself needs from the environment; the started processes check
 * the whole environment themselves. An empty variable counts as not set.
 *
 * @throws Refused with one line that names the variable
 */
export function readSettings(source: NodeJS.ProcessEnv): Settings {
  const given = (name: string) => (source[name] === '' ? undefined : source[name]);
  const sandbox =
    given('SANDBOX') ??
    ((given('LOGIN_BASE_URL') ?? given('CARD_BASE_URL') ?? given('WALLET_API_URL')) ? 'off' : 'on');
  if (sandbox !== 'on' && sandbox !== 'off')
    throw new Refused(`SANDBOX is "${sandbox}": it is on or off.`);
  return {
    host: given('HOST') ?? '127.0.0.1',
    port: readPort('PORT', given('PORT') ?? '3000'),
    sandboxPort: readPort('SANDBOX_PORT', given('SANDBOX_PORT') ?? '4010'),
    sandbox: sandbox === 'on',
    dataDir: resolve(ROOT, given('DATA_DIR') ?? '.data'),
    databaseUrl: readDatabaseUrl(given('DATABASE_URL')),
  };
}

/** Returns the address by which this machine reaches a server that listens on `host`. */
export function localOrigin(host: string, port: number): string {
  const name =
    host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function readPort(name: string, text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT)
    throw new Refused(`${name} is "${text}": it is a number from 1 to ${MAX_PORT}.`);
  return port;
}

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text !== undefined && !/^postgres(ql)?:\/\//.test(text))
    throw new Refused('DATABASE_URL must begin with postgresql://.');
  return text;
}
