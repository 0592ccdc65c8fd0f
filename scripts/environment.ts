/**
 * Makes the environment of each process of the stack. A variable that the person has set always
 * wins.
 */
import { fetchJson } from './health.ts';
import { Refused } from './refused.ts';
import type { Environment } from './processes.ts';
import { secretsOf } from './secrets.ts';
import type { Settings } from './settings.ts';

/**
 * The machine's variables that a program needs to run. The sandbox gets these and its own
 * variables, and none of the product's.
 */
const MACHINE = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'SystemRoot',
  'LOG_LEVEL',
  'NODE_COMPILE_CACHE',
];

/**
 * Matches the product's variables. Tests start without any of them, whatever the developer's
 * terminal has set.
 */
const OURS = new RegExp(
  '^(PORT|HOST|APP_ORIGIN|SANDBOX(_.*)?|DATABASE_(DIRECT_)?URL|DATA_DIR|AUTH_SECRET|DATA_KEY|BACKUP_.*' +
    '|(LOGIN|CARD|WALLET)_.*|WEBHOOK_KEY|RESEND_QUIET_SECONDS|MANUAL_REVIEW_SECONDS|AUTO_RESEND' +
    '|METRICS_PORT|OTEL_.*|TZ_WORKSPACE|SMTP_URL|MAIL_FROM|LOG_LEVEL|NODE_ENV|NEXTAUTH_.*|BUILD_DIR)$',
);

export function forgetOurVariables(): void {
  for (const name of Object.keys(process.env)) if (OURS.test(name)) delete process.env[name];
}

type Credentials = {
  card: { app_id: string; app_secret: string; merchant_key: string };
  wallet: { client_id: string; client_secret: string; scope: string };
};

/**
 * Makes the environment of web and worker, before the database's address and the sandbox's
 * credentials are known. Empty variables are left out.
 */
export function baseEnvironment(settings: Settings, extra: Environment): Environment {
  const given = Object.fromEntries(
    Object.entries({ ...process.env, ...extra }).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  );
  // Only the demo makes its own secrets: with real providers a missing one must stop the boot.
  const secrets = settings.sandbox ? secretsOf(settings.dataDir) : undefined;
  return {
    ...(secrets === undefined
      ? {}
      : {
          AUTH_SECRET: secrets.AUTH_SECRET,
          DATA_KEY: secrets.DATA_KEY,
          WEBHOOK_KEY: secrets.WEBHOOK_KEY,
        }),
    ...given,
    DATA_DIR: settings.dataDir,
    HOST: settings.host,
    SANDBOX: settings.sandbox ? 'on' : 'off',
    SANDBOX_PORT: String(settings.sandboxPort),
    NEXT_TELEMETRY_DISABLED: '1',
  };
}

export function sandboxEnvironment(
  settings: Settings,
  dashboardOrigin: string,
  webhookKey: string,
): Environment {
  const machine = Object.fromEntries(
    MACHINE.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined),
  );
  return {
    ...machine,
    HOST: settings.host,
    SANDBOX_PORT: String(settings.sandboxPort),
    DATA_DIR: settings.dataDir,
    SANDBOX_NOTIFY_URL: `${dashboardOrigin}/api/webhooks/${webhookKey}`,
  };
}

/**
 * Returns the addresses and credentials of the sandbox's demo merchant, under the variables of a
 * real provider.
 */
export async function providerEnvironment(sandboxUrl: string): Promise<Environment> {
  const { card, wallet } = await fetchJson<Credentials>(`${sandboxUrl}/sandbox/credentials`);
  if (card?.merchant_key === undefined || wallet?.client_id === undefined)
    throw new Refused(`${sandboxUrl}/sandbox/credentials did not name the demo merchant.`);
  return {
    LOGIN_BASE_URL: `${sandboxUrl}/login`,
    CARD_BASE_URL: `${sandboxUrl}/card`,
    CARD_APP_ID: card.app_id,
    CARD_APP_SECRET: card.app_secret,
    CARD_MERCHANT_KEY: card.merchant_key,
    WALLET_AUTH_URL: `${sandboxUrl}/wallet/auth`,
    WALLET_API_URL: `${sandboxUrl}/wallet/api`,
    WALLET_CLIENT_ID: wallet.client_id,
    WALLET_CLIENT_SECRET: wallet.client_secret,
    WALLET_SCOPE: wallet.scope,
  };
}
