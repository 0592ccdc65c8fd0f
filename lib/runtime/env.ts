import 'server-only';
import * as z from 'zod';
import { isGuessable } from './secrets.ts';
import { webhookKeys } from './webhook-keys.ts';

const LOCAL = 'http://127.0.0.1';
const MIN_SECRET_CHARACTERS = 32;
const TIMER_MAX_MS = 2 ** 31 - 1;
const MIN_LIVE_QUIET_SECONDS = 1800;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const port = z.coerce.number().int().min(1).max(65535);
const secret = z
  .string()
  .min(MIN_SECRET_CHARACTERS, `needs at least ${MIN_SECRET_CHARACTERS} characters`);
/**
 * One secret, or several during a key rotation: the new one first, then the old ones, separated by
 * commas.
 */
const secrets = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(secret));
const hookPair = z.tuple([z.enum(['sale', 'recurring', 'refund', 'cashout_reverse']), z.string()]);
/**
 * Webhook key names from the gateway's panel: `sale=…,refund=…`, those of the four kinds that are
 * registered.
 */
const hookNames = z.string().transform((text, context) => {
  try {
    const pairs = text.split(',').map((one) => hookPair.parse(one.trim().split('=')));
    if (new Set(pairs.map(([kind]) => kind)).size !== pairs.length)
      throw new RangeError('each kind has one name');
    return webhookKeys(Object.fromEntries(pairs));
  } catch {
    context.addIssue({
      code: 'custom',
      message:
        'is kind=name with commas between, the kinds being sale, recurring, refund and ' +
        'cashout_reverse, each with a name of its own',
    });
    return z.NEVER;
  }
});
/** The keys in the sandbox's panel. */
const SANDBOX_HOOKS = webhookKeys({
  sale: 'sale_hook',
  recurring: 'recurring_hook',
  refund: 'refund_hook',
  cashout_reverse: 'cashout_reverse_hook',
});
const OWN_SECRETS = ['AUTH_SECRET', 'DATA_KEY', 'WEBHOOK_KEY'] as const;
const PROVIDER_ADDRESSES = [
  'LOGIN_BASE_URL',
  'CARD_BASE_URL',
  'WALLET_AUTH_URL',
  'WALLET_API_URL',
] as const;
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/;

const schema = z
  .object({
    PORT: port.default(3000),
    HOST: z.string().default('127.0.0.1'),
    APP_ORIGIN: z.url().optional(),
    SANDBOX_PORT: port.default(4010),
    SANDBOX: z.enum(['on', 'off']).optional(),
    DATABASE_URL: z.string().min(1, 'names the PostgreSQL to use'),
    // Given when DATABASE_URL is a pooler that gives a connection for a transaction only.
    DATABASE_DIRECT_URL: z.string().min(1).optional(),
    DATA_DIR: z.string().default('./.data'),
    AUTH_SECRET: secret,
    DATA_KEY: secrets,
    WEBHOOK_KEY: secrets,
    LOGIN_BASE_URL: z.url().optional(),
    CARD_BASE_URL: z.url().optional(),
    CARD_APP_ID: z.string().min(1),
    CARD_APP_SECRET: z.string().min(1),
    CARD_MERCHANT_KEY: z.string().min(1),
    CARD_FIELD_PREFIX: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,30}$/, 'is small letters, digits and underscores')
      .default('svc_'),
    CARD_ENTRY: z.enum(['off', '3d', 'all']).optional(),
    CARD_CASHOUT: z.enum(['0', '1']).optional(),
    CARD_WEBHOOK_KEYS: hookNames.optional(),
    WALLET_AUTH_URL: z.url().optional(),
    WALLET_API_URL: z.url().optional(),
    WALLET_CLIENT_ID: z.string().min(1),
    WALLET_CLIENT_SECRET: z.string().min(1),
    WALLET_SCOPE: z.string().default('sts_business_api'),
    RESEND_QUIET_SECONDS: z.coerce.number().int().min(1).default(MIN_LIVE_QUIET_SECONDS),
    MANUAL_REVIEW_SECONDS: z.coerce.number().int().min(1).default(1800),
    AUTO_RESEND: z.enum(['0', '1']).default('1'),
    TZ_WORKSPACE: z
      .string()
      .refine(isTimeZone, 'is a time zone as Europe/Istanbul')
      .default('Europe/Istanbul'),
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\s<>@]+@[^\s<>@]+$/, 'is one e-mail address')
      .optional(),
    CHROMIUM_PATH: z.string().min(1).optional(),
    METRICS_PORT: port.optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    // Milliseconds. A longer timer would run at once.
    OTEL_METRIC_EXPORT_INTERVAL: z.coerce.number().int().min(1).max(TIMER_MAX_MS).default(60_000),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info'),
  })
  .transform((raw, context) => {
    const sandboxOn = raw.SANDBOX
      ? raw.SANDBOX === 'on'
      : !(raw.LOGIN_BASE_URL || raw.CARD_BASE_URL || raw.WALLET_API_URL);
    const sandbox = `${LOCAL}:${raw.SANDBOX_PORT}`;
    const refuse = (name: string, message: string | null): void => {
      if (message !== null) context.addIssue({ code: 'custom', path: [name], message });
    };
    for (const name of PROVIDER_ADDRESSES) refuse(name, addressRefusal(raw[name], sandboxOn));
    refuse('APP_ORIGIN', originRefusal(raw.APP_ORIGIN, sandboxOn));
    // A short quiet time is for rehearsals: against a real provider it could pay twice
    // (docs/money-rules.md, "What code alone cannot remove").
    if (!sandboxOn && raw.RESEND_QUIET_SECONDS < MIN_LIVE_QUIET_SECONDS)
      refuse(
        'RESEND_QUIET_SECONDS',
        `must be at least ${MIN_LIVE_QUIET_SECONDS} outside the sandbox`,
      );
    if (!sandboxOn) {
      for (const [name, message] of weakSecrets(raw)) refuse(name, message);
    }
    if ((raw.SMTP_URL === undefined) !== (raw.MAIL_FROM === undefined))
      context.addIssue({
        code: 'custom',
        path: [raw.SMTP_URL === undefined ? 'SMTP_URL' : 'MAIL_FROM'],
        message: 'is needed too: SMTP_URL and MAIL_FROM go together',
      });
    return {
      port: raw.PORT,
      host: raw.HOST,
      metricsPort: raw.METRICS_PORT ?? null,
      otlpEndpoint: raw.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
      metricExportMs: raw.OTEL_METRIC_EXPORT_INTERVAL,
      appOrigin: raw.APP_ORIGIN ?? `${LOCAL}:${raw.PORT}`,
      sandboxOn,
      sandboxUrl: sandbox,
      databaseUrl: raw.DATABASE_URL,
      databaseDirectUrl: raw.DATABASE_DIRECT_URL ?? null,
      dataDir: raw.DATA_DIR,
      chromiumPath: raw.CHROMIUM_PATH,
      authSecret: raw.AUTH_SECRET,
      dataKeys: raw.DATA_KEY,
      webhookKeys: raw.WEBHOOK_KEY,
      merchantKey: raw.CARD_MERCHANT_KEY,
      loginBaseUrl: raw.LOGIN_BASE_URL ?? `${sandbox}/login`,
      cardBaseUrl: raw.CARD_BASE_URL ?? `${sandbox}/card`,
      cardAppId: raw.CARD_APP_ID,
      cardAppSecret: raw.CARD_APP_SECRET,
      cardFieldPrefix: raw.CARD_FIELD_PREFIX,
      // A real installation handles card numbers only by the merchant's explicit choice
      // (docs/money-rules.md, "Card numbers").
      cardEntry: raw.CARD_ENTRY ?? (sandboxOn ? ('all' as const) : ('off' as const)),
      // The gateway enables card-balance payouts per merchant; the sandbox has them enabled.
      cardCashout: raw.CARD_CASHOUT === undefined ? sandboxOn : raw.CARD_CASHOUT === '1',
      // Requests ask for no webhook of a kind without a key: outside the sandbox no key is guessed.
      cardHooks: raw.CARD_WEBHOOK_KEYS ?? (sandboxOn ? SANDBOX_HOOKS : webhookKeys({})),
      walletAuthUrl: raw.WALLET_AUTH_URL ?? `${sandbox}/wallet/auth`,
      walletApiUrl: raw.WALLET_API_URL ?? `${sandbox}/wallet/api`,
      walletClientId: raw.WALLET_CLIENT_ID,
      walletClientSecret: raw.WALLET_CLIENT_SECRET,
      walletScope: raw.WALLET_SCOPE,
      resendQuietSeconds: raw.RESEND_QUIET_SECONDS,
      manualReviewSeconds: raw.MANUAL_REVIEW_SECONDS,
      autoResend: raw.AUTO_RESEND === '1',
      timeZone: raw.TZ_WORKSPACE,
      smtpUrl: raw.SMTP_URL ?? null,
      mailFrom: raw.MAIL_FROM ?? null,
      logLevel: raw.LOG_LEVEL,
    };
  });

