/**
 * Checks that the logs of a whole run of browser stories hold nothing that no log may hold: a
 * secret, or the error of a page that asked for a text which no message file has.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The logs of the product's own processes. The sandbox plays the providers, so its log is not
 * checked.
 */
const OURS = /^(web|worker|postgres)[\w-]*\.log$/;
const SHAPES: [what: string, shape: RegExp][] = [
  ['an IBAN', /TR(?:[\s-]?\d){24}/i],
  ['a token', /\beyJ[\w-]{8,}\.[\w-]*\./],
  ['an authorization', /\bBearer\s+\w{8,}/i],
  ['the error of a missing text', /"errorCode":"MISSING_MESSAGE"/],
  ['a database password', /postgres(?:ql)?:\/\/[^:\s]+:(?!\[hidden\])[^@\s]+@/],
];

/**
 * Secrets by name; a name may have several. Codes are found only where they stand as a number of
 * their own.
 */
export type Canaries = { texts: Record<string, string[]>; codes: string[] };

/** Returns one line for each file and kind of secret found in it, without the secret itself. */
export function findSecrets(folder: string, { texts, codes }: Canaries): string[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => OURS.test(name)) : [];
  for (const needed of ['web.log', 'worker.log'])
    if (!files.includes(needed)) return [`${needed} is not there: no log was looked at.`];
  return files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const numbers = new Set(text.match(/(?<![\w.:+-])\d{4,8}(?![\w.:+-])/g));
    const found = [
      ...SHAPES.filter(([, shape]) => shape.test(text)).map(([what]) => what),
      ...Object.entries(texts)
        .filter(([, values]) => values.some((value) => value.length > 5 && text.includes(value)))
        .map(([what]) => what),
      ...(codes.some((code) => numbers.has(code)) ? ['a code of the sign-in'] : []),
    ];
    return found.map((what) => `${name} holds ${what}.`);
  });
}

/**
 * Collects the secrets of the run's own sandbox and data folder, and the codes of all messages that
 * it sent to phones.
 */
export async function canariesOf(
  sandboxUrl: string,
  dataDir: string,
  password: string,
): Promise<Canaries> {
  const ask = async <T>(path: string): Promise<T> =>
    (await fetch(`${sandboxUrl}/sandbox/${path}`)).json() as Promise<T>;
  const { card, wallet } = await ask<{
    card: Record<string, string>;
    wallet: Record<string, string>;
  }>('credentials');
  const own = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >;
  const messages = await ask<{ code: string }[]>('messages');
  return {
    texts: {
      'a password': [password],
      'a provider’s secret': [card['app_secret'] ?? '', wallet['client_secret'] ?? ''],
      'a key of ours': Object.values(own),
    },
    codes: messages.map(({ code }) => code),
  };
}
