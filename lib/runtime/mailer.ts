import 'server-only';
import { createTransport } from 'nodemailer';
import { env } from './env.ts';
import { visibleText } from '#lib/values/foreign-text.ts';

/**
 * For each step of the conversation: a mail server that does not answer holds nobody up for longer.
 */
const PATIENCE_MS = 10_000;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

export type Mail = { to: string[]; subject: string; text: string };
export type Mailer = {
  /**
   * Resolves when the mail server has taken the mail for every address. @throws Error with a `code`
   * otherwise
   */
  send(mail: Mail): Promise<void>;
};

/**
 * Whatever a name or an order number brings along: a header is one line, and reads in one
 * direction.
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
 * The mail server that the environment names; null when none is. Plain text in both directions
 * stays on this machine.
 */
export function mailerHere(): Mailer | null {
  const { smtpUrl, mailFrom } = env();
  return smtpUrl === null || mailFrom === null ? null : mailerOf(smtpUrl, mailFrom);
}

/**
 * A mailer that speaks SMTP to `url` (`smtp:` or `smtps:`, with name and password in it where they
 * are needed).
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
      await transport.sendMail({
        from,
        to: to.map(headerText),
        subject: headerText(subject),
        text: visibleText(text),
      });
    },
  };
}
