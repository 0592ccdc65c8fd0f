import 'server-only';
import { createTransport } from 'nodemailer';
import { env } from './env.ts';
import { visibleText } from '#lib/values/foreign-text.ts';

/**
 * Time limit for each step of the SMTP conversation.
 */
const PATIENCE_MS = 10_000;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

export type Mail = { to: string[]; subject: string; text: string };
export type Mailer = {
  /**
   * Resolves when the mail server has accepted the mail for every address. @throws Error with a
   * `code` otherwise
   */
  send(mail: Mail): Promise<void>;
};

/**
 * Cleans a name or an order number for a header: one line, without characters that change the
 * reading direction.
 */
function headerText(text: string): string {
  return (
    visibleText(text)
      // oxlint-disable-next-line no-control-regex -- what must not come into a header
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
      .trim()
  );
}

/**
 * The configured mail server; null without one. Unencrypted SMTP is used on this machine only.
 */
export function mailerHere(): Mailer | null {
  const { smtpUrl, mailFrom } = env();
  return smtpUrl === null || mailFrom === null ? null : mailerOf(smtpUrl, mailFrom);
}

/**
 * A mailer that speaks SMTP to `url` (`smtp:` or `smtps:`, with user and password in it if needed).
 */
export function mailerOf(url: string, from: string): Mailer {
  const { hostname, protocol } = new URL(url);
  const transport = createTransport({
    url,
    requireTLS: protocol === 'smtp:' && !LOOPBACK.test(hostname),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text }) => {
      const { rejected, rejectedErrors } = await transport.sendMail({
        from,
        to: to.map(headerText),
        subject: headerText(subject),
        text: visibleText(text),
      });
      // Nodemailer throws only when no address at all was accepted.
      if (rejected.length > 0)
        throw (
          rejectedErrors?.[0] ??
          Object.assign(new Error('an address was refused'), {
            code: 'EENVELOPE',
            responseCode: 550,
          })
        );
    },
  };
}

/**
 * Whether the mail server certainly did not take the mail: it answered with a refusal, or there was
 * no connection to it at all. A connection that broke later may have broken after it took the mail.
 */
export function wasNotTaken(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const isRefusal = 'responseCode' in error && Number(error.responseCode) >= 400;
  const isUnconnected =
    ('syscall' in error && error.syscall === 'connect') ||
    ('code' in error && error.code === 'EDNS');
  return isRefusal || isUnconnected;
}