export type Env = z.output<typeof schema>;

let parsed: Env | undefined;

/**
 * The environment, read once. A bad value stops the process with one readable line. Read on first
 * use and not on import, because building the pages needs no secrets.
 */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/** As `env`, for the start of a process: a bad value ends it with one line and without a stack. */
export function envOrEnd(): Env {
  try {
    return env();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'Environment: unreadable'}\n`);
    process.exit(1);
  }
}

/** @throws Error with one line that names every bad variable, and no value. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new Error(
    `Environment: ${result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')}`,
  );
}

/**
 * Why our own secrets are refused, one entry for each reason: with real money they must not be
 * guessable, and no two purposes may share one.
 */
function* weakSecrets(
  raw: Record<(typeof OWN_SECRETS)[number], string | string[]>,
): Generator<[name: string, message: string]> {
  const seen = new Set<string>();
  for (const name of OWN_SECRETS) {
    for (const value of [raw[name]].flat()) {
      if (isGuessable(value))
        yield [name, 'can be guessed: take one from `openssl rand -base64 32`'];
      if (seen.has(value)) yield [name, 'is used twice: each secret is one of its own'];
      seen.add(value);
    }
  }
}

/**
 * Why a provider's address is refused, or null. Passwords, tokens and payouts are sent to it, so it
 * must be https, and the sandbox's exceptions apply to the sandbox only.
 */
function addressRefusal(address: string | undefined, sandboxOn: boolean): string | null {
  if (address === undefined) return sandboxOn ? null : 'is needed when SANDBOX is off';
  const { protocol, hostname, username, password, search, hash } = new URL(address);
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    return 'is an address without user, query or fragment';
  if (sandboxOn)
    return LOOPBACK.test(hostname) ? null : 'must be on this machine while SANDBOX is on';
  return protocol === 'https:' ? null : 'must be an https address outside the sandbox';
}

/**
 * Why this origin is refused, or null. It is compared as text with the Origin header of browsers,
 * so it must be exactly an origin.
 */
function originRefusal(origin: string | undefined, sandboxOn: boolean): string | null {
  if (origin === undefined) return sandboxOn ? null : 'is needed when SANDBOX is off';
  if (new URL(origin).origin !== origin)
    return 'is an origin exactly: scheme, host and port, without a path or a slash at the end';
  return sandboxOn || origin.startsWith('https:')
    ? null
    : 'must be an https address outside the sandbox';
}
